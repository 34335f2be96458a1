// The settings that a session asks for.  They come, in this order, from the defaults, from what an earlier session in a
// window kept, from --preset, from --settings, from --set, and then from panels and scripts.  What holds is the
// renderer's matter: what it cannot hold is put back.
//
// Each of these is a group of its own (see setSettings): within --set the order does not matter, and a lod.split_pixels
// moves lod.merge_pixels along unless the same group gives both.  A `set` of a script is a group of one, as a control
// of a panel is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/session/messages.h"
#include "app/session/presets.h"
#include "app/session/session_options.h"
#include "core/config_file.h"
#include "core/settings.h"
#include "core/settings_history.h"

namespace orogen::app {

class Renderer;

class SessionSettings
{
public:
    // `keeps`: begins with what was kept, and keeps what panels change.  `dataRoot` has the shipped presets.  Errors:
    // kUsage, kInput, naming the file, the assignment, what was found and what was expected.
    Status read(const SessionOptions& options, bool keeps, const std::filesystem::path& dataRoot, Messages& messages);

    // Once the device is known, and before anything but read(): where nothing was kept and no preset is asked for, a
    // session that keeps begins with the preset that suits the device, and says so; and a software rasteriser, which
    // pays for every sample, takes one sample from a shipped preset.  Only the first call counts.  Errors as of read().
    Status meetDevice(bool software, Messages& messages);

    const Settings& wanted() const { return wanted_; }
    void want(const Settings& settings) { wanted_ = settings; }
    Settings::View& view() { return wanted_.view; }
    bool viewGiven() const { return viewGiven_; }  // with --settings or --set: the first terrain moves no camera

    // A panel's edit, at `seconds`: is kept, and can be taken back.  `gesture`: see SettingsHistory.
    void edit(const Settings& settings, double seconds, std::uint64_t gesture = 0);
    // A step back or forward through edits and assignments of scripts; false where there is none.
    bool undo(double seconds);
    bool redo(double seconds);
    const SettingsHistory& history() const { return history_; }

    // Keys whose values came back from the last session and differ from the default and from what a first start on this
    // device has.  Empty once a setting was changed, or kKeptSeconds into the session: it is said once.
    const std::vector<std::string>& kept() const { return kept_; }
    static constexpr double kKeptSeconds = 60;
    void resetKept(double seconds);  // to what a first start has; undo() takes it back

    Status set(const std::string& key, const std::string& value, Messages& messages);

    // What is shown from now on: see takenTo().  What can be undone is of the world before, and forgotten.
    void enter(World world);
    // The plane's samples need a tree of this depth: a cbt.depth that nobody has chosen becomes it.
    void fitDepth(int samplesDepth);

    // Where depth, capacity or samples are as kept by another session, maybe on another driver, and this one cannot
    // hold them: the defaults, and true.
    bool putKeptLimitsBack();

    // Before a frame: the renderer takes over what is wanted.  Too large for this driver or its memory: what was is
    // kept, and reported.
    void apply(Renderer& renderer, Messages& messages);

    void update(double seconds, Messages& messages);  // once a frame: writes what is to be kept, now and then
    void flush();                                     // at the end of a session

private:
    Status layer();
    void take(const Settings& settings, double seconds);
    Status readFile(const std::string& file);
    Status assign(const std::vector<std::string>& assignments);
    Status usePreset(Settings& settings);
    Status findKept();
    void reportNotices(Messages& messages);

    Settings wanted_;
    Settings base_;  // the defaults, or what was kept
    std::filesystem::path dataRoot_;
    std::optional<Preset> preset_;
    std::string sceneFile_, sceneSettings_;
    std::string settingsFile_;
    std::vector<std::string> assignments_;
    bool choosesPreset_ = false;    // for the device
    std::optional<bool> software_;  // empty: not yet known
    SettingsHistory history_;
    std::optional<SettingsKeeper> keeper_;
    std::vector<std::string> notices_, reported_;  // of what was read otherwise than written
    bool limitsKept_ = false;
    bool depthGiven_ = false;  // on the command line, or in a file that it names
    bool viewGiven_ = false;
    bool readStored_ = false;        // base_ was read from a file
    Settings first_;                 // of a first start on this device
    std::vector<std::string> kept_;  // see kept()
};

}  // namespace orogen::app
