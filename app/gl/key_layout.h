// Maps keys of shortcuts to letters; movement keys keep their position.  GLFW names keys by their place on a US layout.
// That keeps W A S D together on every layout, but would move Ctrl+Z to Ctrl+W on a French and Ctrl+Y on a German
// keyboard.
#pragma once

#include <functional>
#include <map>

#include "app/gl/window_events.h"

namespace orogen::app {

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
