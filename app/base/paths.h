// Where the program's files are: shaders/, core/gpu_layout.h and assets/ below one folder.
#pragma once

#include <filesystem>

#include "core/base/status.h"

namespace orogen::app {

// OROGEN_DATA_DIR in the environment; else the nearest folder above the executable that holds shaders/ and
// core/gpu_layout.h itself, or in share/orogen as installed, or is the build folder of a tree that does.  Error kInput:
// what was looked for and where.
Result<std::filesystem::path> dataDirectory();

// Below it.
inline constexpr const char* kShippedTerrain = "assets/heightmaps/bigtujunga.tif";
inline constexpr const char* kBenchTerrain = "assets/heightmaps/jacksboro.tif";
inline constexpr const char* kEarthRelief = "assets/earth/etopo5.tif";
inline constexpr const char* kCameraPaths = "assets/camera_paths";
inline constexpr const char* kPresets = "assets/presets";

}  // namespace orogen::app
