// Steps common to all sources after their samples are read: user overrides, conversion to metres, voids, pixel size.
#pragma once

#include "core/base/status.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Converts a reader's result (heights in the source's unit, raster.code, raster.heightUnit) to metres. Samples of
// overrides.nodata become voids. O(samples) if there is a conversion or a nodata value.
void takeMetres(Raster& raster, const SourceOverrides& overrides);

// Completes the raster after takeMetres(). Warns about values that look like an undeclared "no data", with their number
// and the option that masks them. Calls finishRaster(), and sets coordinate system and pixel size from the overrides or
// the source. Errors, kInput: those of setPixelSize().
Status settle(Raster& raster, const SourceOverrides& overrides);

// Does the second part of settle(), for a raster whose heights are stored elsewhere: coordinate system and pixel size.
Status settlePlace(Raster& raster, const SourceOverrides& overrides);

}  // namespace orogen
