// Reader of SRTM tiles, NAME.hgt: a square degree of big-endian int16, without a header. GDAL unpacks tiles in
// zip archives.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// South-western corner of a tile (whole degrees).
struct HgtPosition
{
    int latitude, longitude;
};

// Returns the position from a file name such as "N34W119.hgt", in upper or lower case; otherwise empty.
std::optional<HgtPosition> hgtPosition(const std::string& path);

bool isHgtName(const std::string& path);  // ends in .hgt, in any case

// Reads 1201 or 3601 samples per side, void -32768. A name without a position causes a warning. The caller sets the
// pixel size with setPixelSize(). Errors: kInput (another file size, a truncated file), kLimit, kInterrupted.
Result<Raster> readHgt(const ByteSource& source, const LoadProgress& progress = {});
// Like readHgt() without the samples.
Result<Raster> readHgtHeader(const ByteSource& source);

// Zip archives with one .hgt file, unpacked by GDAL; other files in them are ignored. The archive is a file, not
// memory. The position comes from the .hgt file's name or the archive's. Memory: the raster, and the unpacked file (at
// most 26 MB). Errors, kInput: those of readHgt(), a damaged archive, and any archive in a program built without GDAL.
bool isHgtZip(const ByteSource& source);  // a zip named NAME.hgt.zip, or with a .hgt file in it; false without GDAL
Result<Raster> readHgtZip(const ByteSource& source, const LoadProgress& progress = {});
Result<Raster> readHgtZipHeader(const ByteSource& source);

}  // namespace orogen
