// Input events of a window.  Keys, buttons, actions and modifiers are GLFW's constants.  Positions are in screen units
// from the top left corner.
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
    double x = 0, y = 0;  // cursor at the time of the event
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

}  // namespace orogen::app
