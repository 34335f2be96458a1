// The file browser: one window for all that is opened and saved.  A panel asks with browse(); the answer comes in the
// actions of a later frame.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/ui/model.h"

namespace orogen::app {

struct UiState;
struct Panel;

enum class FileKind
{
    kOpen,          // a file that is there
    kOpenOrFolder,  // or a folder as a whole
    kSave,          // a file that is there or not; to replace one takes a second press
    kFolder,        // a folder that is there or will be made
};

struct FileRequest
{
    std::string title = {};       // "Open a terrain"
    std::string button = "Open";  // what choosing does, as its button says it
    FileKind kind = FileKind::kOpen;
    std::vector<std::string> suffixes = {};  // lower case, with the dot; the first is given to what is saved without
    std::string folder = {};                 // to begin with; empty: where the last one was chosen
    std::string name = {};                   // in the field
    bool terrains = false;                   // shows the recent ones, and takes what is no file ("synthetic:...")
    std::function<void(UiActions&, const std::string&)> chosen = {};  // gets an absolute path, or such a text
};

// What the browser remembers while it is open, and the folder after that.
struct FileBrowser
{
    bool open = false;
    FileRequest request;
    std::string folder;        // shown, or wanted; absolute
    std::string typed;         // in the field
    std::string replaceTyped;  // what the field is to hold instead, where `replace`
    bool replace = false, focus = false, allFiles = false;
    bool wasEmpty = true;  // the field, before this frame's keys
    int selected = 0;      // of the rows that are shown
    bool scroll = false;   // to the selected row
    std::string confirm;   // the file that a second press replaces
    int sortColumn = 0;
    bool descending = false;
};

// Opens the browser; a request that waits is dropped.
void browse(UiState& state, UiActions& actions, FileRequest request);
void browseTerrains(UiState& state, UiActions& actions);  // Ctrl+O

// In front of all panels, if it is open.
void drawFileBrowser(const Panel& panel);

}  // namespace orogen::app
