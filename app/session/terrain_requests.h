// Opens terrains, insets of the Earth and pictures over the ground, as command line, panels and dropped files request.
// Keeps what was requested until it has loaded.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/session/imagery.h"
#include "app/session/terrain_loading.h"
#include "core/base/status.h"
#include "core/settings.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/source_overrides.h"

namespace orogen::app {

class Messages;
class OpenTerrain;
class Session;
class SessionSettings;

class TerrainRequests
{
public:
    explicit TerrainRequests(Session& session);  // must outlive this object

    // Starts to load the terrain of the command line.  Errors: those of OpenTerrain::open().
    Status openFirst();
    // Starts to open a terrain, or kEarthName with `insets`.  A picture, a track or a file of colours by height is
    // instead shown over the open terrain.
    void open(const std::string& dem, const SourceOverrides& overrides = {}, std::vector<std::string> insets = {});
    // Handles files dropped on the window.  Pictures, tracks and colours are shown as by open().  On a plane, opens the
    // first of the remaining files.  On the Earth, all remaining files become insets, and the camera moves to the last.
    void drop(const std::vector<std::string>& paths);
    // Opens the Earth again without the inset of this index.
    void removeInset(std::size_t number);
    const std::vector<InsetRequest>& insets() const { return insets_; }  // insets of the open Earth
    // Replaces the pictures over the ground.  Returns false, with a message, if a capture runs or no terrain is open.
    bool changeImagery(std::vector<PictureLayer> layers);
    void addImagery(const std::vector<std::string>& names);  // adds pictures on top, as changeImagery()

    // ---- once a frame ----------------------------------------------------------------------------------------------
    // Takes over a terrain that has been loaded, and moves the camera to the view that was requested with it.  Fails
    // only if the first terrain cannot be opened or the place that the command line names cannot be shown.
    Status takeTerrain();
    void takeImagery();    // takes loaded pictures
    void followHeights();  // opens the Earth again if the setting earth.heights has changed

private:
    EarthToLoad earthWith(std::vector<std::string> insets, const SourceOverrides& overrides);
    Status openEarth(const EarthToLoad& earth);
    void openEarthAgain(std::vector<InsetRequest> insets);
    ImageryToLoad imageryWith(std::vector<PictureLayer> layers, World world) const;
    bool changesTerrain();
    bool showOverGround(const std::string& file);
    void showRamp(const std::string& file);

    Session& session_;
    OpenTerrain& terrain_;
    SessionSettings& settings_;
    Messages& messages_;
    ImageryLayers& imagery_;
    std::vector<InsetRequest> insets_;                // insets of the open Earth
    std::vector<InsetRequest> insetsAsked_;           // insets of the Earth being opened
    HeightDatum heightsAsked_ = HeightDatum::kGeoid;  // earth.heights when the Earth was last opened
    bool showNewest_ = false;                         // moves the camera to the newest inset once the Earth is open
    bool keptView_ = false;                           // keeps the camera when the Earth is opened again
    std::vector<PictureLayer> layersAsked_;           // pictures of the terrain being opened
};

}  // namespace orogen::app
