// Common steps of opening tile sources: a description without heights, and an estimate of the height range.
#pragma once

#include "core/base/status.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/sources/stored_levels.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen {

// Does the work of takeMetres() and settle() for a raster whose heights are stored elsewhere. Error, kInput: those of
// settle(); no georeference, and no pixel size in the overrides.
Status settleDescription(Raster& raster, const SourceOverrides& overrides);

// Sets the height range of `raster`, the source's description: the source's bounds, if it has them. Otherwise the range
// of the coarsest level or, if that is expensive, of 64 small windows of the finest one. Warns about heights that do
// not occur on Earth. Errors: those of reading.
Status glanceAt(const TileSource& source, const StoredLevels& levels, Raster& raster);

inline constexpr const char* kSlowWithoutOverviews =
    "no overviews: coarse levels are read from the full resolution, which is slow (orogen import makes a file that has "
    "them)";

}  // namespace orogen
