// Reader of grey PNG files as heights.
#pragma once

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// Reads codes as metres, with a warning since PNG has no units, and another for 8 bits or fewer. Colour is an error,
// unless the three channels are equal everywhere, as some image editors write grey. The transparent grey value and
// pixels of alpha 0 are voids. A palette is an error. Interlaced files are supported. No placement.
Result<Raster> readPng(const ByteSource& source, const LoadProgress& progress = {});

}  // namespace orogen
