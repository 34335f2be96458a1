// Presets: settings files NAME.json that contain only the keys they change.  Shipped presets lie in assets/presets/,
// the user's in presets/ of the XDG configuration folder, beside the stored settings.  A user's file with a shipped
// name is ignored.
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

// Returns all presets, shipped ones first, each group sorted by name.  `dataRoot` comes from dataDirectory().  Reads
// two folders; an unreadable one counts as empty.
std::vector<Preset> listPresets(const std::filesystem::path& dataRoot);

// Error kUsage, with the available names.
Result<Preset> findPreset(const std::filesystem::path& dataRoot, std::string_view name);

// Applies a preset to the settings.  On error nothing changes: kInput (unreadable, or not a JSON object), kUsage
// (unknown key, or value out of range), naming the file.
Status applyPreset(const Preset& preset, Settings& settings, std::vector<std::string>* notices = nullptr);

// Returns the file for a user's preset; its folder may not exist yet.  Empty without a configuration folder, and for a
// name that is shipped, is empty, begins with '.', or contains '/' or a control character.
std::optional<std::filesystem::path> userPresetFile(const std::filesystem::path& dataRoot, std::string_view name);

}  // namespace orogen::app
