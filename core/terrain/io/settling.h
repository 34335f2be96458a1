// What all sources have in common once their samples are read: what the caller knows better, heights in metres, samples
// that are no heights, the size of a pixel.
#pragma once

#include "core/base/status.h"
#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// From what a reader leaves (heights in the source's unit, raster.code, raster.heightUnit) to metres; samples of
// overrides.nodata become voids.  O(samples) where either is to be done.
void takeMetres(Raster& raster, const SourceOverrides& overrides);

// The last step, after takeMetres(): values that look like an unnamed "no data" are warned about, with how many there
// are and the option that masks them; finishRaster(); coordinate system and pixel size, as the caller or the source
// says.  Errors, kInput: of setPixelSize().
Status settle(Raster& raster, const SourceOverrides& overrides);

// Its second half, for a raster whose heights are elsewhere: coordinate system and pixel size.
Status settlePlace(Raster& raster, const SourceOverrides& overrides);

}  // namespace orogen
