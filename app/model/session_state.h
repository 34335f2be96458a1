// State of the session as panels show it, and the actions that panels request: files and folders, the camera path, and
// the settings as a whole (undo, redo, presets).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/folder_listing.h"
#include "core/settings.h"

namespace orogen::app {

// The file browser's listings, read in the background.
struct FoldersState
{
    const FolderListing* listing = nullptr;            // newest; with an empty `folder` before the first listing
    const std::vector<NamedFolder>* places = nullptr;  // never null
    const std::set<std::string>* missing = nullptr;    // recent files that do not exist; never null
    std::string error;                                 // error of the newest listing; empty: success
    bool reading = false;
};

struct FilesState
{
    std::optional<FoldersState> folders;  // empty: folders cannot be browsed
    std::vector<std::string> recent;      // opened terrains, newest first
    std::string reopen;                   // user's newest terrain of earlier sessions; empty: none, or it was opened
    std::string pictures, captures;       // destination folders
};

struct FilesActions
{
    std::optional<std::string> read;                // folder to list
    std::optional<std::string> pictures, captures;  // new destination folders; an empty name: the default
};

struct PathState
{
    std::vector<std::string> shipped{};  // names
    std::vector<std::string> own{};      // files of kept recordings
    bool present = false;                // a path is loaded; the next three describe it
    std::string name{};
    double duration = 0;  // seconds; 0 for a single key
    double fraction = 0;  // camera's place in the path, 0 to 1
    bool playing = false;
    std::optional<double> recorded{};  // seconds recorded so far; empty: not recording
};

// Returns whether paths can be chosen but none is loaded.
inline bool offersPaths(const PathState& path)
{
    return !path.present && !path.recorded && !(path.shipped.empty() && path.own.empty());
}

struct PathActions
{
    bool record = false;              // starts or ends a recording
    std::optional<std::string> load;  // a shipped name or a file
    bool play = false;                // plays or pauses; also applies to the path of `load`
    std::optional<double> scrub;      // moves to this place, 0 to 1
    std::optional<std::string> save;  // file to save in
};

struct PresetChoice
{
    std::string name;
    bool own = false;  // saved by the user; else shipped
};

struct SettingsState
{
    // Changed by the next undo or redo: keys, or "imagery", "overlays"; empty: no step.
    std::vector<std::string> undoes{}, redoes{};
    std::vector<PresetChoice> presets{};
    std::vector<std::string> kept{};       // keys restored from the last session, while the notice is shown
    std::optional<Settings> firstStart{};  // settings that *Reset all* restores; empty: the defaults
};

struct SettingsActions
{
    bool undo = false, redo = false;
    bool resetKept = false;                   // resets SettingsState::kept to first-start values
    std::optional<std::string> loadPreset{};  // a name from the list
    std::optional<std::string> savePreset{};  // name under which to save the current settings
    std::optional<std::string> deletePreset{};
    // Nonzero: consecutive edits with this number form one undo step, as while a mouse button is held.
    std::uint64_t gesture = 0;

    bool asksForAny() const { return undo || redo || resetKept || loadPreset || savePreset || deletePreset; }
};

}  // namespace orogen::app
