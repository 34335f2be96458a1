// GPU part of a session: the context with its window, the renderer and the panels.  They are created together, and
// again after a lost context.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/gl/context.h"
#include "app/gl/image.h"
#include "app/render/renderer.h"
#include "app/session/messages.h"
#include "app/session/session_options.h"
#include "app/session/session_settings.h"
#include "app/ui/ui.h"
#include "compute/device/cuda.h"

namespace orogen::app {

inline constexpr std::uint64_t kGpuPatience = 2'000'000'000;  // nanoseconds to wait for the oldest frame in flight

// Picture in a framebuffer.
struct ShownPicture
{
    GLuint framebuffer = 0;
    PixelSize size;
};

// Waits until the GPU has reported on every frame in flight, or has not reported for kGpuPatience.
void awaitAnswers(Renderer& renderer);

class Graphics
{
public:
    // Creates all parts.  `dataRoot` contains the shaders.  Restored settings that exceed this driver's limits become
    // the defaults.  Errors: those of Context, Renderer, Ui and SessionSettings::choosePresetForDevice().
    Status create(const SessionOptions& options, bool headless, const std::filesystem::path& dataRoot,
                  SessionSettings& settings, Messages& messages);
    void drop();  // destroys all parts

    Context& context() const { return *context_; }
    Renderer& renderer() const { return *renderer_; }
    Ui& ui() const { return *ui_; }
    Window* window() const { return context_->window(); }  // null for a headless session

    PixelSize size() const;                                              // picture size (pixels)
    PixelSize pointerSize() const;                                       // display size in mouse coordinates
    std::uint64_t errors() const { return context_->debug().errors(); }  // OpenGL errors so far

    // Draws the renderer's picture and the panels over it into a separate framebuffer, so that changed panels can be
    // drawn over an unchanged picture.  `timed`: the frame's timers measure this as the pass kUi.  `straight`: draws
    // into the window if there is one; copyToWindow() and a swap must follow.  Error kLimit: out of memory.
    Status drawPanels(bool timed, bool straight = false);
    // Shows the renderer's picture alone until the next drawPanels().  In a window, the part of the last panels that
    // keepOver() selects (display pixels) stays on top of the picture.
    void showWithoutPanels() { panelsOver_ = false; }
    void keepOver(const std::optional<PanelRect>& part) { keptPart_ = part; }
    void clearPicture();  // makes the renderer's picture dark, while there is no terrain
    // Lets a software rasteriser compile, before the first flight, what pictures at a smaller scale need to get into
    // the window.  Changes the contents of the window's back buffer.
    void prepareScaling() const;
    // Returns the composite of drawPanels(), or the renderer's picture.  Draws the composite now if the last panels
    // were drawn into the window.
    ShownPicture shown() const;
    // Copies shown() and the part of keepOver() to the window, unless the panels were drawn into the window.
    void copyToWindow();
    Image picture() const;       // reads shown()
    Image pictureAlone() const;  // reads the picture without panels
    // Shows `picture`, composed of several pictures, in place of the renderer's picture; empty: shows the renderer's
    // picture again.
    void showComposed(const std::optional<ShownPicture>& picture) { composed_ = picture; }
    Status writePicture(const std::string& file) const;  // writes shown() as PNG
    void awaitAnswers() { orogen::app::awaitAnswers(*renderer_); }

private:
    Status makeComposite(PixelSize size);
    void drawPanelsInto(GLuint framebuffer) const;
    ShownPicture withoutPanels() const;

    PixelSize headlessSize_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<Renderer> renderer_;
    std::unique_ptr<Ui> ui_;
    Texture compositeColour_;
    Framebuffer composite_;
    PixelSize compositeSize_;  // 0x0: there is no composite
    bool panelsOver_ = false;
    bool inWindow_ = false;                 // the window has the newest panels, and was not swapped since
    mutable bool compositeIsOld_ = false;   // the newest panels were drawn into the window only
    std::optional<ShownPicture> composed_;  // see showComposed()
    std::optional<PanelRect> keptPart_;
};

// Returns the identity of the current context's GPU, so that CUDA can use the same GPU.  The identity is the UUID that
// CUDA and Vulkan report too (GL_EXT_memory_object), and the name.  The UUID is empty if the driver reports none.
compute::GpuIdentity gpuOf(const Context& context);

}  // namespace orogen::app
