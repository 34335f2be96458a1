// Settings as JSON, and the user's settings between runs: $XDG_CONFIG_HOME/orogen/settings.json, or
// ~/.config/orogen/settings.json.  Only sessions in a window read and write that file; --set, scripts, headless runs
// and captures do neither.
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

// ---- settings as JSON ----

// Convert to and from one flat JSON object {"cbt.depth": 24, ...}. Reading changes only the keys in the text: all of
// them, or on an error none, as setSettings() does.  Errors name `file`: kInput for text that is not such an object,
// kUsage for an unknown key or a bad value.
std::string settingsToJson(const Settings& settings);
// `notices`: receives those of setSettings(), each with the name `file`.
Status settingsFromJson(Settings& settings, std::string_view json, const std::string& file,
                        std::vector<std::string>* notices = nullptr);

// Reads the settings of an older or newer version: applies every usable key and returns an error for each other one.
[[nodiscard]] std::vector<Error> settingsFromJsonLeniently(Settings& settings, std::string_view json,
                                                           const std::string& file);

// ---- the file ----

// Returns the path of the file; nothing if neither XDG_CONFIG_HOME nor HOME is an absolute path.
std::optional<std::filesystem::path> settingsPath();

// Returns the folder `name` ("presets", "paths") beside the settings file, for other user data.  The folder may not
// exist yet.  Returns nothing if settingsPath() does.
std::optional<std::filesystem::path> ownFolder(std::string_view name);

// Reads a settings file of at most 1 MiB.  Errors: as readTextFile.
Result<std::string> readSettingsFile(const std::string& file, const StopReading& stop = {});

struct StoredSettings
{
    Settings settings;                 // defaults where the file has no usable value
    std::vector<std::string> notices;  // one line each: an unusable entry and its place, or an unusable file
};

// Reads the settings and falls back to defaults; never fails.  A missing file adds no notice.
StoredSettings readStoredSettings(const std::filesystem::path& file);

// Writes atomically and creates the folder if needed.  Omits lod.frozen, model.play and the camera's place and
// direction, which belong to one terrain, and cbt.depth where it is the depth that the samples need.  Error: kOutput.
Status storeSettings(const std::filesystem::path& file, const Settings& settings);

// Stores changes made in the window.  Waits a moment after the last change, so that dragging a slider writes once.
class SettingsKeeper
{
public:
    static constexpr double kDelay = 0.5;  // seconds

    // `stored`: the file's present content.  Without a path nothing is stored, and update() returns a notice after the
    // first change.
    SettingsKeeper(std::optional<std::filesystem::path> file, const Settings& stored);

    // Records a change made at `now` (seconds).  Takes over keys that differ, and both LOD thresholds if one does, so
    // that other values given by --set are not stored.
    void changed(const Settings& before, const Settings& after, double now);

    // Called once a frame: writes after the delay.  Returns a notice the first time that writing fails.
    std::optional<std::string> update(double now);
    std::optional<std::string> flush();  // writes pending changes at the end of a session

private:
    std::optional<std::filesystem::path> file_;
    Settings kept_;
    std::optional<double> changedAt_;
    bool noticed_ = false;
};

}  // namespace orogen
