// Loads an elevation model in the background, up to the data for the GPU, while the window keeps drawing.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/imagery.h"
#include "core/base/background_task.h"
#include "core/base/status.h"
#include "core/settings.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/imagery/surroundings.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen::app {

struct LoadedTerrain
{
    Raster raster;
    HeightField field;     // tiled terrain: an overview with the same extent
    TerrainBounds bounds;  // `errors` is measured later, when needed; tiled terrain: only `relief` is set
    SourceOverrides overrides;
    std::shared_ptr<const TileSource> tiles;   // null: the field is the whole terrain
    std::shared_ptr<TileCache> cache;          // for `tiles`, with the coarse levels loaded
    std::shared_ptr<const EarthSource> earth;  // set for the Earth, which has tiles and no field
    LoadedImagery imagery;
    std::shared_ptr<const Surroundings> surroundings;  // null: the Earth, unknown position, too large, files unreadable
    // Positions of the samples as GDAL computes them, for a plane whose coordinate system TerrainGeography does not
    // know.  Null: TerrainGeography knows it, or GDAL cannot compute the positions either.
    std::shared_ptr<const InsetMap> map;
};

// Values of the settings terrain.tiles and terrain.tile_budget.
struct TileChoices
{
    TerrainTiles tiles = TerrainTiles::kAuto;
    int budgetMegabytes = 128;
};
inline std::uint64_t budgetBytes(int megabytes) { return std::uint64_t(megabytes) << 20; }

using TerrainLoading = BackgroundTask<LoadedTerrain>;

// Starts loading `dem`: a file, a folder of tiles or "synthetic:SIZE[:SEED]".  Error kLimit: no thread can be started.
// The task's errors: those of openTerrain(), of reading tiles and of loadImagery(); kLimit (memory), kInterrupted.
Result<std::unique_ptr<TerrainLoading>> startLoading(const std::string& dem, const SourceOverrides& overrides,
                                                     const TileChoices& choices = {},
                                                     const ImageryToLoad& imagery = {});

inline constexpr const char* kShippedRelief = "assets/earth/etopo5.tif";  // below Session::root()

// The Earth to load: the file `relief` with insets, or the open Earth `base` with additional insets.
struct EarthToLoad
{
    std::string relief;
    std::shared_ptr<const EarthSource> base;  // null: the relief is read
    std::vector<InsetRequest> insets;
    std::optional<InsetRequest> replaced;  // DEM that replaces the relief where it has data
};
// Starts loading the Earth.  Error kLimit: no thread can be started.  The task's errors: those of EarthSource::open()
// and loadImagery(), kLimit (memory), kInterrupted.
Result<std::unique_ptr<TerrainLoading>> startLoadingEarth(const EarthToLoad& wanted, const TileChoices& choices = {},
                                                          const ImageryToLoad& imagery = {});

// An open terrain.  Several threads may use its members at once.
struct TerrainToShare
{
    Raster raster;  // without its heights
    HeightField field;
    SourceOverrides overrides;
    std::shared_ptr<const TileSource> tiles;  // as in LoadedTerrain
    std::shared_ptr<const EarthSource> earth;
    std::shared_ptr<const Surroundings> surroundings;
};
// Starts making bounds of the heights, tiles and imagery for a second picture of an open terrain.  Reads the terrain's
// files again only for tiles.  Error kLimit: no thread can be started.  The task's errors: those of reading tiles and
// of loadImagery(), kLimit (memory), kInterrupted.
Result<std::unique_ptr<TerrainLoading>> startSharing(TerrainToShare shared, const TileChoices& choices,
                                                     const ImageryToLoad& imagery);

// ---- requests ----

class Messages;
class OpenTerrain;
class Session;
class SessionSettings;

// Opens terrains, insets of the Earth and pictures over the ground, as command line, panels and dropped files request.
// Keeps each request until its files have loaded.
class TerrainRequests
{
public:
    explicit TerrainRequests(Session& session);  // `session` must outlive this object

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
    // Takes over a terrain that has been loaded, and moves the camera to a requested place, else to the home view.  The
    // camera stays if view.position is given for the first terrain, or if the Earth is opened again.  Fails only if the
    // first terrain cannot be opened or the place that the command line names cannot be shown.
    Status takeTerrain();
    void takeImagery();  // takes loaded pictures
    // Opens the Earth again if the setting earth.heights has changed.  If the opening was cancelled or failed,
    // changes the setting back.
    void followHeights();

private:
    EarthToLoad earthWith(std::vector<std::string> insets, const SourceOverrides& overrides);
    Status openEarth(const EarthToLoad& earth);
    void openEarthAgain(std::vector<InsetRequest> insets);
    ImageryToLoad imageryWith(std::vector<PictureLayer> layers, World world) const;
    void askLayers(bool kept);
    bool changesTerrain();
    bool showOverGround(const std::string& file);
    void showRamp(const std::string& file);

    Session& session_;
    OpenTerrain& terrain_;
    SessionSettings& settings_;
    Messages& messages_;
    ImageryLayers& imagery_;
    std::vector<InsetRequest> insets_;                // insets of the open Earth
    std::vector<InsetRequest> insetsAsked_;           // insets of the Earth being opened, else insets_
    HeightDatum heights_ = HeightDatum::kGeoid;       // earth.heights of the open Earth
    HeightDatum heightsAsked_ = HeightDatum::kGeoid;  // earth.heights of the Earth being opened
    bool showNewest_ = false;                         // moves the camera to the newest inset once the Earth is open
    bool keptView_ = false;                           // keeps the camera when the Earth is opened again
    std::vector<PictureLayer> layersAsked_;           // pictures of the terrain being opened
    bool keptLayers_ = false;                         // these are the open terrain's
};

}  // namespace orogen::app
