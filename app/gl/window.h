// The window (GLFW) and what its user does in it.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/gl/negotiation.h"
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

// Keys, buttons, actions and modifiers are GLFW's constants.  Positions in screen units from the top left corner.
struct KeyEvent
{
    int key = 0, scancode = 0, action = 0, mods = 0;
};
struct MouseButtonEvent
{
    int button = 0, action = 0, mods = 0;
    double x = 0, y = 0;
};
struct CursorEvent
{
    double x = 0, y = 0;
};
struct ScrollEvent
{
    double dx = 0, dy = 0;
};
struct DropEvent
{
    std::vector<std::string> paths;
};
struct FocusEvent
{
    bool focused = false;
};
using WindowEvent = std::variant<KeyEvent, MouseButtonEvent, CursorEvent, ScrollEvent, DropEvent, FocusEvent>;

struct PixelSize
{
    int width = 0, height = 0;
    bool operator==(const PixelSize&) const = default;
};

// Installs its callbacks when it is made: an ImGui back end that is initialised later chains to them.
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

    std::vector<WindowEvent> takeEvents();  // polls; what happened since the last call, in order
    bool closeRequested() const;
    void requestClose();
    // Copies the colours of a framebuffer of `size` into the window, to be shown by swap().
    void copyFrom(unsigned framebuffer, PixelSize size);
    void swap();

    PixelSize framebufferSize() const;  // pixels; 0x0 while iconified
    PixelSize size() const;             // screen units
    float contentScale() const;         // pixels a unit that the user asked for; 1 is 96 dpi
    void resize(int width, int height);
    void setTitle(const std::string& title);
    void setVsync(bool on);    // a driver may ignore it
    double refreshHz() const;  // of the monitor that holds the window's centre; 0: unknown
    bool fullscreen() const;
    void setFullscreen(bool on);

private:
    Window() = default;
    bool make(const WindowOptions& options, const ContextAttempt& attempt);
    void installCallbacks();

    GLFWwindow* window_ = nullptr;
    ContextAttempt got_;
    std::vector<WindowEvent> events_;
    int windowed_[4] = {0, 0, 0, 0};  // x, y, width, height to come back to
};

}  // namespace orogen::app
