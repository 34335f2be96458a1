// Opening of elevation models by name: as one image if they are small enough, otherwise in tiles.
#pragma once

#include <memory>
#include <string>

#include "core/base/status.h"
#include "core/settings.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr int kLargestImageSide = 16'384;  // samples; larger rasters are read in tiles

struct OpenedTerrain
{
    Raster raster;                            // in tiles: the description, without heights
    std::shared_ptr<const TileSource> tiles;  // null: one image
};

// Opens a DEM as named on the command line (see loadRaster()), a GDAL path (/vsis3/..., /vsicurl/https://...,
// WMS:https://..., WMTS:https://...) or an http(s) URL, which GDAL reads. No other name reaches a network. Opened in
// tiles: rasters whose longer side exceeds kLargestImageSide, a GeoTIFF with most of its tiles omitted (see
// canHoldImage()), GDAL paths and URLs; everything if `tiles` is kAlways. Opening a large GeoTIFF, folder or file of
// GDAL's formats reads headers and a few samples. Other files are read whole. Errors: those of loadRaster();
// kUsage for a GDAL path or URL with --encoding; kInput for files that cannot be read in tiles, or that need GDAL in a
// program without it.
Result<OpenedTerrain> openTerrain(const std::string& dem, const SourceOverrides& overrides, TerrainTiles tiles,
                                  const LoadProgress& progress = {});

}  // namespace orogen
