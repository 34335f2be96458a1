// The six numbers beside an image that say where it lies.
#pragma once

#include <string>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Names of the world files that a raster file may have: NAME.pgw for NAME.png, NAME.pngw, NAME.wld.
std::vector<std::string> worldFileNames(const std::string& path);

// Reads the world file beside a raster file, if there is one.  Damaged, rotated, mirrored and overlong ones are a
// warning.
void readWorldFile(const std::string& path, Raster& raster);

}  // namespace orogen
