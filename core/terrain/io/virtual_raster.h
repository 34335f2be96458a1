// Checks of GDAL's virtual rasters (VRT) before GDAL opens the files they name. Only with OROGEN_HAVE_GDAL.
#pragma once

#include <string>

#include "core/base/status.h"

namespace orogen {

// Checks a VRT; returns ok for other files. Errors, kInput: a VRT refers to itself, directly or through others. Or a
// VRT in a local file refers to a GDAL path (/vsi...) or a URL, which only the user may give. Reads the file, and the
// first bytes of each file it names.
Status checkVirtualRaster(const std::string& name);

}  // namespace orogen
