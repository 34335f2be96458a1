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
    // Opens a terrain, or kEarthName with `insets`.  A picture, a track or a file of colours by height
    // is instead shown over the open terrain.
    void open(const std::string& dem, const SourceOverrides& overrides = {}, std::vector<std::string> insets = {});
    // Handles files dropped on the window.  Pictures, tracks and colours are shown as by open().  On a plane, the first
    // of the other files is opened; on the Earth they become insets, and the newest is shown.
    void drop(const std::vector<std::string>& paths);
    // Opens the Earth again without the inset of this index.
    void removeInset(std::size_t number);
    const std::vector<InsetRequest>& insets() const { return insets_; }  // the open Earth's
    // Change the pictures over the ground, unless a capture runs.
    bool changeImagery(std::vector<PictureLayer> layers);  // false: refused, with a message
    void addImagery(const std::vector<std::string>& names);

    // ---- once a frame ----------------------------------------------------------------------------------------------
    // Takes a loaded terrain, and moves the camera to the view that was requested with it.  Fails only if no terrain is
    // open.
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
