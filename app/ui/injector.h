// Simulated mouse and keyboard input for scripts: expands each script action into one device state per frame.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/items.h"

namespace orogen::app {

// Device state in one frame.  Keys are GLFW key codes.
struct InputFrame
{
    std::optional<ImVec2> mouse;  // empty: outside the window
    bool button = false;          // left button
    float wheel = 0;
    std::vector<int> keys;   // held
    unsigned character = 0;  // typed code point; 0: none
};

// Returns whether `name` is a key that scripts and the help can name: F1 .. F12, A .. Z, 0 .. 9, Tab, Home, End,
// Enter, Escape, Space, Backspace, Delete, PageUp, PageDown, Left, Right, Up, Down, Shift, Ctrl, Alt, WheelUp,
// WheelDown.  Modifiers precede a plus: Ctrl+Q.
bool isKeyName(std::string_view name);

// Queues script actions; Ui takes one frame at a time.
class Injector
{
public:
    void click(const std::string& item);
    void drag(const std::string& item, double dx, double dy);  // pixels
    void hover(const std::string& item, int frames);
    void key(std::string_view name);  // precondition: isKeyName(name)

    bool busy() const { return !steps_.empty(); }
    // Returns and clears why the last action failed (its item is not on screen).
    std::optional<std::string> takeFailure() { return std::exchange(failure_, std::nullopt); }

    // Returns the device state for the next frame; empty: the user's input applies.
    std::optional<InputFrame> next(ItemRegistry& items);

private:
    struct Step
    {
        std::string item;  // looked up when the step starts; empty: the step needs no mouse
        bool atHandle = false;
        ImVec2 offset{0, 0};
        InputFrame frame;
    };
    void queueMouse(const std::string& item, bool atHandle, ImVec2 offset, bool button);

    std::deque<Step> steps_;
    std::optional<ImVec2> place_;  // position of the action's item
    std::optional<ImVec2> seen_;   // its position in the frame before, if it was on screen
    int waited_ = 0;               // frames waited for the item to appear
    std::optional<std::string> failure_;
};

}  // namespace orogen::app
