// What the GPU gets of a raster: 16-bit heights with scale and offset, voids filled and marked, and the pyramids that
// bound heights and errors.
#pragma once

#include <cstdint>
#include <vector>

#include "core/terrain/raster.h"

namespace orogen {

// height = offset + scale * code.  Exact (scale 1, integer offset) when the samples are whole metres that span at most
// 65535; else the step is (max - min) / 65535 and maxQuantisationError() is half of it.
struct HeightField
{
    int width = 0, height = 0;
    float scale = 1.0f, offset = 0.0f;
    std::vector<std::uint16_t> codes;    // row-major, row 0 the northern edge; voids filled smoothly from their rim
    std::vector<std::uint8_t> voidMask;  // 255 where the source has no data; empty if there is no void
    float maxQuantisationError() const { return scale == 1.0f ? 0.0f : 0.5f * scale; }
};

HeightField quantise(const Raster& raster);

// Bounds on blocks of the grid.  Level l has cells of 2^l grid intervals; cell (i, j) covers grid points
// [i 2^l, (i + 1) 2^l] x [j 2^l, (j + 1) 2^l], closed, clamped to the raster.  Level 0 .. levels() - 1, the last is 1x1.
// Rows and columns as in the raster.  Units: metres, unscaled.
struct PyramidLevel
{
    int width = 0, height = 0;
    std::vector<float> minimum, maximum;  // of the heights
    // A bound on |height - any linear interpolation between heights of points| for triangles whose bounding box is at
    // most 2^l x 2^l grid intervals and whose lower corner lies in the cell: the triangle may reach into the next cells.
    std::vector<float> error;
};

struct HeightPyramid
{
    std::vector<PyramidLevel> levels;
};

// O(width * height).  Source: bilinear heights; the error is propagated upwards through planes (conservative).
HeightPyramid buildPyramid(const HeightField& field);

}  // namespace orogen
