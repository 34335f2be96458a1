// Files of a session: what it remembers, the folders that it writes into, and those that are looked through.
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
    // `keeps`: a session in a window, without a script: it begins as the last one ended, and pictures and captures go
    // into the user's folders.  Any other remembers nothing and writes where it was started.
    void begin(bool keeps, Messages& messages);

    SessionOptions shaped(const SessionOptions& options) const;             // a window of the size that it had
    void restore(const SessionOptions& options, Graphics& graphics) const;  // its place, and the panels
    void keep(Graphics& graphics);                                          // as they are now
    // Once a frame: writes it now and then.
    void update(double seconds, Graphics& graphics, Messages& messages);
    void flush(Graphics& graphics);  // at the end of a session

    Bookmarks bookmarks() const;
    void keepBookmarks(const Bookmarks& bookmarks);

    void opened(const std::string& dem, bool ofUser);  // ofUser: not one that comes with the program

    // Where a new picture goes, or what is called `relative` where nothing is remembered.  Makes the folder.
    // Error: kOutput.
    Result<std::string> placeForPicture(const std::string& name) const;
    Result<std::string> placeForData(const std::string& relative) const;
    std::string dataFolder() const;  // empty: where the session was started

    FilesState state() const;
    void perform(const FilesActions& actions);

private:
    std::string pictureFolder() const;

    RememberedKeeper memory_;
    FolderSession folders_;
    std::string reopen_;
};

}  // namespace orogen::app
