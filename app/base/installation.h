// The installed program: version of this build, and folder of its data (shaders/, core/gpu_layout.h and assets/).
#pragma once

#include <filesystem>
#include <string>

#include "core/base/status.h"

namespace orogen::app {

std::string versionNumber();  // "0.1.0"
std::string versionCommit();  // "0123456789ab", with "-dirty" for a modified tree; "unknown" outside a repository
std::string versionText();    // "orogen 0.1.0 (0123456789ab)"

// Returns the data directory, which holds shaders/ and core/gpu_layout.h.  This is OROGEN_DATA_DIR if set.  Otherwise
// searches the folders above the executable, nearest first: each folder itself, its share/orogen and, for a build
// folder, its source tree.  Error kInput: the chosen or searched folders lack these files.
Result<std::filesystem::path> dataDirectory();

// Paths relative to the data directory.
inline constexpr const char* kShippedTerrain = "assets/heightmaps/bigtujunga.tif";
inline constexpr const char* kBenchTerrain = "assets/heightmaps/jacksboro.tif";
inline constexpr const char* kEarthRelief = "assets/earth/etopo5.tif";
inline constexpr const char* kCameraPaths = "assets/camera_paths";
inline constexpr const char* kPresets = "assets/presets";

}  // namespace orogen::app
