// Files of a session: its stored state, output folders, and the file browser's listings.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/model/session_state.h"
#include "app/session/messages.h"
#include "app/session/remembered.h"
#include "app/session/session_options.h"
#include "core/base/background_task.h"
#include "core/base/folder_listing.h"
#include "core/base/status.h"
#include "core/planet/ellipsoid.h"
#include "core/view/camera.h"

namespace orogen::app {

// ---- folders, listed in the background, so that a slow disk does not delay frames ----

class FolderReader
{
public:
    // Starts reading a folder in place of any reading in progress.  The old listing stays until the new one arrives.
    // Also checks which of `files` are missing.
    void read(const std::string& folder, const std::vector<std::string>& files);
    void update();  // collects the result; once a frame

    bool reading() const { return task_ != nullptr; }
    const FolderListing& listing() const { return listing_; }  // newest listing; its folder is empty before the first
    const std::string& error() const { return error_; }        // error of the newest reading; empty: success
    FoldersState state() const { return {&listing_, &places_, &missing_, error_, reading()}; }  // for the file browser

private:
    struct Found
    {
        FolderListing listing;
        std::string error;
        std::set<std::string> missing;
        std::vector<NamedFolder> places;
    };

    std::unique_ptr<BackgroundTask<Found>> task_;
    // Cancelled tasks that still run: a read of an unresponsive disk cannot be stopped.
    std::vector<std::unique_ptr<BackgroundTask<Found>>> abandoned_;
    FolderListing listing_;
    std::string error_;
    std::set<std::string> missing_;
    std::vector<NamedFolder> places_;
};

// ---- all files ----

// Returns whether a file may be a terrain, by its name: it is not a picture, a colour ramp or an overlay.
bool isTerrainName(const std::string& file);

class Graphics;

class SessionFiles
{
public:
    // Starts the session's files.  `keeps`: restores the last session's state, and writes pictures and captures to the
    // user's folders.  Otherwise nothing is stored, and outputs go to the current directory.
    void begin(bool keeps, Messages& messages);

    SessionOptions shaped(const SessionOptions& options) const;             // options with the stored window size
    void restore(const SessionOptions& options, Graphics& graphics) const;  // window position and panels
    void keep(Graphics& graphics);                                          // copies the current window and panels
    // Takes folder listings, and writes the state every RememberedKeeper::kPeriod seconds; call once a frame.
    void update(double seconds, Graphics& graphics, Messages& messages);
    void flush(Graphics& graphics);  // writes the state at the end of a session

    Bookmarks bookmarks() const;
    void keepBookmarks(const Bookmarks& bookmarks);

    // Notes that a terrain or a picture was opened.  `ofUser`: `dem` becomes the newest of the recent files.
    void opened(const std::string& dem, bool ofUser);

    // Returns the path for a new output in the user's folder for pictures, and creates the folder if needed.  A session
    // that keeps no state gets `name` itself.  Error: kOutput.
    Result<std::string> placeForPicture(const std::string& name) const;
    // Returns the path as placeForPicture() does, in the user's folder for captures and other data.
    Result<std::string> placeForData(const std::string& relative) const;
    std::string dataFolder() const;  // empty: current directory

    FilesState state() const;
    void perform(const FilesActions& actions);

private:
    std::string pictureFolder() const;

    RememberedKeeper memory_;
    FolderReader folders_;
    std::string reopen_;  // newest recent terrain of earlier sessions, offered until it is opened; empty: none
};

// ---- places: moves the camera of a session to places of the open terrain, and keeps the bookmarks of the Earth ----

class OpenTerrain;
class Session;
class SessionSettings;

class Places
{
public:
    explicit Places(Session& session);  // `session` must outlive this object

    // Moves the camera to a place on the Earth or on a georeferenced terrain.  Error kInput without a georeference.
    Status goTo(const Geodetic& place);
    // Moves the camera to a view of an extent (degrees; east may exceed 180).  Error kInput: the terrain has no
    // georeference, or the middle of the extent lies outside the terrain.
    Status showExtent(double west, double south, double east, double north);
    // Moves the camera to an inset of the Earth; no-op without an inset of this index.
    void showInset(std::size_t number);

    // Stores the view as a bookmark.  `number`: from 1 to kBookmarks.  Error kInput: not on the Earth.
    Status setBookmark(int number);
    // Moves the camera to a stored bookmark.  Error kInput: not on the Earth, or no such bookmark.
    Status goToBookmark(int number);
    const Bookmarks& bookmarks() const { return bookmarks_; }
    void restoreBookmarks(const Bookmarks& stored) { bookmarks_ = stored; }

private:
    void show(const Camera& flying);

    Session& session_;
    OpenTerrain& terrain_;
    SessionSettings& settings_;
    Bookmarks bookmarks_;
};

}  // namespace orogen::app
