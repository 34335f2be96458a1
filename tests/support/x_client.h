// A client of an X server that a test uses beside the program: it sees the picture that the server shows, moves and
// resizes windows as a desktop does, and presses keys and buttons (XTest).  Xlib's macros stay out of this header.
#pragma once

#include <memory>
#include <string>

#include "app/gl/image.h"

struct GLFWwindow;

namespace orogen::test {

class XClient
{
public:
    explicit XClient(const std::string& display);
    ~XClient();
    XClient(const XClient&) = delete;
    XClient& operator=(const XClient&) = delete;
    bool connected() const { return state_ != nullptr; }

    void awaitWindowManager();  // until one manages the display

    // The window that requests and pictures are about from now on, which is mapped.  What the program has asked of the
    // server is done when a picture is taken.
    void follow(GLFWwindow* window);

    app::Image picture();  // of the window's area as the server shows it; empty where it is not all on the screen
    // Of a part of it, as it is shown now, in the server's own format: another thread may be at work in the program.
    std::string area(int x, int y, int width, int height);
    int width();  // of the window, as the server has it
    int height();

    // Ask the window manager, and wait until the server has another size for the window, if `changes`.
    void placeAndResize(int x, int y, int width, int height);
    void toggleMaximised();
    void awaitSize(int width, int height);
    void awaitAnotherSize(int width, int height);

    // Input, as of a device; positions of the window.  They are with the server when the call returns.
    void focus();
    void move(int x, int y);
    void button(unsigned number, bool down);
    void key(const char* keysym, bool down);  // "F11", "a"

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orogen::test
