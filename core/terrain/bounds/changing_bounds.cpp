#include "core/terrain/bounds/changing_bounds.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

namespace orogen {

ChangingBounds::ChangingBounds(TerrainBounds bounds, const HeightField& field)
    : heights_(std::move(bounds.heights)), errors_(std::make_shared<DiamondErrors>(std::move(bounds.errors))),
      relief_(std::move(bounds.relief)), before_(*errors_), codes_(field.codes)
{
}

BoundsChange ChangingBounds::update(const HeightField& field, const IndexBox& box)
{
    assert(field.codes.size() == codes_.size());
    BoundsChange change{clipped(box, field.width, field.height), {}, {}};
    for (int y = change.samples.y0; y < change.samples.y1; ++y)
        for (int x = change.samples.x0; x < change.samples.x1; ++x)
        {
            const int by =
                int(field.code(x, y)) - int(codes_[std::size_t(y) * std::size_t(field.width) + std::size_t(x)]);
            low_ = std::min(low_, by);
            high_ = std::max(high_, by);
        }
    change.heights = updatePyramid(heights_, field, change.samples);
    change.errors = updateDiamondErrors(*errors_, before_, field, change.samples, field.scale * float(high_ - low_));
    return change;
}

}  // namespace orogen
