// State of files and folders as panels see it, and the actions they request.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace orogen::app {

class FolderSession;

struct FilesState
{
    const FolderSession* folders = nullptr;  // null: folders cannot be browsed
    std::vector<std::string> recent;         // opened terrains, newest first
    std::string reopen;                      // open when the last session ended; empty: none, or open again
    std::string pictures, captures;          // destination folders
};

struct FilesActions
{
    std::optional<std::string> read;                // folder to list
    std::optional<std::string> pictures, captures;  // new destination folders; empty: the default
};

}  // namespace orogen::app
