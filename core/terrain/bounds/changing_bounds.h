// Bounds of a height field whose samples change while it is shown.  The bounds hold at once after each change; a new
// build makes them as tight as those of an unchanged field.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

// Parts of the bounds that a change touched.
struct BoundsChange
{
    IndexBox samples;
    std::vector<IndexBox> heights;  // changed cells of each level of HeightPyramid
    std::vector<IndexBox> errors;   // changed entries of each level of DiamondErrors
};

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
    bool exact() const { return low_ == 0 && high_ == 0; }  // no sample has changed since the build

private:
    HeightPyramid heights_;
    std::shared_ptr<DiamondErrors> errors_;
    std::shared_ptr<const MadeRelief> relief_;
    DiamondErrors before_;              // errors at the build
    std::vector<std::uint16_t> codes_;  // the field's codes at the build
    int low_ = 0, high_ = 0;            // range of changes since the build (codes)
};

}  // namespace orogen
