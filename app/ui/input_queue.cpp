#include "app/ui/input_queue.h"

#include <algorithm>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace orogen::app {
namespace {

ImVec2 place(double x, double y) { return {float(x), float(y)}; }

bool known(const KeyEvent& event) { return event.key >= 0 && event.key < int(Devices::kKeys); }
bool known(const MouseButtonEvent& event) { return event.button >= 0 && event.button < ImGuiMouseButton_COUNT; }

// Applies one event to the device state.
struct Apply
{
    Devices& to;

    void operator()(const KeyEvent& event) const { to.keys[std::size_t(event.key)] = event.action == GLFW_PRESS; }
    void operator()(const CharacterEvent& event) const { to.characters.push_back(event.codepoint); }
    void operator()(const MouseButtonEvent& event) const
    {
        if (!to.mouse) to.mouse = place(event.x, event.y);
        to.buttons[std::size_t(event.button)] = event.action == GLFW_PRESS;
    }
    void operator()(const CursorEvent& event) const { to.mouse = place(event.x, event.y); }
    void operator()(const CursorLeftEvent&) const { to.mouse.reset(); }
    void operator()(const ScrollEvent& event) const
    {
        to.wheel.x += float(event.dx);
        to.wheel.y += float(event.dy);
    }
    void operator()(const DropEvent&) const {}
    void operator()(const RefreshEvent&) const {}
    // Releases everything on lost focus.  The mouse counts as outside, so that the release clicks nothing.
    void operator()(const FocusEvent&) const
    {
        to.mouse.reset();
        to.buttons.fill(false);
        to.keys.reset();
    }
};

// Returns whether an event changes what panels see, given the device state before it.
struct Matters
{
    const Devices& after;

    bool operator()(const KeyEvent& event) const
    {
        if (event.action == GLFW_REPEAT || !known(event)) return false;  // ImGui generates its own key repeats
        return after.keys[std::size_t(event.key)] != (event.action == GLFW_PRESS);
    }
    bool operator()(const MouseButtonEvent& event) const
    {
        return known(event) && after.buttons[std::size_t(event.button)] != (event.action == GLFW_PRESS);
    }
    // A drag continues outside the window.
    bool operator()(const CursorLeftEvent&) const { return after.mouse && !after.dragging(); }
    bool operator()(const FocusEvent& event) const { return !event.focused; }
    bool operator()(const DropEvent&) const { return false; }
    bool operator()(const RefreshEvent&) const { return false; }
    bool operator()(const CharacterEvent&) const { return true; }
    bool operator()(const CursorEvent&) const { return true; }
    bool operator()(const ScrollEvent&) const { return true; }
};

}  // namespace

bool Devices::dragging() const { return std::ranges::find(buttons, true) != buttons.end(); }

void InputQueue::push(const WindowEvent& event)
{
    if (!std::visit(Matters{end_}, event)) return;
    std::visit(Apply{end_}, event);
    end_.wheel = {0, 0};
    end_.characters.clear();
    const bool moves = std::holds_alternative<CursorEvent>(event);
    if (moves && !events_.empty() && std::holds_alternative<CursorEvent>(events_.back()))
        events_.back() = event;
    else
        events_.push_back(event);
}

void InputQueue::push(const InputFrame& frame)
{
    if (frame.mouse) push(WindowEvent(CursorEvent{frame.mouse->x, frame.mouse->y}));
    const ImVec2 at = end_.mouse.value_or(ImVec2(0, 0));
    for (int button = 0; button < ImGuiMouseButton_COUNT; ++button)
    {
        const bool down = button == ImGuiMouseButton_Left && frame.button;
        push(WindowEvent(MouseButtonEvent{button, down ? GLFW_PRESS : GLFW_RELEASE, 0, at.x, at.y}));
    }
    for (int key = 0; key < int(Devices::kKeys); ++key)  // modifiers have the highest codes, so they are released last
        if (std::ranges::find(frame.keys, key) == frame.keys.end())
            push(WindowEvent(KeyEvent{key, 0, GLFW_RELEASE, 0}));
    for (const int key : frame.keys)
        push(WindowEvent(KeyEvent{key, 0, GLFW_PRESS, 0}));
    if (frame.character != 0) push(WindowEvent(CharacterEvent{frame.character}));
    if (frame.wheel != 0) push(WindowEvent(ScrollEvent{0, frame.wheel}));
    if (!frame.mouse) push(WindowEvent(CursorLeftEvent{}));
}

bool InputQueue::fits(const WindowEvent& event) const
{
    const bool acted = took_.edge || took_.wheeled || took_.typed;
    if (took_.away) return false;
    if (std::holds_alternative<CursorEvent>(event)) return !acted;
    if (std::holds_alternative<CharacterEvent>(event)) return !took_.wheeled && (!took_.edge || took_.key);
    if (std::holds_alternative<ScrollEvent>(event)) return !took_.edge && !took_.typed;
    if (std::holds_alternative<KeyEvent>(event)) return !acted;
    if (std::holds_alternative<MouseButtonEvent>(event)) return !acted && !(took_.moved && devices_.dragging());
    return !acted && !took_.moved;  // leaving the window or losing focus
}

void InputQueue::take(const WindowEvent& event)
{
    const bool key = std::holds_alternative<KeyEvent>(event);
    took_.moved |= std::holds_alternative<CursorEvent>(event);
    took_.key |= key;
    took_.edge |= key || std::holds_alternative<MouseButtonEvent>(event) || std::holds_alternative<FocusEvent>(event);
    took_.wheeled |= std::holds_alternative<ScrollEvent>(event);
    took_.typed |= std::holds_alternative<CharacterEvent>(event);
    took_.away |= std::holds_alternative<FocusEvent>(event) || std::holds_alternative<CursorLeftEvent>(event);
    std::visit(Apply{devices_}, event);
}

const Devices& InputQueue::next()
{
    took_ = {};
    devices_.wheel = {0, 0};
    devices_.characters.clear();
    while (!events_.empty() && fits(events_.front()))
    {
        take(events_.front());
        events_.pop_front();
    }
    return devices_;
}

}  // namespace orogen::app
