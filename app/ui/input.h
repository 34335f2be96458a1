// Input of the panels: simulated mouse and keyboard input for scripts, and the queue of window events.
#pragma once

#include <array>
#include <bitset>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <imgui.h>

#include "app/gl/window.h"
#include "app/ui/items.h"

namespace orogen::app {

// ---- simulated input: each script action becomes one device state per frame ----

// Device state in one frame.  Keys are GLFW key codes.
struct InputFrame
{
    std::optional<ImVec2> mouse;  // empty: outside the window
    bool button = false;          // left button
    float wheel = 0;              // notches; positive: up
    std::vector<int> keys;        // keys that are held
    unsigned character = 0;       // typed code point; 0: none
};

// Returns whether `name` is a key that scripts can name: F1 .. F12, A .. Z (or a .. z), 0 .. 9, Tab, Home, End,
// Enter, Escape, Space, Backspace, Delete, PageUp, PageDown, Left, Right, Up, Down, Shift, Ctrl, Alt, WheelUp,
// WheelDown.  Modifiers precede a plus: Ctrl+Q.
bool isKeyName(std::string_view name);

// Queues script actions; Ui takes one frame at a time.
class Injector
{
public:
    void click(const std::string& item);
    void drag(const std::string& item, double dx, double dy);  // pixels
    void hover(const std::string& item, int frames);           // keeps the mouse over the item
    void key(std::string_view name);                           // precondition: isKeyName(name)

    bool busy() const { return !steps_.empty(); }
    // Returns why the last action failed (its item is not on screen), and clears the failure.
    std::optional<std::string> takeFailure() { return std::exchange(failure_, std::nullopt); }

    // Returns the device state for the next frame; empty: the user's input applies.
    std::optional<InputFrame> next(ItemRegistry& items);

private:
    struct Step
    {
        std::string item;       // item under the mouse, located once per action; empty: no mouse
        bool atHandle = false;  // at ItemRect::handle, where drags start; else at the centre
        ImVec2 offset{0, 0};    // from the handle or the centre (pixels)
        InputFrame frame;
    };
    void queueMouse(const std::string& item, bool atHandle, ImVec2 offset, bool button);

    std::deque<Step> steps_;
    std::optional<ImVec2> place_;  // where the action starts, once its item has stopped moving
    std::optional<ImVec2> seen_;   // the item's position in the previous frame; empty: not on screen
    int waited_ = 0;               // frames waited for the item to appear
    std::optional<std::string> failure_;
};

// ---- queue of window events, handed out in batches, one for each pass of the panels ----
//
// Dear ImGui 1.86 samples the device state once per pass.  It would miss a press that is released before the next
// sample, and would put a press at the mouse's later position.  Each batch has at most one press or release, after all
// moves, so no press is lost at low frame rates.

// Device state in one pass.
struct Devices
{
    static constexpr std::size_t kKeys = 512;  // size of ImGuiIO::KeysDown; indexed by GLFW key code

    std::optional<ImVec2> mouse;  // empty: outside the window
    std::array<bool, ImGuiMouseButton_COUNT> buttons{};
    std::bitset<kKeys> keys;           // keys that are held
    ImVec2 wheel{0, 0};                // turned during this pass
    std::vector<unsigned> characters;  // typed during this pass

    bool dragging() const;  // whether any button is held
};

class InputQueue
{
public:
    // Appends a window event; ignores events that do not change what panels see.
    void push(const WindowEvent& event);

    // Appends the events that lead from the queue's final state to `frame`.
    void push(const InputFrame& frame);

    bool waiting() const { return !events_.empty(); }
    const Devices& devices() const { return devices_; }  // after the last batch taken

    // Takes the longest possible batch.  A batch begins with moves of the mouse.  Either turns of the wheel follow, or
    // one press or release of a button or key, with the characters that the key types.  Moves with a button held get
    // their own batch before the next press or release of a button.  Leaving the window, or losing the focus, is a
    // batch of its own.  Without events, only the wheel and the characters change: they become empty.
    const Devices& next();

    bool tookEdge() const { return took_.edge; }  // whether the last batch has a press, release or loss of focus

private:
    // Kinds of events in a batch.  edge: see tookEdge(); away: the mouse left the window, or the window lost focus.
    struct Batch
    {
        bool moved = false, edge = false, key = false, wheeled = false, typed = false, away = false;
    };
    bool fits(const WindowEvent& event) const;  // whether the event may join the current batch
    void take(const WindowEvent& event);

    std::deque<WindowEvent> events_;
    Devices end_;      // device state after all queued events
    Devices devices_;  // device state after the batches taken
    Batch took_;
};

}  // namespace orogen::app
