#include "app/gl/window.h"

#include <cstdlib>
#include <mutex>
#include <string_view>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "app/gl/context.h"
#include "app/gl/driver.h"

namespace orogen::app {
namespace {

// Returns GLFW's code for the typed letter; `key` if it is not a letter.
int letterKey(int key, const char* typed)
{
    const std::string_view text = typed ? typed : "";
    if (text.size() != 1) return key;
    const char letter = text[0];
    if (letter >= 'a' && letter <= 'z') return GLFW_KEY_A + (letter - 'a');
    return letter >= 'A' && letter <= 'Z' ? GLFW_KEY_A + (letter - 'A') : key;
}

}  // namespace

KeyEvent KeyLayout::ofCommand(KeyEvent event, const KeyName& name)
{
    if (event.action == GLFW_PRESS && (event.mods & GLFW_MOD_CONTROL) != 0)
        pressedAs_[event.scancode] = letterKey(event.key, name(event.key, event.scancode));
    const auto held = pressedAs_.find(event.scancode);
    if (held == pressedAs_.end()) return event;
    event.key = held->second;
    if (event.action == GLFW_RELEASE) pressedAs_.erase(held);
    return event;
}

namespace {

std::string& lastGlfwError()
{
    static std::string text;
    return text;
}

KeyLayout& keyboard()
{
    static KeyLayout layout;  // shared by all windows
    return layout;
}

bool initGlfw()
{
    quietDrivers();
    const DriverSilence silence;
    lastGlfwError().clear();
    glfwSetErrorCallback([](int, const char* text) { lastGlfwError() = text; });
    return glfwInit() == GLFW_TRUE;
}

bool variableSet(const char* name)
{
    const char* value = std::getenv(name);
    return value && *value;
}

Window& self(GLFWwindow* window) { return *static_cast<Window*>(glfwGetWindowUserPointer(window)); }

// Returns the monitor at the window's centre, else the primary monitor; null without a monitor.
GLFWmonitor* monitorOf(GLFWwindow* window)
{
    int x = 0, y = 0, width = 0, height = 0, count = 0;
    glfwGetWindowPos(window, &x, &y);
    glfwGetWindowSize(window, &width, &height);
    const int centreX = x + width / 2, centreY = y + height / 2;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i)
    {
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        if (mode && centreX >= left && centreX < left + mode->width && centreY >= top && centreY < top + mode->height)
            return monitors[i];
    }
    return glfwGetPrimaryMonitor();
}

// Returns whether enough of a window's top edge is on a monitor to drag it.
bool shownSomewhere(const WindowPlace& place)
{
    constexpr int kHold = 80;  // visible part needed to drag the window (screen units)
    int count = 0;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i)
    {
        int x = 0, y = 0, width = 0, height = 0;
        glfwGetMonitorWorkarea(monitors[i], &x, &y, &width, &height);
        const bool across = place.x + place.width >= x + kHold && place.x + kHold <= x + width;
        if (across && place.y >= y && place.y + kHold <= y + height) return true;
    }
    return false;
}

}  // namespace

std::optional<std::string> noWindowReason()
{
    if (!variableSet("DISPLAY") && !variableSet("WAYLAND_DISPLAY")) return "neither DISPLAY nor WAYLAND_DISPLAY is set";
    if (!initGlfw()) return lastGlfwError().empty() ? "GLFW could not be initialised" : lastGlfwError();
    return std::nullopt;
}

Result<std::unique_ptr<Window>> Window::create(const WindowOptions& options, bool debug)
{
    if (!initGlfw())
        return Error{ExitCode::kNoContext, fmt::format("no usable OpenGL context (window: {})", lastGlfwError())};
    std::unique_ptr<Window> window(new Window);
    const auto destroy = [&] {
        if (window->window_) glfwDestroyWindow(std::exchange(window->window_, nullptr));
    };
    const ContextMaker maker = {[&](const ContextAttempt& attempt) { return window->make(options, attempt); },
                                [&] {
                                    return window->make(options, {1, 0, false, false});
                                },
                                destroy, glfwGetProcAddress};
    Result<ContextAttempt> got = negotiateContext(maker, debug);
    if (!got)
    {
        const std::string& detail = lastGlfwError();
        return Error{ExitCode::kNoContext, fmt::format("no usable OpenGL context (window: {}{}{})", got.error().message,
                                                       detail.empty() ? "" : "; ", detail)};
    }
    window->got_ = *got;
    window->installCallbacks();
    window->setVsync(options.vsync);
    if (options.fullscreen) window->setFullscreen(true);
    return window;
}

bool Window::make(const WindowOptions& options, const ContextAttempt& attempt)
{
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, attempt.major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, attempt.minor);
    if (attempt.major >= 4) glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS,
                   attempt.resetNotification ? GLFW_LOSE_CONTEXT_ON_RESET : GLFW_NO_ROBUSTNESS);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, attempt.debug);
    glfwWindowHint(GLFW_VISIBLE, options.visible && attempt.major >= 4);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);  // the terrain has its own framebuffer
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    lastGlfwError().clear();
    window_ = glfwCreateWindow(options.width, options.height, options.title.c_str(), nullptr, nullptr);
    if (window_) glfwMakeContextCurrent(window_);
    return window_ != nullptr;
}

void Window::installCallbacks()
{
    glfwSetWindowUserPointer(window_, this);
    glfwGetCursorPos(window_, &cursor_.x, &cursor_.y);
    glfwSetKeyCallback(window_, [](GLFWwindow* w, int key, int scancode, int action, int mods) {
        self(w).events_.push_back(keyboard().ofCommand({key, scancode, action, mods}, glfwGetKeyName));
    });
    glfwSetMouseButtonCallback(window_, [](GLFWwindow* w, int button, int action, int mods) {
        // glfwGetCursorPos() would return the current position, long after the click in a slow frame.
        self(w).events_.push_back(MouseButtonEvent{button, action, mods, self(w).cursor_.x, self(w).cursor_.y});
    });
    glfwSetCursorPosCallback(window_, [](GLFWwindow* w, double x, double y) {
        self(w).cursor_ = {x, y};
        self(w).events_.push_back(self(w).cursor_);
    });
    glfwSetCursorEnterCallback(window_, [](GLFWwindow* w, int entered) {
        if (!entered) self(w).events_.push_back(CursorLeftEvent{});
    });
    glfwSetCharCallback(
        window_, [](GLFWwindow* w, unsigned codepoint) { self(w).events_.push_back(CharacterEvent{codepoint}); });
    glfwSetScrollCallback(window_, [](GLFWwindow* w, double x, double y) {
        self(w).events_.push_back(ScrollEvent{x, y});
    });
    glfwSetDropCallback(window_, [](GLFWwindow* w, int count, const char** paths) {
        self(w).events_.push_back(DropEvent{{paths, paths + count}});
    });
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* w) { self(w).events_.push_back(RefreshEvent{}); });
    glfwSetFramebufferSizeCallback(window_, [](GLFWwindow* w, int, int) { self(w).events_.push_back(RefreshEvent{}); });
    glfwSetWindowFocusCallback(window_,
                               [](GLFWwindow* w, int focused) { self(w).events_.push_back(FocusEvent{focused != 0}); });
}

Window::~Window()
{
    if (window_) glfwDestroyWindow(window_);
    glfwTerminate();
}

std::vector<WindowEvent> Window::takeEvents(double seconds)
{
    glfwPollEvents();  // glfwWaitEventsTimeout() misses events that arrived since the last call
    if (seconds > 0 && events_.empty()) glfwWaitEventsTimeout(seconds);
    return std::exchange(events_, {});
}

bool Window::closeRequested() const { return glfwWindowShouldClose(window_) != 0; }
void Window::requestClose() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

// Binds the framebuffers instead of calling glBlitNamedFramebuffer(): Mesa updates the size of the window's framebuffer
// when that is bound.
void Window::copyFrom(unsigned framebuffer, PixelSize size)
{
    const PixelSize shown = framebufferSize();
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, size.width, size.height, 0, 0, shown.width, shown.height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Window::copyPart(unsigned framebuffer, int left, int bottom, int right, int top)
{
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(left, bottom, right, top, left, bottom, right, top, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void Window::swap() { glfwSwapBuffers(window_); }

PixelSize Window::framebufferSize() const
{
    PixelSize size;
    glfwGetFramebufferSize(window_, &size.width, &size.height);
    return size;
}

PixelSize Window::size() const
{
    PixelSize size;
    glfwGetWindowSize(window_, &size.width, &size.height);
    return size;
}

float Window::contentScale() const
{
    float x = 1, y = 1;
    glfwGetWindowContentScale(window_, &x, &y);
    return x > 0 ? x : 1.0f;
}

void Window::resize(int width, int height) { glfwSetWindowSize(window_, width, height); }
void Window::setTitle(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }
void Window::setVsync(bool on) { glfwSwapInterval(on ? 1 : 0); }

double Window::refreshHz() const
{
    GLFWmonitor* monitor = monitorOf(window_);
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    return mode && mode->refreshRate > 0 ? mode->refreshRate : 0.0;
}

WindowPlace Window::place()
{
    if (fullscreen() || glfwGetWindowAttrib(window_, GLFW_ICONIFIED)) return place_;
    place_.maximised = glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0;
    if (place_.maximised && place_.width > 0) return place_;
    glfwGetWindowPos(window_, &place_.x, &place_.y);
    glfwGetWindowSize(window_, &place_.width, &place_.height);
    return place_;
}

void Window::moveTo(const WindowPlace& place)
{
    glfwSetWindowSize(window_, place.width, place.height);
    if (shownSomewhere(place)) glfwSetWindowPos(window_, place.x, place.y);
    place_ = place;
    if (place.maximised) glfwMaximizeWindow(window_);
}

bool Window::fullscreen() const { return glfwGetWindowMonitor(window_) != nullptr; }

void Window::setFullscreen(bool on)
{
    if (on == fullscreen()) return;
    if (!on)
    {
        glfwSetWindowMonitor(window_, nullptr, place_.x, place_.y, place_.width, place_.height, GLFW_DONT_CARE);
        if (place_.maximised) glfwMaximizeWindow(window_);
        return;
    }
    GLFWmonitor* monitor = monitorOf(window_);
    const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
    if (!mode) return;
    (void)place();
    glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

}  // namespace orogen::app
