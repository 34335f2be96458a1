#include "core/terrain/io/zip_archive.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

constexpr std::uint32_t kLocal = 0x04034b50, kCentral = 0x02014b50, kEnd = 0x06054b50;
constexpr std::size_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22;
constexpr std::uint64_t kLongestComment = 65'535;
constexpr std::uint64_t kMostEntries = 1000;
constexpr std::uint64_t kMostInflation = 1040;  // deflate expands by a factor of at most 1032
constexpr std::uint32_t kZip64 = 0xffffffff;
constexpr std::size_t kZipPiece = 64 << 10;

template <class T>
T littleEndian(const unsigned char* at)
{
    T value = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i)
        value = T(value | T(T(at[i]) << (8 * i)));
    return value;
}

struct ZipDirectory
{
    std::uint64_t entries, size, offset;
};

Result<ZipDirectory> findDirectory(const ByteSource& archive)
{
    const std::uint64_t length = std::min<std::uint64_t>(archive.size(), kEndSize + kLongestComment);
    std::vector<unsigned char> tail(std::size_t(length), 0);
    const std::size_t read = archive.read(archive.size() - length, tail.data(), tail.size());
    for (std::size_t at = read >= kEndSize ? read - kEndSize + 1 : 0; at-- > 0;)
    {
        if (littleEndian<std::uint32_t>(&tail[at]) != kEnd) continue;
        const ZipDirectory directory{littleEndian<std::uint16_t>(&tail[at + 10]),
                                     littleEndian<std::uint32_t>(&tail[at + 12]),
                                     littleEndian<std::uint32_t>(&tail[at + 16])};
        if (directory.entries == 0xffff || directory.offset == kZip64)
            return inputError(archive.name(), "a zip64 archive, expected a plain zip archive");
        if (directory.offset + directory.size > archive.size())
            return inputError(archive.name(),
                              fmt::format("zip directory of {} bytes at offset {}, but the file ends at {}",
                                          directory.size, directory.offset, archive.size()));
        return directory;
    }
    return inputError(archive.name(), "no end of a zip directory: the archive is cut off");
}

Status checkEntry(const ByteSource& archive, const ZipEntry& entry, std::uint16_t flags)
{
    if (flags & 1) return inputError(archive.name(), entry.name + ": encrypted, expected a plain zip archive");
    if (entry.packed == kZip64 || entry.size == kZip64 || entry.header == kZip64)
        return inputError(archive.name(), entry.name + ": a zip64 entry, expected a plain zip archive");
    return Status::ok();
}

// Returns the offset of an entry's packed bytes.
Result<std::uint64_t> dataOf(const ByteSource& archive, const ZipEntry& entry)
{
    std::array<unsigned char, kLocalSize> header{};
    if (archive.read(entry.header, header.data(), header.size()) != header.size() ||
        littleEndian<std::uint32_t>(header.data()) != kLocal)
        return inputError(archive.name(), fmt::format("{}: no zip entry at offset {}", entry.name, entry.header));
    const std::uint64_t at =
        entry.header + kLocalSize + littleEndian<std::uint16_t>(&header[26]) + littleEndian<std::uint16_t>(&header[28]);
    if (at > archive.size() || entry.packed > archive.size() - at)
        return inputError(archive.name(), fmt::format("{}: {} bytes at offset {}, but the file ends at {}", entry.name,
                                                      entry.packed, at, archive.size()));
    return at;
}

// RAII wrapper of zlib's raw inflater.
class Inflater
{
public:
    Inflater() : ready_(inflateInit2(&stream_, -MAX_WBITS) == Z_OK) {}
    Inflater(const Inflater&) = delete;
    ~Inflater()
    {
        if (ready_) inflateEnd(&stream_);
    }

    // Inflates `packed` bytes at `at`; returns whether they give exactly to.size() bytes.
    bool run(const ByteSource& archive, std::uint64_t at, std::uint64_t packed, std::vector<std::byte>& to)
    {
        if (!ready_) return false;
        std::vector<unsigned char> piece(kZipPiece);
        stream_.next_out = reinterpret_cast<Bytef*>(to.data());
        stream_.avail_out = uInt(to.size());
        int state = Z_OK;
        while (state == Z_OK && packed > 0)
        {
            const std::size_t count =
                archive.read(at, piece.data(), std::size_t(std::min<std::uint64_t>(packed, kZipPiece)));
            if (count == 0) return false;
            stream_.next_in = piece.data();
            stream_.avail_in = uInt(count);
            at += count;
            packed -= count;
            state = inflate(&stream_, Z_NO_FLUSH);
        }
        return state == Z_STREAM_END && stream_.avail_out == 0;
    }

private:
    z_stream stream_{};
    bool ready_;
};

}  // namespace

Result<std::vector<ZipEntry>> zipEntries(const ByteSource& archive)
{
    const Result<ZipDirectory> directory = findDirectory(archive);
    if (!directory) return directory.error();
    if (directory->entries > kMostEntries)
        return inputError(archive.name(), fmt::format("{} files in the archive, expected at most {}",
                                                      directory->entries, kMostEntries));
    std::vector<ZipEntry> entries;
    std::uint64_t at = directory->offset;
    for (std::uint64_t i = 0; i < directory->entries; ++i)
    {
        std::array<unsigned char, kCentralSize> header{};
        if (archive.read(at, header.data(), header.size()) != header.size() ||
            littleEndian<std::uint32_t>(header.data()) != kCentral)
            return inputError(archive.name(), fmt::format("no entry {} of the zip directory at offset {}", i, at));
        ZipEntry entry;
        entry.method = littleEndian<std::uint16_t>(&header[10]);
        entry.crc = littleEndian<std::uint32_t>(&header[16]);
        entry.packed = littleEndian<std::uint32_t>(&header[20]);
        entry.size = littleEndian<std::uint32_t>(&header[24]);
        entry.header = littleEndian<std::uint32_t>(&header[42]);
        entry.name.resize(littleEndian<std::uint16_t>(&header[28]));
        if (archive.read(at + kCentralSize, entry.name.data(), entry.name.size()) != entry.name.size())
            return inputError(archive.name(), fmt::format("the name of entry {} of the zip directory is cut off", i));
        at += kCentralSize + entry.name.size() + littleEndian<std::uint16_t>(&header[30]) +
              littleEndian<std::uint16_t>(&header[32]);
        if (entry.name.ends_with('/')) continue;  // folder
        if (Status status = checkEntry(archive, entry, littleEndian<std::uint16_t>(&header[8])); !status)
            return status.error();
        entries.push_back(std::move(entry));
    }
    return entries;
}

Result<std::vector<std::byte>> unpack(const ByteSource& archive, const ZipEntry& entry, std::uint64_t most)
{
    const std::string& name = archive.name();
    if (entry.size > most)
        return inputError(name, fmt::format("{}: {} bytes, expected at most {}", entry.name, entry.size, most));
    if (entry.method != 0 && entry.method != 8)
        return inputError(
            name, fmt::format("{}: compression {}, expected 0 (stored) or 8 (deflated)", entry.name, entry.method));
    const Result<std::uint64_t> at = dataOf(archive, entry);
    if (!at) return at.error();
    const std::uint64_t possible = entry.method == 0 ? entry.packed : entry.packed * kMostInflation;
    if (entry.size > possible)
        return inputError(name, fmt::format("{}: {} bytes, which is more than {} packed bytes can hold", entry.name,
                                            entry.size, entry.packed));
    std::vector<std::byte> bytes(std::size_t(entry.size));
    const bool whole = entry.method == 0 ? archive.read(*at, bytes.data(), bytes.size()) == bytes.size()
                                         : Inflater().run(archive, *at, entry.packed, bytes);
    if (!whole) return inputError(name, fmt::format("{}: cannot be unpacked to {} bytes", entry.name, entry.size));
    const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
    if (std::uint32_t(crc) != entry.crc) return inputError(name, entry.name + ": damaged, its checksum differs");
    return bytes;
}

}  // namespace orogen
