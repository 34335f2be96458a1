// Conversion of a reader's heights for a tile, equivalent to takeMetres() and finishRaster() for a whole raster.
#pragma once

#include <span>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

class HeightsInMetres
{
public:
    // Converts heights in the unit of the source; `described` is its description after takeMetres().
    HeightsInMetres(const Raster& described, const SourceOverrides& overrides);

    // Converts heights to metres; samples of overrides.nodata and invalid heights become NaN.
    void apply(std::span<float> heights) const;

private:
    bool masked_ = false;
    float exact_ = 0, rounded_ = 0;  // the user's "no data"
    double unit_ = 1.0;              // metres
};

}  // namespace orogen
