// Commands are letters, movement is places on the keyboard: GLFW names a key by its place on a US layout, so that W A S
// D lie together everywhere, but Ctrl+Z would be Ctrl+W on a French keyboard and Ctrl+Y on a German one.
#pragma once

#include <functional>
#include <map>

#include "app/gl/window_events.h"

namespace orogen::app {

class KeyLayout
{
public:
    // What a key types without modifiers on the layout that is in use, UTF-8; null: nothing.  glfwGetKeyName is one.
    using KeyName = std::function<const char*(int key, int scancode)>;

    // The event with the key that a command goes by: while Ctrl is held, the key whose US letter this one types; where
    // that is no letter of A to Z (a Greek layout), and without Ctrl, the key itself.  A key is let go of as it was
    // pressed, though Ctrl may have been let go of before.
    KeyEvent ofCommand(KeyEvent event, const KeyName& name);

private:
    std::map<int, int> pressedAs_;  // by scancode: keys that are held and count as another
};

}  // namespace orogen::app
