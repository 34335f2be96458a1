// Grey PNG as heights.
#pragma once

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// A code is a metre: PNG holds no units, which is a warning.  8 bits and fewer are another.  Colour is an error, except
// where the three channels are equal everywhere, as image editors write grey.  The transparent grey value and pixels of
// alpha 0 are voids.  A palette is an error.  Interlaced files are read too.  No placement.
Result<Raster> readPng(const ByteSource& source, const LoadProgress& progress = {});

}  // namespace orogen
