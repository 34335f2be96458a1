#include "app/gl/window_events.h"

#include <string_view>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace orogen::app {
namespace {

// Returns GLFW's code for the typed letter; `key` if it is not a letter.
int letterKey(int key, const char* typed)
{
    const std::string_view text = typed ? typed : "";
    if (text.size() != 1) return key;
    const char letter = text[0];
    if (letter >= 'a' && letter <= 'z') return GLFW_KEY_A + (letter - 'a');
    return letter >= 'A' && letter <= 'Z' ? GLFW_KEY_A + (letter - 'A') : key;
}

}  // namespace

KeyEvent KeyLayout::ofCommand(KeyEvent event, const KeyName& name)
{
    if (event.action == GLFW_PRESS && (event.mods & GLFW_MOD_CONTROL) != 0)
        pressedAs_[event.scancode] = letterKey(event.key, name(event.key, event.scancode));
    const auto held = pressedAs_.find(event.scancode);
    if (held == pressedAs_.end()) return event;
    event.key = held->second;
    if (event.action == GLFW_RELEASE) pressedAs_.erase(held);
    return event;
}

}  // namespace orogen::app
