#include "core/terrain/io/hgt_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include <fmt/format.h>

#include "core/terrain/io/reading.h"
#include "core/terrain/io/zip_archive.h"

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
