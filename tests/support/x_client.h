// Client of an X server that a test uses beside the program. It captures the server's picture, moves and resizes
// windows as a desktop does, and sends keys and buttons (XTest). Xlib's macros stay out of this header.
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

    void awaitWindowManager();  // returns when one manages the display

    // Selects the window, which must be mapped, for requests and pictures. The server completes the program's earlier
    // requests before a picture is taken.
    void follow(GLFWwindow* window);

    app::Image picture();  // window area as the server shows it; empty if it is not entirely on the screen
    // Returns a part of the current picture in the server's format. Other threads of the program may be running.
    std::string area(int x, int y, int width, int height);
    int width();  // window size, as the server reports it
    int height();

    // Ask the window manager; if the size changes, wait until the server reports it.
    void placeAndResize(int x, int y, int width, int height);
    void toggleMaximised();
    void awaitSize(int width, int height);
    void awaitAnotherSize(int width, int height);

    // Send input as a device would; positions are relative to the window. It has reached the server on return.
    void focus();
    void move(int x, int y);
    void button(unsigned number, bool down);
    void key(const char* keysym, bool down);  // "F11", "a"

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace orogen::test
