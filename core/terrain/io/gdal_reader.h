// Every other raster that GDAL knows (DTED, ASCII grids, ERDAS, VRT ...), where the program was built with it.
#pragma once

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

bool builtWithGdal();

// The first band as heights.  GDAL opens the file by its name; its messages are kept and nothing is printed.  The pixel
// size in metres is left to setPixelSize().  Defined only with OROGEN_HAVE_GDAL.
Result<Raster> readWithGdal(const ByteSource& source, const LoadProgress& progress = {});
// The same without the samples, by a file's name or a path of GDAL's.
Result<Raster> readGdalHeader(const std::string& name, std::uint64_t largestSide);

}  // namespace orogen
