// A file out of a zip archive: stored or deflated, as elevation tiles are handed out.
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
    std::uint64_t header = 0;            // where its local header lies
};

// The entries that are files.  Errors, kInput: no zip archive, or one that is cut off, encrypted or of another kind.
Result<std::vector<ZipEntry>> zipEntries(const ByteSource& archive);

// Unpacks an entry of at most `most` bytes, and checks its length and checksum.  Memory: what the entry really holds,
// which is refused where it claims more than its packed bytes can.
Result<std::vector<std::byte>> unpack(const ByteSource& archive, const ZipEntry& entry, std::uint64_t most);

}  // namespace orogen
