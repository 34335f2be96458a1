// Window (GLFW), its input events, and the pacing of its frames.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "app/gl/driver.h"
#include "core/base/status.h"

struct GLFWwindow;

namespace orogen::app {

// Input events of a window, and the mapping of their keys to letters.  Keys, buttons, actions and modifiers are GLFW's
// constants.  Positions are in screen units from the top left corner.

struct KeyEvent
{
    int key = 0, scancode = 0, action = 0, mods = 0;
};
struct CharacterEvent
{
    unsigned codepoint = 0;  // Unicode
};
struct MouseButtonEvent
{
    int button = 0, action = 0, mods = 0;
    double x = 0, y = 0;  // cursor position at the time of the event
};
struct CursorEvent
{
    double x = 0, y = 0;
};
struct CursorLeftEvent
{
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
struct RefreshEvent  // the window's contents are lost, or its size changed
{
};
using WindowEvent = std::variant<KeyEvent, CharacterEvent, MouseButtonEvent, CursorEvent, CursorLeftEvent, ScrollEvent,
                                 DropEvent, FocusEvent, RefreshEvent>;

// Maps keys of shortcuts to letters; movement keys keep their position.  GLFW names keys by their place on a US layout.
// That keeps W A S D together on every layout, but would move Ctrl+Z to Ctrl+W on a French and Ctrl+Y on a German
// keyboard.
class KeyLayout
{
public:
    // Returns what a key types without modifiers on the active layout, UTF-8, or null (such as glfwGetKeyName).
    using KeyName = std::function<const char*(int key, int scancode)>;

    // Returns the event with its key replaced for shortcuts.  With Ctrl held, the event gets GLFW's code of the letter
    // that the key types.  The code stays unchanged without Ctrl, and for a key that types no letter A to Z (Greek
    // layout).  A release gets the same code as its press, even if Ctrl was released first.
    KeyEvent ofCommand(KeyEvent event, const KeyName& name);

private:
    std::map<int, int> pressedAs_;  // by scancode: held keys and their replacement
};

struct WindowOptions
{
    int width = 1280, height = 720;  // screen units
    std::string title = "Orogen";
    bool visible = true;
    bool fullscreen = false;
    bool vsync = true;
};

// Window position and size when neither maximised nor fullscreen (screen units).
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

// Delivers all input through takeEvents(); no other code may install callbacks.
class Window
{
public:
    // Creates the window and a context that is current on this thread.  Error kNoContext.
    static Result<std::unique_ptr<Window>> create(const WindowOptions& options, bool debug);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    GLFWwindow* handle() const { return window_; }
    const ContextAttempt& got() const { return got_; }

    // Returns the events since the last call, in order.  Waits at most `seconds` for the first one.
    std::vector<WindowEvent> takeEvents(double seconds = 0);
    bool closeRequested() const;
    void requestClose();
    // Copies the colours of a framebuffer of `size` to the window's back buffer, stretched to fill it.
    void copyFrom(unsigned framebuffer, PixelSize size);
    // Copies a rectangle, in pixels from the lower left, to the same pixels of the window.
    void copyPart(unsigned framebuffer, int left, int bottom, int right, int top);
    void swap();

    PixelSize framebufferSize() const;  // pixels; 0x0 while iconified
    PixelSize size() const;             // screen units
    float contentScale() const;         // scale factor of the user's desktop; 1 is 96 dpi
    void resize(int width, int height);
    void setTitle(const std::string& title);
    void setVsync(bool on);    // turns vertical sync on or off; the driver may ignore it
    double refreshHz() const;  // refresh rate of the monitor at the window's centre; 0: unknown
    WindowPlace place();       // while maximised, iconified or fullscreen: position and size of the normal window
    void moveTo(const WindowPlace& place);  // only resizes if the window would be off all monitors
    bool fullscreen() const;
    void setFullscreen(bool on);

private:
    Window() = default;
    bool make(const WindowOptions& options, const ContextAttempt& attempt);
    void installCallbacks();

    GLFWwindow* window_ = nullptr;
    ContextAttempt got_;
    std::vector<WindowEvent> events_;
    CursorEvent cursor_;  // last cursor event
    WindowPlace place_;   // restored when fullscreen or maximised ends
};

inline constexpr std::chrono::milliseconds kLeastFrame{8};  // minimum time of a frame: 125 frames per second

// Returns the minimum time between two frames with vertical sync (milliseconds), after a swap that took `swapMs`.  If
// the swap waited for the display, returns 0: another wait could miss the next refresh.  A swap does not wait on a
// virtual display, or if the driver ignores vertical sync.  In these cases limits the rate to 125 frames per second, or
// to slightly more than a faster display's rate.  `refreshHz`: rate of the display; 0: unknown.  `software`: a software
// rasteriser works in the swap and does not wait there.
inline double leastFrameMs(double refreshHz, double swapMs, bool software)
{
    constexpr double kWaitedMs = 1.0;  // swaps that only queue the picture are faster
    constexpr double kShare = 0.9;     // fraction of the display's period, so as not to miss a refresh narrowly
    const double limit = std::chrono::duration<double, std::milli>(kLeastFrame).count();
    if (!software && swapMs >= kWaitedMs) return 0.0;
    return refreshHz * limit > 1000.0 ? kShare * 1000.0 / refreshHz : limit;
}

}  // namespace orogen::app
