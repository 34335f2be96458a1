#include "core/terrain/io/hgt_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

#include "core/terrain/io/byte_source.h"
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

namespace {

constexpr std::array<int, 2> kSides = {1201, 3601};

int sideOf(std::uint64_t bytes)
{
    for (const int side : kSides)
        if (bytes == 2u * std::uint64_t(side) * std::uint64_t(side)) return side;
    return 0;
}

// Reads a letter of `signs` (positive, negative) and `digits` digits at `at`; empty on other characters.
std::optional<int> signedDegrees(const std::string& text, std::size_t at, const char* signs, std::size_t digits)
{
    if (text.size() < at + 1 + digits) return std::nullopt;
    const int letter = std::toupper(static_cast<unsigned char>(text[at]));
    if (letter != signs[0] && letter != signs[1]) return std::nullopt;
    int value = 0;
    for (std::size_t i = at + 1; i <= at + digits; ++i)
    {
        if (!std::isdigit(static_cast<unsigned char>(text[i]))) return std::nullopt;
        value = 10 * value + (text[i] - '0');
    }
    return letter == signs[0] ? value : -value;
}

}  // namespace

std::optional<HgtPosition> hgtPosition(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
    const std::optional<int> latitude = signedDegrees(name, 0, "NS", 2);
    const std::optional<int> longitude = signedDegrees(name, 3, "EW", 3);
    if (!latitude || !longitude || name.size() < 8 || name[7] != '.') return std::nullopt;
    if (*latitude < -90 || *latitude > 89 || *longitude < -180 || *longitude > 180) return std::nullopt;
    return HgtPosition{*latitude, *longitude};
}

bool isHgtName(const std::string& path)
{
    return path.size() >= 4 &&
           std::ranges::equal(path.substr(path.size() - 4), std::string_view(".hgt"), {},
                              [](char c) { return char(std::tolower(static_cast<unsigned char>(c))); });
}

namespace {

Result<Raster> headerOf(const std::string& name, std::uint64_t bytes, std::optional<HgtPosition> position)
{
    const int side = sideOf(bytes);
    if (side == 0)
        return inputError(name,
                          fmt::format("{} bytes, expected 2884802 (1201 x 1201) or 25934402 (3601 x 3601)", bytes));
    Raster raster;
    raster.name = name;
    raster.format = "HGT";
    raster.crs = "EPSG:4326";
    raster.heightUnit = HeightUnit::kMetre;
    raster.width = raster.height = side;
    const double step = 1.0 / (side - 1);
    raster.placement = Placement{true, false, 0, 0, step, step, 1.0};
    if (position)
        raster.placement =
            Placement{true, true, double(position->longitude), double(position->latitude + 1), step, step, 1.0};
    else
        raster.warnings.push_back("no position: the name is not like N34W119.hgt");
    return raster;
}

Result<Raster> withSamples(Result<Raster> raster, const ByteSource& source, const LoadProgress& progress)
{
    if (!raster) return raster;
    const std::uint64_t side = std::uint64_t(raster->width);
    if (Status status = reserveHeights(*raster, side, side); !status) return status.error();
    SampleRule rule;
    rule.bigEndian = true;
    rule.nodata = -32768;
    if (Status status = readPlainSamples(source, rule, progress, *raster); !status) return status.error();
    describeSamples(rule, *raster);
    return raster;
}

// Returns the single .hgt file of an archive.
Result<ZipEntry> hgtEntry(const ByteSource& archive)
{
    const Result<std::vector<ZipEntry>> entries = zipEntries(archive);
    if (!entries) return entries.error();
    const auto count = std::ranges::count_if(*entries, isHgtName, &ZipEntry::name);
    if (count != 1)
        return inputError(archive.name(), fmt::format("a zip archive with {} .hgt files, expected one", count));
    return *std::ranges::find_if(*entries, isHgtName, &ZipEntry::name);
}

Result<Raster> zipHeader(const ByteSource& archive, const ZipEntry& entry)
{
    const std::optional<HgtPosition> position = hgtPosition(entry.name);
    Result<Raster> raster = headerOf(archive.name(), entry.size, position ? position : hgtPosition(archive.name()));
    if (raster) raster->format = "HGT in a zip archive";
    return raster;
}

}  // namespace

Result<Raster> readHgtHeader(const ByteSource& source)
{
    return headerOf(source.name(), source.size(), hgtPosition(source.name()));
}

Result<Raster> readHgt(const ByteSource& source, const LoadProgress& progress)
{
    return withSamples(readHgtHeader(source), source, progress);
}

bool isHgtZip(const ByteSource& source)
{
    std::array<char, 4> head{};
    if (source.read(0, head.data(), head.size()) != head.size() || head != std::array{'P', 'K', '\3', '\4'})
        return false;
    if (isHgtName(source.name().substr(0, source.name().rfind('.')))) return true;
    const Result<std::vector<ZipEntry>> entries = zipEntries(source);
    return entries && std::ranges::any_of(*entries, isHgtName, &ZipEntry::name);
}

Result<Raster> readHgtZipHeader(const ByteSource& source)
{
    const Result<ZipEntry> entry = hgtEntry(source);
    if (!entry) return entry.error();
    return zipHeader(source, *entry);
}

Result<Raster> readHgtZip(const ByteSource& source, const LoadProgress& progress)
{
    const Result<ZipEntry> entry = hgtEntry(source);
    if (!entry) return entry.error();
    Result<Raster> header = zipHeader(source, *entry);
    if (!header) return header;
    const Result<std::vector<std::byte>> bytes = unpack(source, *entry, entry->size);
    if (!bytes) return bytes.error();
    return withSamples(std::move(header), ByteSource::view(source.name(), *bytes), progress);
}

}  // namespace orogen
