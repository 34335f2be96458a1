// Readers of the files beside a raster: world files, six numbers that give an image's position, and .prj files, which
// name its coordinate system.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Returns the possible names of a raster's world file: NAME.pgw for NAME.png, NAME.pngw, NAME.wld.
std::vector<std::string> worldFileNames(const std::string& path);

// Reads the world file beside a raster, if there is one. Damaged, rotated, mirrored and too long ones cause a warning.
void readWorldFile(const std::string& path, Raster& raster);

// ---- coordinate systems ----
//
// Reader of a raster's coordinate system from well-known text (WKT) beside it: NAME.prj for NAME.asc.
// Source: OGC 01-009, with Esri's names of projections.

// Sets the raster's coordinate system from well-known text: its name or EPSG code, and degrees or the unit of lengths.
// Also sets a transverse Mercator or Web Mercator projection, and the vertical unit of a compound system. Returns false
// and changes nothing if the text is invalid.
bool applyWellKnownText(std::string_view text, Raster& raster);

// Returns the names of possible files: NAME.prj, NAME.asc.prj.
std::vector<std::string> prjFileNames(const std::string& path);

// Applies the first of these files that exists; adds a warning if it is invalid.
void readPrjFile(const std::string& path, Raster& raster);

}  // namespace orogen
