// The overview (core/terrain/tiles/overview.h) of a terrain in tiles whose heights change in a window.
#pragma once

#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/index_box.h"
#include "core/terrain/sources/changed_tiles.h"

namespace orogen {

// Returns the samples of an overview that depend on a box of samples of level 0.
IndexBox overviewBox(const HeightField& overview, const TileGrid& grid, const IndexBox& samples);

// Returns the overview of `source`. `below`: the overview of the source below `source`. `box`: samples of the overview
// outside which heights are those of `shown`, the present overview. Scale and offset of its codes are kept if it is not
// exact and all heights fit in them. Still water that meets `box` is left out. O(samples) to copy, and about 50 ns per
// sample of the box.
HeightField changedOverview(const HeightField& below, const ChangedTiles& source, const HeightField& shown,
                            const IndexBox& box);

}  // namespace orogen
