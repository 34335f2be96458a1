// A raster or a height field with other heights in the place of its voids; what is known stays as it is, bit for bit.
// `heights`: of the voids, row by row, in metres, as many as there are.
#pragma once

#include <span>
#include <vector>

#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Rounded to whole metres where all known heights are, and kept between the lowest and the highest of them.
Raster withVoidsFilled(const Raster& raster, std::span<const double> heights);

// Without a mask.  Where the codes are exact and leave room, their step becomes finer, down to 1/16 m: a smooth fill in
// whole metres would be a staircase.
HeightField withVoidsFilled(const HeightField& field, std::span<const double> heights);

// The heights of a field, NaN where the source has no data.
std::vector<float> knownHeights(const HeightField& field);

}  // namespace orogen
