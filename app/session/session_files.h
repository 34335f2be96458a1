// Files of a session: its stored state, output folders, and the file browser's listings.
#pragma once

#include <string>

#include "app/session/folder_session.h"
#include "app/session/messages.h"
#include "app/session/remembered.h"
#include "app/session/session_options.h"
#include "app/ui/files_state.h"

namespace orogen::app {

class Graphics;

class SessionFiles
{
public:
    // Starts the session's files.  `keeps` (a window session without a script): restores the last session's state, and
    // writes pictures and captures to the user's folders.  Otherwise nothing is stored, and outputs go to the current
    // directory.
    void begin(bool keeps, Messages& messages);

    SessionOptions shaped(const SessionOptions& options) const;             // with the stored window size
    void restore(const SessionOptions& options, Graphics& graphics) const;  // window position and panels
    void keep(Graphics& graphics);                                          // copies the current state
    // Writes the state from time to time; once a frame.
    void update(double seconds, Graphics& graphics, Messages& messages);
    void flush(Graphics& graphics);  // at the end of a session

    Bookmarks bookmarks() const;
    void keepBookmarks(const Bookmarks& bookmarks);

    void opened(const std::string& dem, bool ofUser);  // ofUser: not a shipped terrain

    // Return the path for a new output; `name` or `relative` unchanged if nothing is stored.  Create the folder.
    // Error: kOutput.
    Result<std::string> placeForPicture(const std::string& name) const;
    Result<std::string> placeForData(const std::string& relative) const;
    std::string dataFolder() const;  // empty: current directory

    FilesState state() const;
    void perform(const FilesActions& actions);

private:
    std::string pictureFolder() const;

    RememberedKeeper memory_;
    FolderSession folders_;
    std::string reopen_;
};

}  // namespace orogen::app
