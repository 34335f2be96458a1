// Pictures that are laid over a terrain: aerial photographs, scanned maps.
#pragma once

#include <string>

#include "core/base/status.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/picture.h"

namespace orogen {

// PNG with at most 8 bits a sample, palettes too; TIFF of 8-bit grey, RGB, RGBA or JPEG's YCbCr, in strips or tiles,
// with what libtiff was built to decode.  Where it lies: GeoTIFF tags, or a world file beside it.  Errors: kInput (one
// line: file, place, found, expected; also for more than kMaxRasterSide a side), kLimit (does not fit in memory),
// kInterrupted.  Memory: 4 bytes a pixel.
Result<Picture> readPicture(const ByteSource& source, const LoadProgress& progress = {});
Result<Picture> loadPicture(const std::string& path, const LoadProgress& progress = {});

}  // namespace orogen
