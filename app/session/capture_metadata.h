// What a frame-time report says about the machine, the program and the session it was captured in.
#pragma once

#include <cstdint>
#include <string>

#include "app/gl/context.h"
#include "core/frames/report/report.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/view/camera_path.h"

namespace orogen::app {

// Everything but the picture's size and the terrain.  Asks CUDA for its devices: some 100 ms where there is a driver.
ReportMetadata describeSession(const Context& context, std::uint64_t shadersHash, bool timersOffered);

void setPath(ReportMetadata& metadata, const CameraPath& path, const std::string& name);

// SHA-256 of what the terrain was made of, as a person can check it:
//   a file             of its bytes, as `sha256sum FILE`
//   a folder of tiles  of the lines that `sha256sum *` prints for its files, names ascending
//   synthetic:...      of that text, which makes all of it
// Where its voids were filled in the viewer, a report has the SHA-256 of that and kVoidsFilled instead.
// Error: kInput.  Reads the whole file: about 0.5 s a GB.
inline constexpr const char* kVoidsFilled = ", voids filled";
Result<std::string> heightmapHash(const std::string& dem, bool synthetic);

// The same of a terrain in tiles that is not to be read whole: a file or folder above kMostHashedBytes, or one in a
// network, has that of its description and of the heights of its overview.
inline constexpr std::uint64_t kMostHashedBytes = std::uint64_t(1) << 30;
Result<std::string> tiledHash(const Raster& raster, const HeightField& overview);

}  // namespace orogen::app
