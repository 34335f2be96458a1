// Mouse and keyboard by script: what a step wants, turned into one state of the devices a frame.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/ui/items.h"

namespace orogen::app {

// The devices in one frame.  Keys are GLFW's key codes.
struct InputFrame
{
    std::optional<ImVec2> mouse;  // none: away from the window
    bool button = false;          // the left one
    float wheel = 0;
    std::vector<int> keys;   // held
    unsigned character = 0;  // typed; 0: none
};

// A key's name in scripts and in the help: F1 .. F12, A .. Z, 0 .. 9, Tab, Home, End, Enter, Escape, Space, Backspace,
// Delete, PageUp, PageDown, Left, Right, Up, Down, Shift, Ctrl, Alt; and WheelUp, WheelDown.  Modifiers before a plus:
// Ctrl+Q.
bool isKeyName(std::string_view name);

// Queues what scripts do; Ui takes a frame of it at a time.
class Injector
{
public:
    void click(const std::string& item);
    void drag(const std::string& item, double dx, double dy);  // pixels
    void hover(const std::string& item, int frames);
    void key(std::string_view name);  // isKeyName(name)

    bool busy() const { return !steps_.empty(); }
    // Why the last action could not be done (an item that is not on screen); taken by asking.
    std::optional<std::string> takeFailure() { return std::exchange(failure_, std::nullopt); }

    // The devices in the next frame; none: the user's own.
    std::optional<InputFrame> next(ItemRegistry& items);

private:
    struct Step
    {
        std::string item;  // found when its turn comes; empty: no mouse needed
        bool atHandle = false;
        ImVec2 offset{0, 0};
        InputFrame frame;
    };
    void queueMouse(const std::string& item, bool atHandle, ImVec2 offset, bool button);

    std::deque<Step> steps_;
    std::optional<ImVec2> place_;  // of the action's item
    std::optional<ImVec2> seen_;   // where it was in the frame before, if it was on screen
    int waited_ = 0;               // frames for the item to appear
    std::optional<std::string> failure_;
};

}  // namespace orogen::app
