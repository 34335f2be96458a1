// What orogen info prints: as text for people, as one JSON object for programs.
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

// `filling`: how its voids were filled; null: they were not.  `tiles`: where `raster` is the description of a terrain
// in tiles; null: it is an image, all of which has been read.  `onEarth`: where it lies; null: nowhere, or not known.
std::string rasterText(const Raster& raster, const compute::VoidFilling* filling = nullptr,
                       const TileSource* tiles = nullptr, const EarthExtent* onEarth = nullptr);
std::string rasterJson(const Raster& raster, const compute::VoidFilling* filling = nullptr,
                       const TileSource* tiles = nullptr, const EarthExtent* onEarth = nullptr);

}  // namespace orogen::app
