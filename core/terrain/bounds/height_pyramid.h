// Bounds on blocks of a height field: lowest and highest point.
#pragma once

#include <vector>

namespace orogen {

struct HeightField;

// Bounds on blocks of the grid.  Level l has cells of 2^l grid intervals; cell (i, j) covers grid points
// [i 2^l, (i + 1) 2^l] x [j 2^l, (j + 1) 2^l], closed, clamped to the raster.  Level 0 .. levels() - 1, the last is
// 1x1. Rows and columns as in the raster.  Units: metres, unscaled.
struct PyramidLevel
{
    int width = 0, height = 0;            // cells: ceil((samples - 1) / 2^l)
    std::vector<float> minimum, maximum;  // of the heights
};

struct HeightPyramid
{
    std::vector<PyramidLevel> levels;
};

// O(width * height) time; memory: the result, about 11 bytes a sample.
HeightPyramid buildPyramid(const HeightField& field);

}  // namespace orogen
