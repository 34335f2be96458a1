// Reader of zip archives with stored or deflated files, in which elevation tiles are distributed.
// Source: PKWARE, APPNOTE.TXT 6.3.10, without zip64, encryption and archives of several parts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/terrain/io/byte_source.h"

namespace orogen {

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
