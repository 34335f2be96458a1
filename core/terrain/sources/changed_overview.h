// The overview (core/terrain/tiles/overview.h) of a terrain in tiles whose heights change in a window.
#pragma once

#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/index_box.h"
#include "core/terrain/sources/changed_tiles.h"

namespace orogen {

// Returns the samples of an overview that depend on a box of samples of level 0.
IndexBox overviewBox(const HeightField& overview, const TileGrid& grid, const IndexBox& samples);

// Returns the overview of `source`. `below`: the overview of the source that `source` changes. `shown`: the present
// overview. `box`: samples of the overview outside which heights are those of `shown`. Keeps the scale and offset of
// `shown` if it is not exact and all heights fit in its codes. Leaves out bodies of still water that meet `box`, but
// keeps the mask if other bodies remain. O(samples) to copy, and about 50 ns per sample of the box.
HeightField changedOverview(const HeightField& below, const ChangedTiles& source, const HeightField& shown,
                            const IndexBox& box);

}  // namespace orogen
