// A raster as GeoTIFF.
#pragma once

#include <string>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Writes the raster to `path`, atomically: int16 where its heights are whole metres in that range, else float32; voids
// are -32768 or NaN and named as nodata.  Uncompressed, BigTIFF from 4 GB on.  Placement and coordinate system are kept
// as far as they are known; a pixel size that was only assumed is not written.  Errors: kOutput.
Status writeGeoTiff(const Raster& raster, const std::string& path);

}  // namespace orogen
