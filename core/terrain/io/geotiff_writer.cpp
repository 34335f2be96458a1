#include "core/terrain/io/geotiff_writer.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/atomic_file.h"
#include "core/terrain/io/reading.h"
#include "core/terrain/io/tiff_directory.h"

namespace orogen {
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
    const bool whole = std::all_of(raster.heights.begin(), raster.heights.end(), isWhole16);
    Result<AtomicFile> file = AtomicFile::create(path);
    if (!file) return file.error();
    if (Status status = file->write(headerOf(raster, whole)); !status) return status;
    if (Status status = writeRows(raster, whole, *file); !status) return status;
    return file->commit();
}

}  // namespace orogen
