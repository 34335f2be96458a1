// Reader of a raster's coordinate system from well-known text (WKT) beside it: NAME.prj for NAME.asc.
// Source: OGC 01-009, with Esri's names of projections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Sets the raster's coordinate system from well-known text: its name or EPSG code, and degrees or the unit of lengths.
// Also sets a transverse Mercator or Web Mercator projection, and the vertical unit of a compound system. Returns false
// and changes nothing if the text is invalid.
bool applyWellKnownText(std::string_view text, Raster& raster);

// Returns the names of possible files: NAME.prj, NAME.asc.prj.
std::vector<std::string> prjFileNames(const std::string& path);

// Applies the first of these files that exists; adds a warning if it is invalid.
void readPrjFile(const std::string& path, Raster& raster);

}  // namespace orogen
