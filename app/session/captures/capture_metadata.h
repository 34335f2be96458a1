// Metadata of a frame-time report: machine, program and session.
#pragma once

#include <cstdint>
#include <string>

#include "app/gl/context.h"
#include "core/frames/report/report.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/view/camera_path.h"

namespace orogen::app {

// Returns the metadata without picture size, camera path and terrain.  Asks CUDA for its devices, which takes some
// 100 ms with a driver.
ReportMetadata describeSession(const Context& context, std::uint64_t shadersHash, bool timersOffered);

// Sets the name and hash of the camera path.  `name`: used if the path itself has no name.
void setPath(ReportMetadata& metadata, const CameraPath& path, const std::string& name);

// Returns the SHA-256 of the terrain's source, reproducible outside the program:
//   a file             its bytes, as `sha256sum FILE`
//   a folder of tiles  the lines that `sha256sum *` prints for its files, names ascending
//   synthetic:...      that text
// Reads the whole file: about 0.5 s per GB.  Error: kInput.
//
// If voids were filled in the viewer, the report contains the SHA-256 of the text "HASH, voids filled" instead.
inline constexpr const char* kVoidsFilled = ", voids filled";
Result<std::string> heightmapHash(const std::string& dem, bool synthetic);

// Returns the SHA-256 of a tiled terrain: heightmapHash() up to kMostHashedBytes.  For larger sources, or sources on a
// network, hashes the description and the heights of `overview` instead.
inline constexpr std::uint64_t kMostHashedBytes = std::uint64_t(1) << 30;
Result<std::string> tiledHash(const Raster& raster, const HeightField& overview);

}  // namespace orogen::app
