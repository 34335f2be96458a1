// The step of 16-bit codes may be too coarse for a smooth fill.  It is refined only if all known heights stay exact.
#include "compute/voids/filled_voids.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace orogen {
namespace {

constexpr float kFinestStep = 1.0f / 16.0f;  // metres

// Halves the step while it exceeds kFinestStep and the codes fit in 16 bits; all heights stay unchanged.
void refine(HeightField& field)
{
    unsigned factor = 1;
    const unsigned highest = *std::ranges::max_element(field.codes);
    while (field.exact && field.scale > kFinestStep && 2 * factor * highest <= 65535)
    {
        factor *= 2;
        field.scale /= 2;
    }
    for (std::uint16_t& code : field.codes)
        code = std::uint16_t(code * factor);
}

}  // namespace

Raster withVoidsFilled(const Raster& raster, std::span<const double> heights)
{
    assert(heights.size() == raster.voids);
    const bool whole = std::ranges::all_of(raster.heights, [](float h) { return std::isnan(h) || h == std::floor(h); });
    Raster filled = raster;
    std::size_t next = 0;
    for (float& height : filled.heights)
    {
        if (!std::isnan(height)) continue;
        const double value = whole ? std::floor(heights[next] + 0.5) : heights[next];
        height = std::clamp(float(value), raster.minHeight, raster.maxHeight);
        ++next;
    }
    filled.voids = 0;
    return filled;
}

HeightField withVoidsFilled(const HeightField& field, std::span<const double> heights)
{
    HeightField filled = field;
    filled.voidMask.clear();
    refine(filled);
    std::size_t next = 0;
    for (std::size_t i = 0; i < field.voidMask.size(); ++i)
    {
        if (field.voidMask[i] == 0) continue;
        assert(next < heights.size());
        const double code = (heights[next++] - double(filled.offset)) / double(filled.scale);
        filled.codes[i] = std::uint16_t(std::clamp(std::floor(code + 0.5), 0.0, 65535.0));
    }
    return filled;
}

std::vector<float> knownHeights(const HeightField& field)
{
    std::vector<float> heights(field.codes.size());
    for (std::size_t i = 0; i < heights.size(); ++i)
        heights[i] = field.offset + field.scale * float(field.codes[i]);
    for (std::size_t i = 0; i < field.voidMask.size(); ++i)
        if (field.voidMask[i] != 0) heights[i] = std::numeric_limits<float>::quiet_NaN();
    return heights;
}

}  // namespace orogen
