// Reader of world files: six numbers beside an image that give its position.
#pragma once

#include <string>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Returns the possible names of a raster's world file: NAME.pgw for NAME.png, NAME.pngw, NAME.wld.
std::vector<std::string> worldFileNames(const std::string& path);

// Reads the world file beside a raster, if there is one. Damaged, rotated, mirrored and too long ones cause a warning.
void readWorldFile(const std::string& path, Raster& raster);

}  // namespace orogen
