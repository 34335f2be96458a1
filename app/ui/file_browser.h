// The file browser: one modal window to open and save files.  Panels call browse(); the chosen path is delivered in the
// actions of a later frame.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/model/ui_model.h"

namespace orogen::app {

struct UiState;
struct Panel;

enum class FileKind
{
    kOpen,          // an existing file
    kOpenOrFolder,  // an existing file, or a folder as a whole
    kSave,          // an existing or new file; replacing one takes a second press
    kFolder,        // an existing folder, or a new one
};

struct FileRequest
{
    std::string title = {};       // "Open a terrain"
    std::string button = "Open";  // label of the button that chooses
    FileKind kind = FileKind::kOpen;
    std::vector<std::string> suffixes = {};  // lower case, with the dot; the first is appended when saving without one
    std::string folder = {};                 // initial folder; empty: the folder shown last
    std::string name = {};                   // initial text of the field
    bool terrains = false;  // shows recent terrains, and accepts names that are not files ("synthetic:...")
    std::function<void(UiActions&, const std::string&)> chosen = {};  // receives an absolute path, or a name
    // Label of a second button that chooses; empty: none.  With it, a recent terrain only fills the field.
    std::string other = {};
    std::function<void(UiActions&, const std::string&)> otherChosen = {};  // as `chosen`, by the second button
};

// State of the browser.  `folder`, `allFiles` and the order of the rows persist while the browser is closed.
struct FileBrowser
{
    bool open = false;
    bool byOther = false;  // FileRequest::other was pressed
    FileRequest request;
    std::string folder;        // absolute path of the folder that is shown, or that was requested
    std::string typed;         // text of the field
    std::string replaceTyped;  // text to put into the field if `replace`
    bool replace = false, focus = false, allFiles = false;
    bool wasEmpty = true;  // whether the field was empty before this frame's keys
    int selected = 0;      // index among the rows shown
    bool scroll = false;   // scroll to the selected row
    std::string confirm;   // file that a second press replaces
    int sortColumn = 0;
    bool descending = false;
};

// Opens the browser, replacing any pending request.
void browse(UiState& state, UiActions& actions, FileRequest request);
// Opens the browser for terrains (Ctrl+O).  On the Earth it offers to add the terrain as an inset, or to open it alone.
// `path`: text of the field, such as a dropped file.
void browseTerrains(UiState& state, UiActions& actions, const std::string& path = {});

// Draws the browser in front of all panels, if it is open.
void drawFileBrowser(const Panel& panel);

}  // namespace orogen::app
