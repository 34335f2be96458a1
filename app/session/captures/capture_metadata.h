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

// Describes everything except picture size and terrain.  Asks CUDA for its devices: some 100 ms with a driver.
ReportMetadata describeSession(const Context& context, std::uint64_t shadersHash, bool timersOffered);

void setPath(ReportMetadata& metadata, const CameraPath& path, const std::string& name);

// Returns the SHA-256 of the terrain's source, reproducible outside the program:
//   a file             its bytes, as `sha256sum FILE`
//   a folder of tiles  the lines that `sha256sum *` prints for its files, names ascending
//   synthetic:...      that text
// If voids were filled in the viewer, a report has instead the SHA-256 of the text "HASH, voids filled".
// Reads the whole file: about 0.5 s per GB.  Error: kInput.
inline constexpr const char* kVoidsFilled = ", voids filled";
Result<std::string> heightmapHash(const std::string& dem, bool synthetic);

// Hashes a tiled terrain.  For sources above kMostHashedBytes, or on a network, hashes the description and the heights
// of the overview instead of all bytes.
inline constexpr std::uint64_t kMostHashedBytes = std::uint64_t(1) << 30;
Result<std::string> tiledHash(const Raster& raster, const HeightField& overview);

}  // namespace orogen::app
