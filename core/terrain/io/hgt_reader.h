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

bool isHgtName(const std::string& path);  // ends in .hgt, in any case

// 1201 or 3601 samples a side, void -32768.  A name without a position is a warning.  The pixel size in metres is left
// to setPixelSize().
Result<Raster> readHgt(const ByteSource& source, const LoadProgress& progress = {});
// The same without the samples.
Result<Raster> readHgtHeader(const ByteSource& source);

// A zip archive with one .hgt file in it (stored or deflated; other files beside it are passed over), whose position is
// told by that file's name or by the archive's.  Memory: the raster and the unpacked file, 26 MB at most.
bool isHgtZip(const ByteSource& source);  // a zip archive, and it or a file in it is called .hgt
Result<Raster> readHgtZip(const ByteSource& source, const LoadProgress& progress = {});
Result<Raster> readHgtZipHeader(const ByteSource& source);

}  // namespace orogen
