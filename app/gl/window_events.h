// What the user of a window does, as it is collected.  Keys, buttons, actions and modifiers are GLFW's constants.
// Positions in screen units from the top left corner.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace orogen::app {

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
    double x = 0, y = 0;  // where the cursor was then, not where it is now
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
struct RefreshEvent  // what the window showed is lost, or its size is another one
{
};
using WindowEvent = std::variant<KeyEvent, CharacterEvent, MouseButtonEvent, CursorEvent, CursorLeftEvent, ScrollEvent,
                                 DropEvent, FocusEvent, RefreshEvent>;

}  // namespace orogen::app
