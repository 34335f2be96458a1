#include "core/terrain/io/hgt_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <span>
#include <string_view>

#include <fmt/format.h>
#ifdef OROGEN_HAVE_GDAL
#include <zlib.h>
#endif

#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/gdal_reader.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
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
    raster.aboveEllipsoid = false;  // SRTM counts from EGM96
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

}  // namespace

Result<Raster> readHgtHeader(const ByteSource& source)
{
    return headerOf(source.name(), source.size(), hgtPosition(source.name()));
}

Result<Raster> readHgt(const ByteSource& source, const LoadProgress& progress)
{
    return withSamples(readHgtHeader(source), source, progress);
}

#ifdef OROGEN_HAVE_GDAL

namespace {

constexpr std::uint64_t kDirectoryBytes = 1 << 20;  // bytes at an archive's end in which its directory is searched

// Braces make GDAL recognise an archive whose name lacks the suffix .zip.
std::string insideOf(const ByteSource& archive) { return "/vsizip/{" + archive.name() + "}"; }

// Returns the names of the .hgt files in an archive.
Result<std::vector<std::string>> hgtEntries(const ByteSource& archive)
{
    QuietGdal gdal(archive.name());
    char** const list = loadGdal() ? VSIReadDirRecursive(insideOf(archive).c_str()) : nullptr;
    if (!list) return inputError(archive.name(), gdal.takeComplaint("the directory of the zip archive cannot be read"));
    std::vector<std::string> entries;
    for (int i = 0; i < CSLCount(list); ++i)
        if (isHgtName(list[i])) entries.emplace_back(list[i]);
    CSLDestroy(list);
    return entries;
}

Result<std::string> hgtEntry(const ByteSource& archive)
{
    Result<std::vector<std::string>> entries = hgtEntries(archive);
    if (!entries) return entries.error();
    if (entries->size() == 1) return std::move(entries->front());
    return inputError(archive.name(), fmt::format("a zip archive with {} .hgt files, expected one", entries->size()));
}

Result<Raster> zipHeader(const ByteSource& archive, const std::string& entry)
{
    QuietGdal gdal(archive.name());
    VSIStatBufL about;
    if (VSIStatL((insideOf(archive) + "/" + entry).c_str(), &about) != 0)
        return inputError(archive.name(), fmt::format("{}: {}", entry, gdal.takeComplaint("cannot be found")));
    const std::optional<HgtPosition> position = hgtPosition(entry);
    Result<Raster> raster =
        headerOf(archive.name(), std::uint64_t(about.st_size), position ? position : hgtPosition(archive.name()));
    if (raster) raster->format = "HGT in a zip archive";
    return raster;
}

// Returns whether the end of the archive, where its directory lies, contains the checksum of these bytes. GDAL compares
// checksums of deflated files only, not of stored ones, and does not recognise encryption.
bool isIntact(const ByteSource& archive, std::span<const std::byte> bytes)
{
    const auto sum = std::uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
    std::string end(std::size_t(std::min<std::uint64_t>(archive.size(), kDirectoryBytes)), '\0');
    archive.read(archive.size() - end.size(), end.data(), end.size());
    const std::array<char, 4> littleEndian = {char(sum), char(sum >> 8), char(sum >> 16), char(sum >> 24)};
    return end.find(std::string_view(littleEndian.data(), littleEndian.size())) != end.npos;
}

Result<std::vector<std::byte>> unpack(const ByteSource& archive, const std::string& entry, std::size_t size)
{
    QuietGdal gdal(archive.name());
    std::vector<std::byte> bytes(size + 1);  // one more, because GDAL compares a checksum at the end of the file
    std::size_t count = 0;
    if (VSILFILE* const file = VSIFOpenL((insideOf(archive) + "/" + entry).c_str(), "rb"))
    {
        count = VSIFReadL(bytes.data(), 1, bytes.size(), file);
        VSIFCloseL(file);
    }
    bytes.resize(size);
    const std::string complaint = gdal.takeComplaint(count != size ? fmt::format("cannot be unpacked to {} bytes", size)
                                                     : isIntact(archive, bytes) ? ""
                                                                                : "damaged, its checksum differs");
    if (complaint.empty()) return bytes;
    return inputError(archive.name(), fmt::format("{}: {}", entry, complaint));
}

}  // namespace

bool isHgtZip(const ByteSource& source)
{
    std::array<char, 4> head{};
    if (source.read(0, head.data(), head.size()) != head.size() || head != std::array{'P', 'K', '\3', '\4'})
        return false;
    if (isHgtName(source.name().substr(0, source.name().rfind('.')))) return true;
    const Result<std::vector<std::string>> entries = hgtEntries(source);
    return entries && !entries->empty();
}

Result<Raster> readHgtZipHeader(const ByteSource& source)
{
    const Result<std::string> entry = hgtEntry(source);
    if (!entry) return entry.error();
    return zipHeader(source, *entry);
}

Result<Raster> readHgtZip(const ByteSource& source, const LoadProgress& progress)
{
    const Result<std::string> entry = hgtEntry(source);
    if (!entry) return entry.error();
    Result<Raster> header = zipHeader(source, *entry);
    if (!header) return header;
    // A false header cannot claim much memory: the sides are one of two sizes.
    const std::size_t size = std::size_t(header->width) * std::size_t(header->height) * 2;
    const Result<std::vector<std::byte>> bytes = unpack(source, *entry, size);
    if (!bytes) return bytes.error();
    return withSamples(std::move(header), ByteSource::view(source.name(), *bytes), progress);
}

#else

bool isHgtZip(const ByteSource&) { return false; }

Result<Raster> readHgtZipHeader(const ByteSource& source)
{
    return inputError(source.name(), foreignMessage({"a zip archive", true}));
}

Result<Raster> readHgtZip(const ByteSource& source, const LoadProgress&) { return readHgtZipHeader(source); }

#endif  // OROGEN_HAVE_GDAL

}  // namespace orogen
