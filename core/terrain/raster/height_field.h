// A raster as uploaded to the GPU: 16-bit heights with scale and offset, voids filled and marked.
#pragma once

#include <cstdint>
#include <vector>

#include "core/terrain/raster/flat_cells.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Quantised heights: height = offset + scale * code. They are exact if the samples are whole metres that span at most
// 65535 (scale 1, integer offset), or multiples of 1/2 ... 1/16 m that span as many steps. Otherwise the step is (max -
// min) / 65535, and maxQuantisationError() is half of it.
struct HeightField
{
    int width = 0, height = 0;
    double pixelWidth = 1.0, pixelHeight = 1.0;  // metres, the raster's
    float scale = 1.0f, offset = 0.0f;
    bool exact = true;
    std::vector<std::uint16_t> codes;    // row-major, row 0 is the northern edge; voids are filled from their rim
    std::vector<std::uint8_t> voidMask;  // 255 where the source has no data; empty if there is no void
    StillWater water;                    // empty until findStillWater() fills it

    float maxQuantisationError() const { return exact ? 0.0f : 0.5f * scale; }
    std::uint16_t code(int x, int y) const { return codes[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    float at(int x, int y) const { return offset + scale * float(code(x, y)); }
};

// Converts a raster. A raster of voids only becomes flat at 0. O(samples).
HeightField quantise(const Raster& raster);

// Replaces every void by a height, for display and bounds. Interpolates from ever coarser means of the known heights,
// with a fixed, small number of relaxation sweeps at each size. The result has no spikes or seams, and lies within the
// range of the known heights. It approximates Laplace's equation; compute/voids/void_filling.h solves it to a small
// residual. If all are voids, all become 0. O(samples); `heights` are row-major, NaN is a void.
void fillVoids(std::vector<float>& heights, int width, int height);

// Like heightAt(Raster) for the drawn heights: never NaN.
float heightAt(const HeightField& field, double east, double north);

}  // namespace orogen
