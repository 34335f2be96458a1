#include "core/terrain/io/geotiff_writer.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/terrain/io/byte_source.h"

namespace orogen {
namespace {

std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

}  // namespace

std::vector<std::byte> tiffHeader(bool big, std::uint64_t directory)
{
    std::vector<std::byte> out;
    appendBytes(out, std::uint16_t(0x4949));
    appendBytes(out, std::uint16_t(big ? 43 : 42));
    if (big)
    {
        appendBytes(out, std::uint32_t(8));
        appendBytes(out, directory);
    }
    else
        appendBytes(out, std::uint32_t(directory));
    return out;
}

void TiffDirectory::setPosition(std::uint16_t tag, std::uint64_t value)
{
    if (big_)
        set(tag, kTiffLong8, std::vector{value});
    else
        set(tag, kTiffLong, std::vector{std::uint32_t(value)});
}

void TiffDirectory::set(const GeoTags& tags)
{
    const auto doubles = [this](std::uint16_t tag, const std::vector<double>& values) {
        if (!values.empty()) set(tag, kTiffDouble, values);
    };
    doubles(33550, tags.pixelScale);
    doubles(33922, tags.tiePoints);
    doubles(34264, tags.transformation);
    if (!tags.directory.empty()) set(34735, kTiffShort, tags.directory);
    doubles(34736, tags.doubles);
    if (!tags.ascii.empty()) set(34737, tags.ascii);
}

std::size_t TiffDirectory::entriesSize() const
{
    return padded(big_ ? 8 + 20 * fields_.size() + 8 : 2 + 12 * fields_.size() + 4);
}

std::size_t TiffDirectory::size() const
{
    std::size_t size = entriesSize();
    for (const auto& [tag, field] : fields_)
        if (field.bytes.size() > inlineSize()) size += padded(field.bytes.size());
    return size;
}

void TiffDirectory::appendPosition(std::vector<std::byte>& out, std::uint64_t value) const
{
    if (big_)
        appendBytes(out, value);
    else
        appendBytes(out, std::uint32_t(value));
}

std::vector<std::byte> TiffDirectory::build(std::uint64_t at, std::uint64_t next) const
{
    std::vector<std::byte> out, extra;
    if (big_)
        appendBytes(out, std::uint64_t(fields_.size()));
    else
        appendBytes(out, std::uint16_t(fields_.size()));
    for (const auto& [tag, field] : fields_)
    {
        appendBytes(out, tag);
        appendBytes(out, std::uint16_t(field.type));
        appendPosition(out, field.count);
        std::vector<std::byte> value = field.bytes;
        if (value.empty())
            appendPosition(out, field.position);
        else if (value.size() <= inlineSize())
        {
            value.resize(inlineSize());
            out.insert(out.end(), value.begin(), value.end());
        }
        else
        {
            appendPosition(out, at + entriesSize() + extra.size());
            extra.insert(extra.end(), value.begin(), value.end());
            extra.resize(padded(extra.size()));
        }
    }
    appendPosition(out, next);
    out.resize(entriesSize());
    out.insert(out.end(), extra.begin(), extra.end());
    return out;
}

namespace {

// Appends the keys of a linear unit (metres): 3076 its EPSG code, or 3077 the size of another unit.
void addUnit(double metres, std::vector<std::uint16_t>& keys, GeoTags& tags)
{
    constexpr double kUnitRounding = 1e-10;  // metres; files have the US survey foot with ten digits or more
    for (const int code : {9001, 9002, 9003})
        if (std::fabs(metres - metresOf(*heightUnitOfEpsg(code))) < kUnitRounding)
        {
            keys.insert(keys.end(), {3076, 0, 1, std::uint16_t(code)});
            return;
        }
    keys.insert(keys.end(), {3076, 0, 1, 32767, 3077, 34736, 1, 0});
    tags.doubles = {metres};
}

}  // namespace

GeoTags geoTagsOf(const Raster& raster)
{
    GeoTags tags;
    Placement placement;
    if (raster.placement)
        placement = *raster.placement;
    else if (raster.synthetic)
        placement.stepEast = raster.pixelWidth, placement.stepSouth = raster.pixelHeight;
    else
        return tags;
    if (placement.positioned && !placement.upright())
    {
        const MapPoint column = placement.column(), row = placement.row();
        tags.transformation = {column.x, row.x, 0.0, placement.x, column.y, row.y, 0.0, placement.y,
                               0.0,      0.0,   0.0, 0.0,         0.0,      0.0,   0.0, 1.0};
    }
    else
        tags.pixelScale = {placement.stepEast, placement.stepSouth, 0.0};
    if (placement.positioned && placement.upright()) tags.tiePoints = {0.0, 0.0, 0.0, placement.x, placement.y, 0.0};
    // Keys: 1024 model type; 1025 "pixel is point". Further keys below: 2048 or 3072 coordinate system; 4099 heights in
    // metres.
    std::vector<std::uint16_t> keys = {1024, 0, 1, std::uint16_t(placement.geographic ? 2 : 1), 1025, 0, 1, 2};
    unsigned code = 0;
    if (raster.crs.starts_with("EPSG:"))
        std::from_chars(raster.crs.data() + 5, raster.crs.data() + raster.crs.size(), code);
    if (code > 0 && code < 32767)
        keys.insert(keys.end(), {std::uint16_t(placement.geographic ? 2048 : 3072), 0, 1, std::uint16_t(code)});
    if (!placement.geographic) addUnit(placement.unit, keys, tags);
    keys.insert(keys.end(), {4099, 0, 1, 9001});
    tags.directory = {1, 1, 0, std::uint16_t(keys.size() / 4)};
    tags.directory.insert(tags.directory.end(), keys.begin(), keys.end());
    return tags;
}

namespace {

constexpr int kVoid16 = -32768;

bool isWhole16(float height)
{
    return std::isnan(height) || (height == std::floor(height) && height > float(kVoid16) && height <= 32767.0f);
}

// Returns header and directory; the samples follow them in one strip.
std::vector<std::byte> headerOf(const Raster& raster, bool whole)
{
    const std::uint64_t bytes = std::uint64_t(raster.heights.size()) * (whole ? 2 : 4);
    const bool big = bytes > 0xf000'0000u;
    TiffDirectory directory(big);
    directory.set(256, kTiffLong, std::vector{std::uint32_t(raster.width)});
    directory.set(257, kTiffLong, std::vector{std::uint32_t(raster.height)});
    directory.set(258, kTiffShort, std::vector{std::uint16_t(whole ? 16 : 32)});
    directory.set(259, kTiffShort, std::vector{std::uint16_t(1)});
    directory.set(262, kTiffShort, std::vector{std::uint16_t(1)});
    directory.set(277, kTiffShort, std::vector{std::uint16_t(1)});
    directory.set(278, kTiffLong, std::vector{std::uint32_t(raster.height)});
    directory.setPosition(279, bytes);
    directory.set(339, kTiffShort, std::vector{std::uint16_t(whole ? 2 : 3)});
    directory.set(geoTagsOf(raster));
    if (raster.voids > 0) directory.set(42113, whole ? "-32768" : "nan");
    std::vector<std::byte> out = tiffHeader(big, big ? 16 : 8);
    directory.setPosition(273, 0);
    directory.setPosition(273, out.size() + directory.size());
    const std::vector<std::byte> built = directory.build(out.size(), 0);
    out.insert(out.end(), built.begin(), built.end());
    return out;
}

Status writeRows(const Raster& raster, bool whole, AtomicFile& file)
{
    const std::size_t width = std::size_t(raster.width);
    std::vector<std::int16_t> row(width);
    for (std::size_t y = 0; y < std::size_t(raster.height); ++y)
    {
        const std::span<const float> heights = std::span(raster.heights).subspan(y * width, width);
        if (whole)
            std::transform(heights.begin(), heights.end(), row.begin(),
                           [](float h) { return std::isnan(h) ? std::int16_t(kVoid16) : std::int16_t(h); });
        const auto bytes = whole ? std::as_bytes(std::span(row)) : std::as_bytes(heights);
        if (Status status = file.write(bytes); !status) return status;
    }
    return Status::ok();
}

}  // namespace

Status writeGeoTiff(const Raster& raster, const std::string& path)
{
    const auto far = std::ranges::find_if(raster.heights, [](float h) { return std::fabs(h) > kLargestHeight; });
    if (far != raster.heights.end())
    {
        const auto at = std::size_t(far - raster.heights.begin()), width = std::size_t(raster.width);
        return Error{ExitCode::kOutput,
                     fmt::format("{}: column {}, row {}: found a height of {:g} m, expected -{:g} to {:g} m: readers "
                                 "take others for missing",
                                 printable(path), at % width, at / width, *far, kLargestHeight, kLargestHeight)};
    }
    const bool whole = std::all_of(raster.heights.begin(), raster.heights.end(), isWhole16);
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    if (Status status = file->write(headerOf(raster, whole)); !status) return status;
    if (Status status = writeRows(raster, whole, *file); !status) return status;
    return file->commit();
}

}  // namespace orogen
