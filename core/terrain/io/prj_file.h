// The coordinate system beside a raster, NAME.prj for NAME.asc: well-known text, as Esri and GDAL write it.
// Source: OGC 01-009, with Esri's names of projections.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/terrain/raster/raster.h"

namespace orogen {

// Sets the raster's coordinate system from well-known text: its name or EPSG number, degrees or the unit of its
// lengths, and the projection where it is a transverse Mercator or Web Mercator; the vertical unit of a compound
// system.  False, and nothing is changed: it is no such text.
bool applyWellKnownText(std::string_view text, Raster& raster);

// Names of the files that may say it: NAME.prj, NAME.asc.prj.
std::vector<std::string> prjFileNames(const std::string& path);

// The same from the first such file that is there.  One that is none is a warning.
void readPrjFile(const std::string& path, Raster& raster);

}  // namespace orogen
