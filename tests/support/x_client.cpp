#include "tests/support/x_client.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>

// GLFW's header for these includes that of another X library (Xrandr).
extern "C" Display* glfwGetX11Display(void);
extern "C" Window glfwGetX11Window(GLFWwindow* window);

namespace orogen::test {
namespace {

// Milliseconds between two events by the server's clock: GLFW merges presses with equal times.
constexpr unsigned long kApart = 2;

}  // namespace

struct XClient::State
{
    Display* display = nullptr;
    Display* program = nullptr;  // the program's own connection, in this process
    Window window = 0;

    Window root() const { return DefaultRootWindow(display); }
    Atom atom(const char* name) const { return XInternAtom(display, name, False); }
    XWindowAttributes attributes() const
    {
        XWindowAttributes attributes{};
        XGetWindowAttributes(display, window, &attributes);
        return attributes;
    }
    bool managed() const
    {
        Atom type = 0;
        int format = 0;
        unsigned long count = 0, left = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(display, root(), atom("_NET_SUPPORTING_WM_CHECK"), 0, 1, False, XA_WINDOW, &type, &format,
                           &count, &left, &data);
        if (data) XFree(data);
        return count > 0;
    }
    // Waits for events of the window (and the root) until `done`.
    template <class Done>
    void await(const Done& done) const
    {
        while (!done())
        {
            XEvent event;
            XNextEvent(display, &event);
        }
    }
};

XClient::XClient(const std::string& display)
{
    Display* connection = XOpenDisplay(display.c_str());
    if (!connection) return;
    state_ = std::make_unique<State>();
    state_->display = connection;
}

XClient::~XClient()
{
    if (state_) XCloseDisplay(state_->display);
}

void XClient::awaitWindowManager()
{
    XSelectInput(state_->display, state_->root(), PropertyChangeMask);
    state_->await([this] { return state_->managed(); });
    XSelectInput(state_->display, state_->root(), NoEventMask);
}

void XClient::follow(GLFWwindow* window)
{
    state_->window = glfwGetX11Window(window);
    state_->program = glfwGetX11Display();
    XSync(state_->program, False);
    XSelectInput(state_->display, state_->window, StructureNotifyMask | FocusChangeMask);
    state_->await([this] { return state_->attributes().map_state == IsViewable; });
}

int XClient::width() { return state_->attributes().width; }
int XClient::height() { return state_->attributes().height; }

app::Image XClient::picture()
{
    XSync(state_->program, False);
    const XWindowAttributes window = state_->attributes();
    int x = 0, y = 0;
    Window child = 0;
    XTranslateCoordinates(state_->display, state_->window, state_->root(), 0, 0, &x, &y, &child);
    XWindowAttributes root{};
    XGetWindowAttributes(state_->display, state_->root(), &root);
    if (x < 0 || y < 0 || x + window.width > root.width || y + window.height > root.height) return {};
    XImage* image = XGetImage(state_->display, state_->root(), x, y, unsigned(window.width), unsigned(window.height),
                              AllPlanes, ZPixmap);
    if (!image) return {};
    app::Image picture{window.width, window.height, {}};
    for (int row = 0; row < picture.height && image->bits_per_pixel == 32; ++row)
        for (int column = 0; column < picture.width; ++column)
        {
            const char* pixel = image->data + row * image->bytes_per_line + 4 * column;
            for (const int byte : {2, 1, 0})
                picture.rgb.push_back(std::uint8_t(pixel[image->byte_order == LSBFirst ? byte : 3 - byte]));
        }
    XDestroyImage(image);
    return picture;
}

std::string XClient::area(int x, int y, int width, int height)
{
    XImage* image =
        XGetImage(state_->display, state_->window, x, y, unsigned(width), unsigned(height), AllPlanes, ZPixmap);
    if (!image) return {};
    std::string bytes(image->data, std::size_t(image->bytes_per_line) * std::size_t(height));
    XDestroyImage(image);
    return bytes;
}

void XClient::placeAndResize(int x, int y, int width, int height)
{
    XMoveResizeWindow(state_->display, state_->window, x, y, unsigned(width), unsigned(height));
    XSync(state_->display, False);
}

void XClient::toggleMaximised()
{
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = state_->window;
    event.xclient.message_type = state_->atom("_NET_WM_STATE");
    event.xclient.format = 32;
    event.xclient.data.l[0] = 2;  // 2: toggles the state
    event.xclient.data.l[1] = long(state_->atom("_NET_WM_STATE_MAXIMIZED_VERT"));
    event.xclient.data.l[2] = long(state_->atom("_NET_WM_STATE_MAXIMIZED_HORZ"));
    event.xclient.data.l[3] = 2;  // 2: the request comes from a pager
    XSendEvent(state_->display, state_->root(), False, SubstructureRedirectMask | SubstructureNotifyMask, &event);
    XSync(state_->display, False);
}

void XClient::awaitSize(int width, int height)
{
    state_->await([&] { return this->width() == width && this->height() == height; });
}

void XClient::awaitAnotherSize(int width, int height)
{
    state_->await([&] { return this->width() != width || this->height() != height; });
}

void XClient::focus()
{
    XSetInputFocus(state_->display, state_->window, RevertToParent, CurrentTime);
    XSync(state_->display, False);
}

void XClient::move(int x, int y)
{
    int rootX = 0, rootY = 0;
    Window child = 0;
    XTranslateCoordinates(state_->display, state_->window, state_->root(), x, y, &rootX, &rootY, &child);
    XTestFakeMotionEvent(state_->display, -1, rootX, rootY, kApart);
    XSync(state_->display, False);
}

void XClient::button(unsigned number, bool down)
{
    XTestFakeButtonEvent(state_->display, number, down, kApart);
    XSync(state_->display, False);
}

void XClient::key(const char* keysym, bool down)
{
    const KeyCode code = XKeysymToKeycode(state_->display, XStringToKeysym(keysym));
    XTestFakeKeyEvent(state_->display, code, down, kApart);
    XSync(state_->display, False);
}

}  // namespace orogen::test
