// Elevation models by their names: as one image where they fit, in tiles where they do not.
#pragma once

#include <memory>
#include <string>

#include "core/base/status.h"
#include "core/settings.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr int kLargestImageSide = 16'384;  // samples; what has more along a side is read by tiles

struct OpenedTerrain
{
    Raster raster;                            // of one in tiles its description, without heights
    std::shared_ptr<const TileSource> tiles;  // null: one image
};

// Opens what the command line calls a DEM (see loadRaster()), and any name that GDAL knows and that begins with /vsi
// (/vsicurl/https://..., /vsis3/...), which is the only road to a network.  In tiles: what has more than
// kLargestImageSide samples along a side, a GeoTIFF that leaves most of its tiles out (see canHoldImage()), what begins
// with /vsi, and everything where `tiles` says always.  The size is known from the header, before samples are read; of
// a GeoTIFF, a folder of tiles and what GDAL reads only a few samples are read then, of other formats (PNG, raw, ASCII
// grids, .hgt) everything.  Errors: of loadRaster(); kInput for what cannot be read by tiles, and for what needs GDAL
// where the program was built without it, with a sentence that says so.
Result<OpenedTerrain> openTerrain(const std::string& dem, const SourceOverrides& overrides, TerrainTiles tiles,
                                  const LoadProgress& progress = {});

}  // namespace orogen
