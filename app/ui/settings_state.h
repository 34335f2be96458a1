// State of the settings as a whole as the Terrain panel shows it (undo, redo, presets), and the actions it requests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace orogen::app {

struct PresetChoice
{
    std::string name;
    bool own = false;  // saved by the user; else shipped
};

struct SettingsState
{
    std::vector<std::string> undoes{}, redoes{};  // keys that a step would change; empty: no step
    std::vector<PresetChoice> presets{};
    std::vector<std::string> kept{};  // keys restored from the last session, while the notice is shown
};

struct SettingsActions
{
    bool undo = false, redo = false;
    bool resetKept = false;                   // resets SettingsState::kept to first-start values
    std::optional<std::string> loadPreset{};  // a name from the list
    std::optional<std::string> savePreset{};  // name under which to save the current settings
    std::optional<std::string> deletePreset{};
    // Mouse press during which settings were edited; 0: none.  All edits of one press form one undo step.
    std::uint64_t gesture = 0;

    bool asksForAny() const { return undo || redo || resetKept || loadPreset || savePreset || deletePreset; }
};

// Contents of the section's fields.
struct SettingsDraft
{
    std::string presetName{};
    std::string confirmed{};    // "save NAME" or "delete NAME", pressed once; a second press does it
    bool changedShown = false;  // whether the list of changed settings is shown
};

}  // namespace orogen::app
