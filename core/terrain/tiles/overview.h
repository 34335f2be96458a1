// A small image of a terrain in tiles, for what looks at all of it: light, water, legends, the home view.
#pragma once

#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

inline constexpr int kOverviewSide = 1025;  // samples along the long side, or as many as the raster has

// Interpolated from a level about as fine as itself.  Its extent is the raster's exactly, so its pixels are
// extent / (samples - 1) wide and high; the rest of the description is the source's, and voids are NaN.  Reads about
// kOverviewSide^2 samples, at most twice as many in either direction.  Errors: of the source; kLimit (memory),
// kInterrupted.
Result<Raster> readOverview(const TileSource& source, const LoadProgress& progress = {});

}  // namespace orogen
