// Readers of the files beside a raster: world files, six numbers that give an image's position, and .prj files, which
// name its coordinate system.
#pragma once

#include <string>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Returns the possible names of a raster's world file: NAME.pgw for NAME.png, NAME.pngw, NAME.wld.
std::vector<std::string> worldFileNames(const std::string& path);

// Reads the world file beside a raster, if there is one, into its placement. Ignores files that are damaged, rotated,
// mirrored or too long, with a warning.
void readWorldFile(const std::string& path, Raster& raster);

// ---- coordinate systems: NAME.prj for NAME.asc, read through GDAL ----

// Returns the names of possible files: NAME.prj, NAME.asc.prj.
std::vector<std::string> prjFileNames(const std::string& path);

// Applies the first of these files that exists. Adds a warning if it is invalid, or if the program was built without
// GDAL.
void readPrjFile(const std::string& path, Raster& raster);

}  // namespace orogen
