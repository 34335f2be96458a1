// Terrain options shared by commands: corrections of what the file says, names, initial place.
#pragma once

#include "app/session/session_options.h"

namespace CLI {
class App;
}

namespace orogen::app {

// Adds --nodata V, --pixel-size X,Y, --crs C and --unit metre/foot/us-foot, stored in `overrides` when given.
void addTerrainOptions(CLI::App& command, SourceOverrides& overrides);

// Adds DEM: one terrain, or `earth` and elevation models in it.
void addTerrainNames(CLI::App& command, SessionOptions& options, const char* what);
// Adds --goto LAT,LON,HEIGHT.
void addGoTo(CLI::App& command, SessionOptions& options);

}  // namespace orogen::app
