// Output of orogen info: text, or one JSON object.
#pragma once

#include <string>

#include "app/cli/system_report.h"
#include "compute/voids/void_filling.h"
#include "core/terrain/earth/inset_map.h"
#include "core/terrain/raster/raster.h"
#include "core/terrain/tiles/tile_source.h"

namespace orogen::app {

std::string systemText(const SystemReport& report);
std::string systemJson(const SystemReport& report);

// `filling`: result of filling the voids; null: not filled.  `tiles`: for a tiled terrain, described by `raster`; null:
// a fully loaded image.  `onEarth`: its extent there; null: not georeferenced.
std::string rasterText(const Raster& raster, const compute::VoidFilling* filling = nullptr,
                       const TileSource* tiles = nullptr, const EarthExtent* onEarth = nullptr);
std::string rasterJson(const Raster& raster, const compute::VoidFilling* filling = nullptr,
                       const TileSource* tiles = nullptr, const EarthExtent* onEarth = nullptr);

}  // namespace orogen::app
