// Precomputed data of a terrain: the bounds of its heights for culling, the errors of its triangles for level of
// detail, and the procedural detail below its samples.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/terrain/bounds/diamond_errors.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Bounds of blocks of the grid. Level l has cells of n = 2^(l + 1) grid intervals; cell (i, j) covers grid points [i n,
// (i + 1) n] x [j n, (j + 1) n], closed, clamped to the raster. The last level is 1x1. Rows and columns are as in the
// raster. The GPU gets the cells as they are in memory.
struct PyramidLevel
{
    struct Cell
    {
        std::uint16_t lowest = 0, highest = 0;  // codes of the height field

        bool operator==(const Cell&) const = default;
    };

    int width = 0, height = 0;  // cells: ceil((samples - 1) / n)
    std::vector<Cell> cells;    // row by row
};

struct HeightPyramid
{
    std::vector<PyramidLevel> levels;
};

// Builds the pyramid. O(width * height) time; memory: the result, 4/3 byte per sample.
HeightPyramid buildPyramid(const HeightField& field);

// Updates the pyramid after the samples of a box changed. Returns the cells of each level that contain these samples.
std::vector<IndexBox> updatePyramid(HeightPyramid& pyramid, const HeightField& field, const IndexBox& box);

struct TerrainBounds
{
    HeightPyramid heights;
    DiamondErrors errors;  // without levels: not measured
    std::shared_ptr<const MadeRelief> relief;
};

// Builds the bounds of heights and the procedural detail, but no errors.
TerrainBounds boundsWithoutErrors(const HeightField& field);

// Builds all bounds. Error kInterrupted: `progress` returned false.
Result<TerrainBounds> buildBounds(const HeightField& field, const BoundsProgress& progress = {},
                                  ErrorRange range = ErrorRange::kPresent);

// Parts of the bounds that a change touched.
struct BoundsChange
{
    IndexBox samples;
    std::vector<IndexBox> heights;  // changed cells of each level of HeightPyramid
    std::vector<IndexBox> errors;   // changed entries of each level of DiamondErrors
};

// Bounds of a height field whose samples change while it is shown. After each update() they are valid, but errors may
// be too large. Only a new build makes them as tight as those of an unchanged field.
class ChangingBounds
{
public:
    // Takes the bounds of `field`, which buildBounds() made with ErrorRange::kAllCodes. Copies its codes.
    ChangingBounds(TerrainBounds bounds, const HeightField& field);

    // Updates the bounds after samples in `box` changed. The field keeps its size, scale and offset. Takes about one
    // microsecond per sample of the box.
    BoundsChange update(const HeightField& field, const IndexBox& box);

    const HeightPyramid& heights() const { return heights_; }
    std::shared_ptr<const DiamondErrors> errors() const { return errors_; }      // update() changes them in place
    const std::shared_ptr<const MadeRelief>& relief() const { return relief_; }  // that of the build
    bool exact() const { return low_ == 0 && high_ == 0; }  // no update() has found a change since the build

private:
    HeightPyramid heights_;
    std::shared_ptr<DiamondErrors> errors_;
    std::shared_ptr<const MadeRelief> relief_;
    DiamondErrors before_;              // errors at the build
    std::vector<std::uint16_t> codes_;  // the field's codes at the build
    int low_ = 0, high_ = 0;            // range of changes since the build (codes)
};

}  // namespace orogen
