// Precomputed data of a terrain: the bounds of its heights for culling, the errors of its triangles for level of
// detail, and the procedural detail below its samples.
#pragma once

#include <memory>
#include <vector>

#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/detail/detail.h"

namespace orogen {

// Bounds of blocks of the grid (metres, unscaled). Level l has cells of 2^l grid intervals; cell (i, j) covers grid
// points [i 2^l, (i + 1) 2^l] x [j 2^l, (j + 1) 2^l], closed, clamped to the raster. The last level is 1x1. Rows and
// columns are as in the raster.
struct PyramidLevel
{
    int width = 0, height = 0;            // cells: ceil((samples - 1) / 2^l)
    std::vector<float> minimum, maximum;  // heights
};

struct HeightPyramid
{
    std::vector<PyramidLevel> levels;
};

// Builds the pyramid. O(width * height) time; memory: the result, about 11 bytes per sample.
HeightPyramid buildPyramid(const HeightField& field);

// Updates the pyramid after the samples of a box changed. Returns the cells of each level that contain these samples.
std::vector<IndexBox> updatePyramid(HeightPyramid& pyramid, const HeightField& field, const IndexBox& box);

struct TerrainBounds
{
    HeightPyramid heights;
    DiamondErrors errors;
    std::shared_ptr<const MadeRelief> relief;
};

// Builds all bounds. Error kInterrupted: `progress` returned false.
Result<TerrainBounds> buildBounds(const HeightField& field, const BoundsProgress& progress = {},
                                  ErrorRange range = ErrorRange::kPresent);

}  // namespace orogen
