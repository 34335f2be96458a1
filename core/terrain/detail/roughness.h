// How rough an elevation model is around each of its samples: what made relief below their spacing continues.
//
// The measure is the root mean square of second differences at one sample spacing, h(i - 1) - 2 h(i) + h(i + 1) along
// columns and along rows, over a window of kRoughnessReach samples in every direction that weighs the nearest most.  A
// second difference knows no slope, and its power is that of the highest frequencies that samples can hold.  What
// rounding to whole metres adds to it is taken off.
//
// It is a function of the samples around alone, computed in integers: two windows that both have a sample and
// kTileApron around it have the same code for it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/terrain/raster/height_field.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

inline constexpr int kRoughnessReach = 6;           // samples: the window of the mean
inline constexpr float kRoughnessUnit = 1.0f / 64;  // metres: of code 1
static_assert(kRoughnessReach + 2 <= kTileApron);

// Metres that a code stands for: 0 of code 0, then kRoughnessUnit * 2^((code - 1) / 16), up to 940 m.
const std::array<float, 256>& roughnessMetres();

// Codes of the samples that lie kTileApron or more inside a window; `heights` row by row, metres, without NaN, and
// `out` of (width - 2 kTileApron) x (height - 2 kTileApron).  Code 0 where a cell that the sample is a corner of is
// flat: its four corners are equal.  Still water is.  O(samples).
void roughnessCodes(std::span<const float> heights, int width, int height, std::span<std::uint8_t> out);

// Of a whole image, row by row; beyond its border the nearest sample stands.
std::vector<std::uint8_t> roughnessCodes(const HeightField& field);

// How second differences grow from one sample spacing to two, over all of an image: log2 of the ratio, which for
// fractal ground is its Hurst exponent.  Between 0.5 and 1.8; 1 where an image is too small or too level to tell.
double roughnessExponent(const HeightField& field);

}  // namespace orogen
