// What orogen info prints: as text for people, as one JSON object for programs.
#pragma once

#include <string>

#include "app/system_report.h"
#include "core/terrain/raster.h"

namespace orogen::app {

std::string systemText(const SystemReport& report);
std::string systemJson(const SystemReport& report);
std::string rasterText(const Raster& raster);
std::string rasterJson(const Raster& raster);

}  // namespace orogen::app
