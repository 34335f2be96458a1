// Roughness of an elevation model around each sample, which procedural detail below the sample spacing continues.
//
// The measure is the root mean square of second differences h(i - 1) - 2 h(i) + h(i + 1) along columns and rows. It
// covers a window of kRoughnessReach samples in every direction, with the largest weights in the middle. Second
// differences are independent of the slope, and their power is that of the highest frequencies that samples can hold.
// The contribution of rounding to whole metres is subtracted.
//
// The result depends on the surrounding samples alone and is computed in integers. Two windows that both include a
// sample and kTileApron around it have the same code for it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <glm/vec2.hpp>

#include "core/gpu_layout.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/tiles/tile_grid.h"

namespace orogen {

inline constexpr int kRoughnessReach = 6;           // radius of the averaging window (samples)
inline constexpr float kRoughnessUnit = 1.0f / 64;  // value of code 1 (metres)
static_assert(kRoughnessReach + 2 <= kTileApron);

// The data at a place, as procedural detail needs them.
//
// On the Earth an elevation model may lie in a coarser base. The ground around it is refined to join it, but has no
// other data than the base's: there detail continues the base, and ends towards the model.
struct DataRelief
{
    float roughness = 0;       // metres, see roughnessBetween(); 0: no detail
    glm::vec2 slope{0.0f};     // metres per metre along the lattice's x and y
    float betweenSamples = 1;  // 0 at a sample to 1 in the middle between two; for shores (madeHeightOnCube())
    float wide = 0;            // roughness of the base around an elevation model; 0 elsewhere
    float distance = 0;        // metres to the elevation model's data
    float outside = 0;         // interpolation weight of the samples that hold a distance instead of a roughness
};

// Returns betweenSamples at a position in [0, 1] of a cell of samples.
float betweenSamples(glm::vec2 part);

using gpu::kFarthestDistance;
using gpu::kFirstDistance;
// Returns the values of the codes (metres): 0 for code 0, then kRoughnessUnit * 2^((code - 1) / 12), up to 912 m. Codes
// from kFirstDistance on stand for distances to an elevation model (DataRelief::distance) instead; here they are 0.
const std::array<float, 256>& roughnessMetres();

// A distance as a code and its fraction. Steps are below 5 m, and finer near the model: coarse ones would be seen as
// cliffs around it.
struct DistanceCode
{
    std::uint8_t code, fraction;
};
DistanceCode distanceCode(double metres);
float metresOfDistance(DistanceCode distance);

// Computes the codes of samples at least kTileApron inside a window. `heights`: row by row, metres, without NaN. `out`:
// (width - 2 kTileApron) x (height - 2 kTileApron). Code 0 where a cell at the sample is flat, with four equal corners,
// for example on still water. O(samples).
void roughnessCodes(std::span<const float> heights, int width, int height, std::span<std::uint8_t> out);

// Returns the codes of a whole image, row by row; positions outside it use the nearest sample.
std::vector<std::uint8_t> roughnessCodes(const HeightField& field);

// Moves the codes towards the code of a roughness of 150 m, if samples are more than 1 km apart (`spacing`, metres).
// Samples that far apart are averages, and their roughness varies more from place to place than the slopes of the
// ground. Code 0 stays. For samples more than 3 km apart, as in the Earth's relief, codes of a roughness above 3 m move
// farther. Lower codes do not, so that plains stay plains.
void evenCoarseCodes(std::span<std::uint8_t> codes, double spacing);

// Returns the growth of second differences from one sample spacing to two, over a whole image: log2 of the ratio, which
// for fractal ground is its Hurst exponent. Between 0.5 and 1.8; 1 if an image is too small or too level.
double roughnessExponent(const HeightField& field);

}  // namespace orogen
