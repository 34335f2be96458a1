// The user's settings between runs: $XDG_CONFIG_HOME/orogen/settings.json, or ~/.config/orogen/settings.json.
// Only sessions in a window read and write it; --set, scripts, headless runs and captures do neither.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/base/text_file.h"
#include "core/settings.h"

namespace orogen {

// None if neither XDG_CONFIG_HOME nor HOME is an absolute path.
std::optional<std::filesystem::path> settingsPath();

// A folder beside that file, for what else a user keeps: "presets", "paths".  It may not be there yet.
std::optional<std::filesystem::path> ownFolder(std::string_view name);

// The text of a file of settings, of a MiB at most.  Errors: as readTextFile.
Result<std::string> readSettingsFile(const std::string& file, const StopReading& stop = {});

struct StoredSettings
{
    Settings settings;                 // defaults where the file says nothing that can be used
    std::vector<std::string> notices;  // one line each: what could not be used, and where
};

// A missing file is no notice.  Never fails: a session starts with what there is.
StoredSettings readStoredSettings(const std::filesystem::path& file);

// Atomically; makes the folder if need be.  Where the camera stands is not stored, since it belongs to one terrain, nor
// is lod.frozen. Error: kOutput.
Status storeSettings(const std::filesystem::path& file, const Settings& settings);

// Stores what was changed in the window a moment after the last change, so that dragging a slider writes once.
class SettingsKeeper
{
public:
    static constexpr double kDelay = 0.5;  // seconds

    // `stored`: what the file holds.  Without a path nothing is kept, and the first change says so.
    SettingsKeeper(std::optional<std::filesystem::path> file, const Settings& stored);

    // A change made in the window at `now` seconds.  Only the keys that differ are kept: what --set gave is not.
    void changed(const Settings& before, const Settings& after, double now);

    // Once a frame: writes if the time has come.  Returns a notice to show if settings cannot be kept, once.
    std::optional<std::string> update(double now);
    std::optional<std::string> flush();  // at the end of a session: writes now what is due

private:
    std::optional<std::filesystem::path> file_;
    Settings kept_;
    std::optional<double> changedAt_;
    bool noticed_ = false;
};

}  // namespace orogen
