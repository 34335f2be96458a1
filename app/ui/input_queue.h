// What the user does, in order, and how much of it one pass of the panels sees.
//
// Dear ImGui (1.86) looks at the state of the devices once a pass: of a press and its release that came between two
// looks it sees nothing, and a press followed by a move it sees at the wrong place.  The queue gives out the events in
// batches of which each leads to a state that stands for all of it; a pass for each, and nothing is lost however slow
// the frames are.
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

// The devices in one pass.
struct Devices
{
    static constexpr std::size_t kKeys = 512;  // as many as ImGuiIO::KeysDown; GLFW's codes

    std::optional<ImVec2> mouse;  // none: away from the window
    std::array<bool, ImGuiMouseButton_COUNT> buttons{};
    std::bitset<kKeys> keys;           // held
    ImVec2 wheel{0, 0};                // turned in this pass
    std::vector<unsigned> characters;  // typed in this pass

    bool dragging() const;  // a button is held
};

class InputQueue
{
public:
    // Takes an event of the window; one that changes nothing that panels see is left out.
    void push(const WindowEvent& event);

    // What leads from where the queue ends to this state of the devices.
    void push(const InputFrame& frame);

    bool waiting() const { return !events_.empty(); }
    const Devices& devices() const { return devices_; }  // of the batch taken last

    // Takes the next batch, as long as it gets:  moves, of which the last one counts;  then either one edge of a button
    // or a key, with the characters that it types, or turns of the wheel.  What was moved with a button held is seen
    // before the button is let go.  An empty queue leaves the devices as they are.
    const Devices& next();

    bool tookEdge() const { return took_.edge; }  // whether the batch taken last pressed or let go of something

private:
    struct Batch
    {
        bool moved = false, edge = false, key = false, wheeled = false, typed = false, away = false;
    };
    bool fits(const WindowEvent& event) const;
    void take(const WindowEvent& event);

    std::deque<WindowEvent> events_;
    Devices end_;      // after all events
    Devices devices_;  // after those taken
    Batch took_;
};

}  // namespace orogen::app
