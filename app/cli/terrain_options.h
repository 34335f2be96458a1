// Options that say of a terrain what its file does not, or says wrongly: the same of view, capture and info.
#pragma once

#include "core/terrain/io/source_overrides.h"

namespace CLI {
class App;
}

namespace orogen::app {

// Adds --nodata V, --pixel-size X,Y, --crs C and --unit metre/foot/us-foot, written to `overrides` when given.
void addTerrainOptions(CLI::App& command, SourceOverrides& overrides);

}  // namespace orogen::app
