// Bounds on blocks of a height field: lowest and highest point, and how far a triangle can be from the surface.
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
    // A bound on |height - linear interpolation between the heights of its corners| for every triangle whose bounding
    // box is at most 2^l x 2^l grid intervals and whose lower corner (least column, least row) lies in the cell: the
    // triangle may reach into the next cells.  Corners may lie between grid points; the surface is bilinear.
    std::vector<float> error;
};

struct HeightPyramid
{
    std::vector<PyramidLevel> levels;
};

// O(width * height) time; memory: the result, 16 bytes a sample, and 4 more while it runs.
// Error bound: each block keeps a plane and how far heights leave it upwards and downwards; four blocks give the next
// level's.  A triangle's plane is a convex mixture of the same residuals, so it is off by at most their whole range.
HeightPyramid buildPyramid(const HeightField& field);

// For leaves that are drawn as patches of 4^patchLevel triangles: entry L, in the shape of levels[L].error, is for each
// cell the largest levels[max(L - patchLevel, 0)].error of the cells inside it.  A leaf whose bounding box is at most
// 2^L x 2^L intervals is bounded by the largest entry of the (up to 2x2) cells that its bounding box touches.
std::vector<std::vector<float>> errorForPatchLevel(const HeightPyramid& pyramid, int patchLevel);

}  // namespace orogen
