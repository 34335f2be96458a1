// What lies in a folder, as a file browser shows it, and paths as people type them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace orogen {

struct FolderEntry
{
    std::string name;
    bool folder = false;
    std::uint64_t bytes = 0;    // 0 for a folder
    std::int64_t modified = 0;  // seconds since 1970, UTC; 0: not known
};

struct FolderListing
{
    static constexpr std::size_t kMost = 50'000;  // entries: more than anyone looks through

    std::string folder;                // absolute
    std::vector<FolderEntry> entries;  // folders first, each by naturalLess(); without "." and ".."
    bool cut = false;                  // there are more than kMost
};

// Asks the system for each entry, links followed; one that cannot be asked about is listed without size and date.
// `stop` is asked for every entry.  Errors: kInput with the system's reason, kInterrupted after a stop.
Result<FolderListing> listFolder(const std::string& folder, const std::function<bool()>& stop = {});

// As people sort names: without regard to case, numbers by their value ("tile2" before "tile10").
bool naturalLess(std::string_view a, std::string_view b);

// Whether a name ends with one of these suffixes, given in lower case; with none, any name does.
bool hasSuffix(std::string_view name, std::span<const std::string> suffixes);

// What Tab makes of `typed`: the longest beginning that all entries share whose names begin with its last part, with a
// slash behind it where that is one folder.  `typed` itself where no entry does.  Case counts only where it decides.
std::string completedPath(std::string_view typed, std::span<const FolderEntry> entries);

// An absolute path: "~" is the home folder, and what is relative lies in `folder`.  "." and ".." are resolved by name.
std::string absolutePath(std::string_view typed, const std::string& folder);

struct NamedFolder
{
    std::string name, path;
};
// The user's home folder, and those that $XDG_CONFIG_HOME/user-dirs.dirs names (Documents, Downloads, Pictures ...).
std::vector<NamedFolder> userFolders();
// Where pictures go by default: PICTURES/orogen.  Empty without a home.
std::string defaultPictureFolder();
// Where captures go by default: $XDG_DATA_HOME/orogen, or ~/.local/share/orogen.  Empty without a home.
std::string defaultDataFolder();

}  // namespace orogen
