// Input events of a window, and the mapping of their keys to letters.  Keys, buttons, actions and modifiers are GLFW's
// constants.  Positions are in screen units from the top left corner.
#pragma once

#include <functional>
#include <map>
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

    // Returns the event with its key replaced for shortcuts.  With Ctrl held, the key becomes the one whose US letter
    // it types.  It stays unchanged without Ctrl, and if it types no letter A to Z (Greek layout).  A release uses the
    // same key as its press, even if Ctrl was released first.
    KeyEvent ofCommand(KeyEvent event, const KeyName& name);

private:
    std::map<int, int> pressedAs_;  // by scancode: held keys and their replacement
};

}  // namespace orogen::app
