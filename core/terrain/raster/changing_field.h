// Height fields whose heights change: codes with room above and below.
#pragma once

#include <span>

#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/index_box.h"

namespace orogen {

// Encodes heights (metres, row by row; NaN: void) as a field of the size, spacing and voids of `like`, without still
// water. Keeps the scale and offset of `shown` if all heights fit. Otherwise, or if `shown` is null, chooses codes with
// room above and below: half the range of heights, at least 100 m. Voids get heights interpolated from around them.
HeightField encodedField(std::span<const float> heights, const HeightField& like, const HeightField* shown);

// Encodes the heights of a box again. Voids keep their codes. Returns whether all heights are in the range of codes;
// others get the nearest code.
bool encodeBox(HeightField& field, std::span<const float> heights, const IndexBox& box);

struct LowHigh
{
    float low = 0, high = 0;
};
// Returns the lowest and the highest height of the samples that are not voids (metres); 0 and 0 if all are voids.
LowHigh rangeOf(const HeightField& field);

}  // namespace orogen
