// A small image of a tiled terrain, for code that needs the whole terrain: light, water, legends, the home view.
#pragma once

#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr int kOverviewSide = 1025;  // samples along the long side; fewer if the raster has fewer

// Returns the overview, interpolated from a level of about the same resolution. Its extent is exactly that of the
// source's raster, so a pixel's width and height are the extent / (samples - 1). Name, coordinate system, units and
// position are those of the source; there are no warnings. Voids are NaN. Reads about kOverviewSide^2 samples, at most
// twice as many in each direction. Errors: those of the source; kLimit (memory), kInterrupted.
Result<Raster> readOverview(const TileSource& source, const LoadProgress& progress = {});

}  // namespace orogen
