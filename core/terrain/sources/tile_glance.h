// What sources in tiles have in common when they are opened: a description without heights, and a look at a few.
#pragma once

#include "core/base/status.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/sources/stored_levels.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// As takeMetres() and settle() do, with a raster whose heights are elsewhere.  Error, kInput: of settle(); it has no
// georeference, and the caller gives no pixel size.
Status settleDescription(Raster& raster, const SourceOverrides& overrides);

// Sets the extremes of `raster`, which is that of the source: to its bounds; where it has none to those of the coarsest
// level, or where that would read too much, of 64 small windows of the finest one.  Warns of heights that the Earth
// does not have.  Error: of reading.
Status glanceAt(const TileSource& source, const StoredLevels& levels, Raster& raster);

inline constexpr const char* kSlowWithoutOverviews =
    "no overviews: coarse levels are read from the full resolution, which is slow (orogen import makes a file that has "
    "them)";

}  // namespace orogen
