// Moves the camera of a session to places of the open terrain, and keeps the bookmarks of the Earth.
#pragma once

#include <cstddef>

#include "app/session/session_files.h"
#include "core/base/status.h"
#include "core/planet/ellipsoid.h"
#include "core/view/camera.h"

namespace orogen::app {

class OpenTerrain;
class Session;
class SessionSettings;

class Places
{
public:
    explicit Places(Session& session);  // must outlive this object

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
