// Loads an elevation model in the background, down to what the GPU gets, so that the window keeps drawing.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/base/background_task.h"
#include "core/settings.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen::app {

struct LoadedTerrain
{
    Raster raster;
    HeightField field;  // of a terrain in tiles an overview with the same extent
    TerrainBounds bounds;
    SourceOverrides overrides;
    std::shared_ptr<const TileSource> tiles;   // null: the field is all of it
    std::shared_ptr<TileCache> cache;          // of these, its coarse levels loaded
    std::shared_ptr<const EarthSource> earth;  // the tiles are the Earth's; then there is no field
};

// How a terrain is opened: terrain.tiles and terrain.tile_budget.
struct TileChoices
{
    TerrainTiles tiles = TerrainTiles::kAuto;
    int budgetMegabytes = 128;
};
inline std::uint64_t budgetBytes(int megabytes) { return std::uint64_t(megabytes) << 20; }

// The last of what a task does to a terrain, for the rest of its bar.  Error kInterrupted: it was asked to stop.
Result<TerrainBounds> boundsWithProgress(const HeightField& field, const TaskContext& context, double from);

using TerrainLoading = BackgroundTask<LoadedTerrain>;

// `dem`: a file, a folder of tiles or "synthetic:SIZE[:SEED]".  Error kLimit: no thread can be started.  The task's
// errors: of loadRaster(), kLimit (memory), kInterrupted.
Result<std::unique_ptr<TerrainLoading>> startLoading(const std::string& dem, const SourceOverrides& overrides,
                                                     const TileChoices& choices = {});

// The Earth: `relief`, a file, and the insets in it; or `base`, of an Earth that is open, and more insets.
struct EarthToLoad
{
    std::string relief;
    std::shared_ptr<const EarthSource> base;  // null: the relief is read
    std::vector<InsetRequest> insets;
};
// The task's errors: of EarthSource::open(), kLimit (memory), kInterrupted.
Result<std::unique_ptr<TerrainLoading>> startLoadingEarth(const EarthToLoad& wanted, const TileChoices& choices = {});

}  // namespace orogen::app
