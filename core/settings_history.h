// Undo and redo over settings: steps back through what a person changed, and forward again.
//
// Where the camera stands is no step of it: moving about is not editing.  A step therefore changes the settings that
// it changed and leaves the camera where it is meanwhile.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/settings.h"

namespace orogen {

// Whether `key` says where the camera is and which way it looks (mode, position, yaw, pitch), which no history holds.
bool placesCamera(std::string_view key);

// `values` with the camera of `camera`.
Settings withCameraOf(Settings values, const Settings& camera);

class SettingsHistory
{
public:
    static constexpr std::size_t kMostSteps = 200;  // older ones are forgotten

    // What is now `after` was `before`.  Changes with the same `gesture` other than 0, one after another, are one step:
    // a slider that is dragged changes many times.  What changes the camera alone, or nothing, is no step.
    void changed(const Settings& before, const Settings& after, std::uint64_t gesture = 0);

    // The settings a step back or forward from `now`; empty where there is none.
    std::optional<Settings> undo(const Settings& now);
    std::optional<Settings> redo(const Settings& now);

    // The keys that the next of them would change, in the order of the table; empty where there is none.
    std::vector<std::string> undoes() const;
    std::vector<std::string> redoes() const;

private:
    struct Step
    {
        Settings before, after;
        std::uint64_t gesture = 0;
    };
    std::deque<Step> steps_;
    std::size_t done_ = 0;  // steps_[done_ ...] were taken back
};

}  // namespace orogen
