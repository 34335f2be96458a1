// Queue of window events, handed out in batches, one for each pass of the panels.
//
// Dear ImGui 1.86 samples the device state once a pass: it misses a press and release between two samples, and places a
// press at the position of a later move.  Each batch ends in a state that ImGui interprets correctly, so no event is
// lost at low frame rates.
#pragma once

#include <array>
#include <bitset>
#include <deque>
#include <optional>
#include <vector>

#include <imgui.h>

#include "app/gl/window_events.h"
#include "app/ui/injector.h"

namespace orogen::app {

// Device state in one pass.
struct Devices
{
    static constexpr std::size_t kKeys = 512;  // size of ImGuiIO::KeysDown; indexed by GLFW key code

    std::optional<ImVec2> mouse;  // empty: outside the window
    std::array<bool, ImGuiMouseButton_COUNT> buttons{};
    std::bitset<kKeys> keys;           // held
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

    // Takes the longest possible batch: first moves, then either one button or key edge with the characters it types,
    // or wheel turns.  A move with a button held gets its own batch before the release.  An empty queue leaves the
    // devices as they are.
    const Devices& next();

    bool tookEdge() const { return took_.edge; }  // whether the last batch pressed or released anything

private:
    struct Batch
    {
        bool moved = false, edge = false, key = false, wheeled = false, typed = false, away = false;
    };
    bool fits(const WindowEvent& event) const;
    void take(const WindowEvent& event);

    std::deque<WindowEvent> events_;
    Devices end_;      // after all events
    Devices devices_;  // after the batches taken
    Batch took_;
};

}  // namespace orogen::app
