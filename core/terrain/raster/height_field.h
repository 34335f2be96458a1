// What the GPU gets of a raster: 16-bit heights with scale and offset, voids filled and marked.
#pragma once

#include <cstdint>
#include <vector>

#include "core/terrain/raster/flat_cells.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// height = offset + scale * code.  Exact when the samples are whole metres that span at most 65535 (scale 1, integer
// offset), or multiples of 1/2 ... 1/16 m that span as many steps; else the step is (max - min) / 65535 and
// maxQuantisationError() is half of it.
struct HeightField
{
    int width = 0, height = 0;
    double pixelWidth = 1.0, pixelHeight = 1.0;  // metres, the raster's
    float scale = 1.0f, offset = 0.0f;
    bool exact = true;
    std::vector<std::uint16_t> codes;    // row-major, row 0 the northern edge; voids filled smoothly from their rim
    std::vector<std::uint8_t> voidMask;  // 255 where the source has no data; empty if there is no void
    StillWater water;                    // of the raster; none until findStillWater() was asked

    float maxQuantisationError() const { return exact ? 0.0f : 0.5f * scale; }
    std::uint16_t code(int x, int y) const { return codes[std::size_t(y) * std::size_t(width) + std::size_t(x)]; }
    float at(int x, int y) const { return offset + scale * float(code(x, y)); }
};

// O(samples).  A raster that is all voids becomes flat at 0.
HeightField quantise(const Raster& raster);

// Replaces every void by a height, for display and bounds: interpolated from ever coarser means of what is known, and
// smoothed by a fixed, small number of relaxation sweeps at each size.  There is neither a spike nor a seam, and no
// filled height lies outside the known ones; Laplace's equation is approached, not solved: that is what
// compute/voids/void_filling.h does, until its residual is small.  All voids: all become 0.  O(samples); `heights` are
// row-major, NaN is a void.
void fillVoids(std::vector<float>& heights, int width, int height);

// As heightAt(Raster), of the heights that are drawn: never NaN.
float heightAt(const HeightField& field, double east, double north);

}  // namespace orogen
