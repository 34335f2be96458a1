// The window (GLFW) and what its user does in it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/gl/negotiation.h"
#include "app/gl/window_events.h"
#include "core/base/status.h"

struct GLFWwindow;

namespace orogen::app {

struct WindowOptions
{
    int width = 1280, height = 720;  // screen units
    std::string title = "Orogen";
    bool visible = true;
    bool fullscreen = false;
    bool vsync = true;
};

// Where a window is when it is neither maximised nor fills the screen; screen units.
struct WindowPlace
{
    int x = 0, y = 0, width = 0, height = 0;
    bool maximised = false;
    bool operator==(const WindowPlace&) const = default;
};

struct PixelSize
{
    int width = 0, height = 0;
    bool operator==(const PixelSize&) const = default;
};

// All that its user does goes through takeEvents(): nothing else may install callbacks.
class Window
{
public:
    // Makes the window and a context current on this thread.  Error: kNoContext.
    static Result<std::unique_ptr<Window>> create(const WindowOptions& options, bool debug);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const { return window_; }
    const ContextAttempt& got() const { return got_; }

    // Polls; what happened since the last call, in order.  Waits until something happens, for at most `seconds`.
    std::vector<WindowEvent> takeEvents(double seconds = 0);
    bool closeRequested() const;
    void requestClose();
    // Copies the colours of a framebuffer of `size` into the window, to be shown by swap().
    void copyFrom(unsigned framebuffer, PixelSize size);
    // Copies a part of one, in pixels from the lower left, to the same pixels of the window.
    void copyPart(unsigned framebuffer, int left, int bottom, int right, int top);
    void swap();

    PixelSize framebufferSize() const;  // pixels; 0x0 while iconified
    PixelSize size() const;             // screen units
    float contentScale() const;         // pixels a unit that the user asked for; 1 is 96 dpi
    void resize(int width, int height);
    void setTitle(const std::string& title);
    void setVsync(bool on);    // a driver may ignore it
    double refreshHz() const;  // of the monitor that holds the window's centre; 0: unknown
    WindowPlace place();
    void moveTo(const WindowPlace& place);  // its size alone where no monitor would show it
    bool fullscreen() const;
    void setFullscreen(bool on);

private:
    Window() = default;
    bool make(const WindowOptions& options, const ContextAttempt& attempt);
    void installCallbacks();

    GLFWwindow* window_ = nullptr;
    ContextAttempt got_;
    std::vector<WindowEvent> events_;
    CursorEvent cursor_;  // the last one collected
    WindowPlace place_;   // to come back to
};

}  // namespace orogen::app
