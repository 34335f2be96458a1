#include "core/terrain/sources/heights_in_metres.h"

#include <cmath>

#include "core/terrain/raster/raster_making.h"

namespace orogen {

HeightsInMetres::HeightsInMetres(const Raster& described, const SourceOverrides& overrides)
    : masked_(overrides.nodata.has_value()), unit_(described.code.unit)
{
    if (!masked_) return;
    SampleCode code = described.code;
    code.unit = 1.0;
    // A float32 sample is the rounded value of the option's number.
    exact_ = code.heightOf(*overrides.nodata);
    rounded_ = code.heightOf(double(float(*overrides.nodata)));
}

void HeightsInMetres::apply(std::span<float> heights) const
{
    for (float& height : heights)
    {
        if (masked_ && (height == exact_ || height == rounded_)) height = kVoid;
        if (unit_ != 1.0) height = float(double(height) * unit_);
        if (!(std::fabs(height) <= kLargestHeight)) height = kVoid;
    }
}

}  // namespace orogen
