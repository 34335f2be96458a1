// Undo and redo of changes to the settings.
//
// Undo and redo change only the settings that the step changed.  The camera's position and direction are not part of a
// step: undo and redo leave the camera where it is.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/settings.h"

namespace orogen {

// Returns whether `key` is part of the camera's view (mode, position, yaw, pitch), which is not recorded.
bool placesCamera(std::string_view key);

// Returns `values` with the view of `camera`, except for its field of view.
Settings withCameraOf(Settings values, const Settings& camera);

class SettingsHistory
{
public:
    static constexpr std::size_t kMostSteps = 200;  // older steps are dropped

    // Records a change.  Consecutive changes with the same nonzero `gesture`, as from dragging a slider, form one step.
    // Ignores changes that affect only the camera's view (placesCamera()).
    void changed(const Settings& before, const Settings& after, std::uint64_t gesture = 0);

    // Return `now` without the changes of the last step, or with those of the next; nothing without a step.
    std::optional<Settings> undo(const Settings& now);
    std::optional<Settings> redo(const Settings& now);

    // Changes the settings before and after each step, for values that the program chooses.  Drops steps that then
    // change nothing.
    void amend(const std::function<void(Settings&)>& change);

    // Return the keys that undo() or redo() would change, in the order of the table; empty if there is no step.
    std::vector<std::string> undoes() const;
    std::vector<std::string> redoes() const;
    std::size_t steps() const { return dropped_ + done_; }  // number of steps in effect, including dropped ones

private:
    struct Step
    {
        Settings before, after;
        std::uint64_t gesture = 0;
    };
    static bool empty(const Step& step);  // true: the step changes nothing but the camera

    std::deque<Step> steps_;
    std::size_t done_ = 0;     // number of kept steps in effect; those from steps_[done_] on were undone
    std::size_t dropped_ = 0;  // number of steps in effect that were dropped
};

}  // namespace orogen
