// Requested settings of a session.  Later sources override earlier ones: defaults, values stored by an earlier session
// with a window, scene, --preset, --settings, --set, panels and scripts.  Values that the renderer cannot apply are
// reverted.
//
// Each source is one group (see setSettings): within --set the order does not matter, and lod.split_pixels moves
// lod.merge_pixels unless the group gives both.  A script's `set` and a panel's control are groups of one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/messages.h"
#include "app/session/session_options.h"
#include "core/config_file.h"
#include "core/settings.h"
#include "core/settings_history.h"

namespace orogen::app {

// ---- presets ----
//
// Presets are settings files NAME.json that contain only the keys they change.  Shipped presets lie in assets/presets/,
// the user's presets in presets/ of the XDG configuration folder, beside the stored settings.  A user's file with the
// name of a shipped preset is ignored.

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

// Finds a preset by its name.  Error kUsage; its message has the available names.
Result<Preset> findPreset(const std::filesystem::path& dataRoot, std::string_view name);

// Applies a preset to the settings.  Errors, whose messages name the file: kInput (unreadable, or not a JSON object),
// kUsage (unknown key, or value out of range).  On an error nothing changes.  `notices`: receives remarks about
// adjusted values.
Status applyPreset(const Preset& preset, Settings& settings, std::vector<std::string>* notices = nullptr);

// Returns the file for a user's preset; its folder may not exist yet.  Empty without a configuration folder, and for a
// name that is shipped, is empty, begins with '.', or contains '/' or a control character.
std::optional<std::filesystem::path> userPresetFile(const std::filesystem::path& dataRoot, std::string_view name);

// ---- settings ----

class Renderer;

class SessionSettings
{
public:
    // Reads all sources.  `keeps`: starts with stored values, and stores changes made in panels.  `dataRoot` contains
    // the shipped presets.  Errors: kUsage, kInput; the message names file or assignment, found and expected values.
    Status read(const SessionOptions& options, bool keeps, const std::filesystem::path& dataRoot, Messages& messages);

    // Chooses defaults for the device; call after read(), before anything else.  Without stored settings, a session
    // that keeps settings starts with the level of detail and the budget that suit the device.  Unless a preset or a
    // scene is requested, it also applies a preset that suits the device.  A message reports both.  On a software
    // rasteriser, shipped presets use one sample per pixel.  Only the first call has an effect.  Errors as for read().
    Status choosePresetForDevice(bool software, Messages& messages);

    const Settings& wanted() const { return wanted_; }
    // Returns the settings without the budget that a first start suggests for the device, so that captures, sweeps and
    // films that a panel starts are repeatable.
    Settings measurable(Settings settings) const;
    void want(const Settings& settings) { wanted_ = settings; }
    Settings::View& view() { return wanted_.view; }
    // Returns whether a scene, --settings or --set gives the value `key` of the camera: view.position, view.yaw or
    // view.pitch.  A given position counts as all three.  The first terrain keeps given values, and takes the others
    // from its home view.
    bool viewGiven(const std::string& key) const
    {
        return viewGiven_.contains("view.position") || viewGiven_.contains(key);
    }

    // Applies a panel's edit at the session time `seconds`; the edit is stored and can be undone.  `gesture`: see
    // SettingsHistory.
    void edit(const Settings& settings, double seconds, std::uint64_t gesture = 0);
    // As edit(), but without a step of undo: for a value that the program changes back by itself.
    void correct(const Settings& settings, double seconds) { take(settings, seconds); }
    // Switches model.play off, also in the settings that undo() and redo() restore.
    void holdModel();
    // Undoes the last edit or script assignment.  Returns false if there is none.
    bool undo(double seconds);
    bool redo(double seconds);  // as undo(), for the last step that was undone
    const SettingsHistory& history() const { return history_; }

    // Returns the keys whose values were restored from the last session and differ both from the default and from a
    // first start on this device.  Empty after an edit of settings other than the view, or after kKeptSeconds.
    const std::vector<std::string>& kept() const { return kept_; }
    static constexpr double kKeptSeconds = 60;  // session time (seconds) after which kept() is cleared
    // Returns the settings of a first start on this device in this world, apart from the view.  For a session that
    // keeps no settings, returns the defaults.
    const Settings& firstStart() const { return first_; }
    void resetKept(double seconds);  // resets kept() keys to first-start values; can be undone

    // Sets a value as a script's `set` does; on an error nothing changes.  The change is not stored.
    Status set(const std::string& key, const std::string& value, Messages& messages);

    // Switches the world (see takenTo()) and clears the undo history, which belongs to the previous world.
    void enter(World world);
    // Sets the default of cbt.depth to the depth that the samples need, also in the settings that undo() and redo()
    // restore; a depth chosen by the user stays.  A panel or an undo that sets the default chooses none, because it
    // resets the depth.
    void fitDepth(int samplesDepth);

    // Resets restored depths, capacity, patch level, MSAA samples and tile budgets to the defaults, for a driver that
    // cannot hold them.  Limits from other sources stay.  Returns whether a requested setting changed.
    bool putKeptLimitsBack();

    // Applies the requested settings to the renderer, before a frame.  Reports and reverts limits too large for the
    // driver or its memory, and a colour ramp that cannot be read.
    void apply(Renderer& renderer, Messages& messages);

    void update(double seconds, Messages& messages);  // writes changes from time to time; call once a frame
    void flush();                                     // writes changes at the end of a session

private:
    Status layer();
    void take(const Settings& settings, double seconds);
    Status readFile(const std::string& file);
    void noteView(const std::string& json);
    Status assign(const std::vector<std::string>& assignments);
    Status usePreset(Settings& settings);
    Status findKept();
    void reportNotices(Messages& messages);

    Settings wanted_;
    Settings base_;  // lowest layer: stored values, or defaults (at a first start suited to the device)
    std::filesystem::path dataRoot_;
    std::optional<Preset> preset_;
    std::string sceneFile_, sceneSettings_;
    std::string settingsFile_;
    std::vector<std::string> assignments_;
    bool choosesPreset_ = false;    // keeps settings, found none stored, and no preset or scene is requested
    std::optional<bool> software_;  // OpenGL runs on the CPU; empty: unknown yet
    SettingsHistory history_;
    std::optional<SettingsKeeper> keeper_;
    std::vector<std::string> notices_, reported_;  // notices about adjusted values: to be reported, and reported ones
    bool depthGiven_ = false;                      // a scene or cbt.depth was given, not by a panel, and not reset
    std::set<std::string> viewGiven_;              // see viewGiven()
    bool readStored_ = false;                      // base_ was read from a file
    Settings first_;                               // see firstStart()
    std::vector<std::string> kept_;                // see kept()
};

}  // namespace orogen::app
