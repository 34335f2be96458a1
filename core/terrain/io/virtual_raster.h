// GDAL's virtual rasters (VRT), looked through before GDAL opens what they name.  Only with OROGEN_HAVE_GDAL.
#pragma once

#include <string>

#include "core/base/status.h"

namespace orogen {

// Ok for what is no VRT.  Errors, kInput: one that names itself, be it by way of others; one in a file that names a
// path of GDAL's (/vsi...) or a URL, which only the user may.  Cost: the file, and the first bytes of each that it
// names.
Status checkVirtualRaster(const std::string& name);

}  // namespace orogen
