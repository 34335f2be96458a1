// Writer of GeoTIFF files.
#pragma once

#include <string>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Writes the raster to `path`, atomically: int16 if all heights are whole metres in its range, otherwise float32. Voids
// are -32768 or NaN, and declared as nodata. Uncompressed; BigTIFF from 4 GB on. Keeps placement and coordinate system
// if known, but not an assumed pixel size. Errors: kOutput.
Status writeGeoTiff(const Raster& raster, const std::string& path);

}  // namespace orogen
