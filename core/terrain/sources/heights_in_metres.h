// What becomes of a reader's heights before they are a tile's, as takeMetres() and finishRaster() do with those of a
// whole raster.
#pragma once

#include <span>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

class HeightsInMetres
{
public:
    // Heights in the source's unit, that of `described` after takeMetres().
    HeightsInMetres(const Raster& described, const SourceOverrides& overrides);

    // Samples of overrides.nodata and what is no height become NaN, the others metres.
    void apply(std::span<float> heights) const;

private:
    bool masked_ = false;
    float exact_ = 0, rounded_ = 0;  // what the caller calls "no data"
    double unit_ = 1.0;              // metres
};

}  // namespace orogen
