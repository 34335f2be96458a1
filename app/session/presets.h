// Looks that go by a name: files of settings, NAME.json, which name only the keys that belong to the look.  The shipped
// ones lie in assets/presets/, a user's own beside the kept settings, in presets/ of the XDG configuration folder.  A
// shipped name is taken: a user's file of that name is not looked at.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/settings.h"

namespace orogen::app {

struct Preset
{
    std::string name;
    std::filesystem::path file;
    bool shipped = false;

    bool operator==(const Preset&) const = default;
};

// All there are, the shipped ones first, each group by name.  `dataRoot`: what dataDirectory() gave.  Reads two
// folders; one that cannot be read has none.
std::vector<Preset> listPresets(const std::filesystem::path& dataRoot);

// Error kUsage, with the names that there are.
Result<Preset> findPreset(const std::filesystem::path& dataRoot, std::string_view name);

// The settings as they were, with what the preset says.  Errors, and then nothing is changed: kInput (unreadable, or no
// JSON object), kUsage (an unknown key, a value out of range), naming the file.
Status applyPreset(const Preset& preset, Settings& settings, std::vector<std::string>* notices = nullptr);

// Where a user's preset of that name belongs; the folder may not be there yet.  None where the user has no
// configuration folder, and for a name that is shipped, is empty, begins with '.', or holds '/' or a control character.
std::optional<std::filesystem::path> userPresetFile(const std::filesystem::path& dataRoot, std::string_view name);

}  // namespace orogen::app
