// Fills the voids of a raster or height field with given heights; known heights stay unchanged bit for bit.
// `heights`: one per void, row by row, in metres.
#pragma once

#include <span>
#include <vector>

#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Rounds to whole metres if all known heights are whole, and clamps to the range of known heights.
Raster withVoidsFilled(const Raster& raster, std::span<const double> heights);

// Removes the void mask.  Refines exact codes with room to steps down to 1/16 m: whole metres would form a staircase.
HeightField withVoidsFilled(const HeightField& field, std::span<const double> heights);

// Returns the heights of a field (metres), NaN where the source has no data.
std::vector<float> knownHeights(const HeightField& field);

}  // namespace orogen
