// What the panels see of files and folders, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orogen::app {

class FolderSession;

struct FilesState
{
    const FolderSession* folders = nullptr;  // null: nothing can be looked through
    std::vector<std::string> recent;         // terrains that were opened, newest first
    std::string reopen;                      // that was open when the last session ended; empty: none, or it is open
    std::string pictures, captures;          // folders that they go into
};

struct FilesActions
{
    std::optional<std::string> read;                // a folder
    std::optional<std::string> pictures, captures;  // other folders for them; empty: the default
};

}  // namespace orogen::app
