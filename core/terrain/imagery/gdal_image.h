// Pictures that GDAL reads: JPEG, WebP, JPEG 2000, MBTiles, virtual rasters, object storage (/vsi...), and the web
// services WMS, WMTS and templates of tiles.
#pragma once

#include <memory>
#include <string>

#include "core/base/status.h"
#include "core/terrain/imagery/image_source.h"

namespace orogen {

// Opens a picture, which readers read in windows. GDAL chooses the overview that fits an image's size. Errors: those of
// openGdal(); kInput: no GDAL in the program, a band of the first 4 not of 8 bits, no band but alpha, sides above 2^30.
Result<std::shared_ptr<const ImagerySource>> openGdalImage(const std::string& name);

// Returns whether GDAL finds a file to be a picture: three bands or more, the first of 8 bits. False without GDAL.
bool isGdalPicture(const std::string& name);

}  // namespace orogen
