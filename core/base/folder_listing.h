// Folders: making them, their contents for a file browser, and completion of typed paths.
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
    std::int64_t modified = 0;  // seconds since 1970, UTC; 0: unknown
};

struct FolderListing
{
    static constexpr std::size_t kMost = 50'000;  // entries listed at most

    std::string folder;                // as given, without a slash at its end
    std::vector<FolderEntry> entries;  // folders first, then by naturalLess(); without "." and ".."
    bool cut = false;                  // the folder has more than kMost entries; the rest is left out
};

// Lists a folder with a stat() per entry, following links; where that fails, size and date are missing.  Polls `stop`
// at every entry.  Errors: kInput with the system's reason, kInterrupted after a stop.
Result<FolderListing> listFolder(const std::string& folder, const std::function<bool()>& stop = {});

// Makes a folder with its parents, unless it is there.  Errors: kOutput with the system's reason.
Status makeFolder(const std::string& folder);

// Returns whether a comes before b, ignoring case, with numbers by value ("tile2" before "tile10").
bool naturalLess(std::string_view a, std::string_view b);

// Returns whether a name ends with one of these lower-case suffixes; true if `suffixes` is empty.
bool hasSuffix(std::string_view name, std::span<const std::string> suffixes);

// Completes `typed` as Tab does, with the longest common prefix of all entries whose names begin with its last part.
// Adds a slash if only one entry matches and it is a folder.  Matches case-sensitively if possible.  Returns `typed` if
// no entry matches.
std::string completedPath(std::string_view typed, std::span<const FolderEntry> entries);

// Returns an absolute path: "~" is the home folder, relative paths start at `folder`, and "." and ".." are resolved
// textually, without looking at links.
std::string absolutePath(std::string_view typed, const std::string& folder);

struct NamedFolder
{
    std::string name, path;
};
// Returns the user's home folder and those in $XDG_CONFIG_HOME/user-dirs.dirs (Documents, Downloads, Pictures ...).
std::vector<NamedFolder> userFolders();
// Returns the default folder for pictures: orogen/ in the Pictures of userFolders(), else in ~/Pictures; empty
// without either.
std::string defaultPictureFolder();
// Returns the default folder for captures, $XDG_DATA_HOME/orogen, else ~/.local/share/orogen; empty without either.
std::string defaultDataFolder();

}  // namespace orogen
