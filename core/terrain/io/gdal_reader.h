// Reader of all other rasters through GDAL (DTED, ERDAS, VRT ...), if the program was built with it.
#pragma once

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

bool builtWithGdal();

// Reads the first band as heights. GDAL opens the file by its name; its messages are captured, not printed. The caller
// sets the pixel size with setPixelSize(). Defined only with OROGEN_HAVE_GDAL.
Result<Raster> readWithGdal(const ByteSource& source, const LoadProgress& progress = {});
// Like readWithGdal() without the samples. `name`: a file or a GDAL path.
Result<Raster> readGdalHeader(const std::string& name, std::uint64_t largestSide);

}  // namespace orogen
