// The settings as a whole, as the Terrain panel shows them and what it asks of them: steps back and forward, presets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orogen::app {

struct PresetChoice
{
    std::string name;
    bool own = false;  // saved here; else it comes with the program
};

struct SettingsState
{
    std::vector<std::string> undoes{}, redoes{};  // keys that a step would change; empty: there is no step
    std::vector<PresetChoice> presets{};          // to choose from
    std::vector<std::string> kept{};  // keys that came back from the last session, for as long as it is said
};

struct SettingsActions
{
    bool undo = false, redo = false;
    bool resetKept = false;                   // SettingsState::kept, back to what a first start has
    std::optional<std::string> loadPreset{};  // a name from the list
    std::optional<std::string> savePreset{};  // the settings as they are, under this name
    std::optional<std::string> deletePreset{};
    // The press of a mouse button during which settings were edited; 0: they were edited without.  What is edited
    // during one press is one step.
    std::uint64_t gesture = 0;

    bool asksForAny() const { return undo || redo || resetKept || loadPreset || savePreset || deletePreset; }
};

// What the section has in its fields.
struct SettingsDraft
{
    std::string presetName{};
    std::string confirmed{};    // "save NAME" or "delete NAME", pressed once: pressed again, it is done
    bool changedShown = false;  // the list of what differs from the defaults
};

}  // namespace orogen::app
