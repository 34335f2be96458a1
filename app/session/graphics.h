// What of a session lives on the GPU: the context with its window, the renderer and the panels.  Made together, and
// again when the context is lost.
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

namespace orogen::app {

inline constexpr std::uint64_t kGpuPatience = 2'000'000'000;  // nanoseconds for the oldest frame in flight to arrive

// A picture that is in a framebuffer.
struct ShownPicture
{
    GLuint framebuffer = 0;
    PixelSize size;
};

class Graphics
{
public:
    // `dataRoot`: where the shaders are.  Settings that were kept and are too large for this driver become the
    // defaults.  Errors: kNoContext, kShader, kLimit, and those of SessionSettings::meetDevice().
    Status create(const SessionOptions& options, bool headless, const std::filesystem::path& dataRoot,
                  SessionSettings& settings, Messages& messages);
    void drop();

    Context& context() const { return *context_; }
    Renderer& renderer() const { return *renderer_; }
    Ui& ui() const { return *ui_; }
    Window* window() const { return context_->window(); }  // null: headless

    PixelSize size() const;                                              // of the picture
    PixelSize pointerSize() const;                                       // of the display, as the mouse counts
    std::uint64_t errors() const { return context_->debug().errors(); }  // of OpenGL, so far

    // The renderer's picture and the panels over it, in a framebuffer of their own: the picture stays as it is, so that
    // other panels can be drawn over it.  `timed`: as a pass of the frame whose queries are open.  Error kLimit.
    Status drawPanels(bool timed);
    // The renderer's picture is shown alone until drawPanels() is called again; in the window a part of the panels that
    // were drawn last, in pixels of the display, stays over it as it is.
    void showWithoutPanels() { panelsOver_ = false; }
    void keepOver(const std::optional<PanelRect>& part) { keptPart_ = part; }
    // The picture as drawPanels() left it, or the renderer's alone.
    ShownPicture shown() const;
    void copyToWindow();                                 // what is shown, with the part that is kept over it
    Image picture() const;                               // of what is shown
    Status writePicture(const std::string& file) const;  // the same
    void awaitAnswers();                                 // until the GPU has told of every frame

private:
    Status makeComposite(PixelSize size);

    PixelSize headlessSize_;
    std::unique_ptr<Context> context_;
    std::unique_ptr<Renderer> renderer_;
    std::unique_ptr<Ui> ui_;
    Texture compositeColour_;
    Framebuffer composite_;
    PixelSize compositeSize_;  // 0x0: there is none
    bool panelsOver_ = false;
    std::optional<PanelRect> keptPart_;
};

}  // namespace orogen::app
