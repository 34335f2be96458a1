// SRTM tiles, NAME.hgt: a degree square of big-endian int16 without a header.
#pragma once

#include <optional>
#include <string>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// The south-western corner, in whole degrees.
struct HgtPosition
{
    int latitude, longitude;
};

// From the name's last part, "N34W119.hgt" in upper or lower case; empty if it is none.
std::optional<HgtPosition> hgtPosition(const std::string& path);

// 1201 or 3601 samples a side, void -32768.  A name without a position is a warning.  The pixel size in metres is left
// to setPixelSize().
Result<Raster> readHgt(const ByteSource& source, const LoadProgress& progress = {});
// The same without the samples.
Result<Raster> readHgtHeader(const ByteSource& source);

}  // namespace orogen
