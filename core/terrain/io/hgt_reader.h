// Reader of SRTM tiles, NAME.hgt: a square of one degree in big-endian int16, without a header.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/terrain/io/byte_source.h"
#include "core/terrain/raster/raster.h"

namespace orogen {

// South-western corner (whole degrees).
struct HgtPosition
{
    int latitude, longitude;
};

// Returns the position from a file name such as "N34W119.hgt", in upper or lower case; otherwise empty.
std::optional<HgtPosition> hgtPosition(const std::string& path);

bool isHgtName(const std::string& path);  // ends in .hgt, in any case

// Reads 1201 or 3601 samples a side, void -32768. A name without a position is a warning. The caller sets the pixel
// size with setPixelSize().
Result<Raster> readHgt(const ByteSource& source, const LoadProgress& progress = {});
// Like readHgt() without the samples.
Result<Raster> readHgtHeader(const ByteSource& source);

// Zip archives with one .hgt file (stored or deflated); other files in them are ignored. The position comes from that
// file's name or from the archive's. Memory: the raster and the unpacked file, at most 26 MB.
bool isHgtZip(const ByteSource& source);  // a zip archive whose name, or that of a file in it, ends in .hgt
Result<Raster> readHgtZip(const ByteSource& source, const LoadProgress& progress = {});
Result<Raster> readHgtZipHeader(const ByteSource& source);

// ---- zip archives ----
//
// Archives with stored or deflated files, in which elevation tiles are distributed.
// Source: PKWARE, APPNOTE.TXT 6.3.10, without zip64, encryption and archives of several parts.

struct ZipEntry
{
    std::string name;
    std::uint16_t method = 0;  // 0 stored, 8 deflated
    std::uint32_t crc = 0;
    std::uint64_t packed = 0, size = 0;  // bytes in the archive, and unpacked
    std::uint64_t header = 0;            // offset of its local header
};

// Returns the entries that are files. Errors, kInput: not a zip archive, or truncated, encrypted or of another kind.
Result<std::vector<ZipEntry>> zipEntries(const ByteSource& archive);

// Unpacks an entry of at most `most` bytes, and checks its length and checksum. Memory: the unpacked size, which is
// refused if it exceeds what the packed bytes can hold.
Result<std::vector<std::byte>> unpack(const ByteSource& archive, const ZipEntry& entry, std::uint64_t most);

}  // namespace orogen
