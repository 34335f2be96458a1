#include "core/terrain/raster.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <new>

#include <fmt/format.h>

#include "core/terrain/byte_source.h"
#include "core/terrain/geotiff_reader.h"
#include "core/terrain/reading.h"
#include "core/terrain/synthetic.h"

namespace orogen {
namespace {

bool isTiff(std::span<const unsigned char> head)
{
    if (head.size() < 4) return false;
    const bool little = head[0] == 'I' && head[1] == 'I' && head[3] == 0;
    const bool big = head[0] == 'M' && head[1] == 'M' && head[2] == 0;
    const unsigned char version = little ? head[2] : head[3];
    return (little || big) && (version == 42 || version == 43);
}

Result<Raster> loadFile(const std::string& path, const LoadProgress& progress)
{
    const Result<ByteSource> source = ByteSource::open(path);
    if (!source) return source.error();
    std::array<unsigned char, 8> bytes{};
    const std::span head(bytes.data(), source->read(0, bytes.data(), bytes.size()));
    if (isTiff(head)) return readGeoTiff(*source, progress);
    return inputError(path,
                      "not a raster that can be read: expected PNG, TIFF, .hgt, or raw named NAME_WIDTHxHEIGHT.raw");
}

}  // namespace

Result<Raster> loadRaster(const std::string& dem, const LoadProgress& progress)
{
    try
    {
        if (isSyntheticName(dem)) return makeSynthetic(dem, progress);
        return loadFile(dem, progress);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, oneLine(dem) + ": does not fit in memory"};
    }
}

float heightAt(const Raster& raster, double east, double north)
{
    const double x = std::clamp(east / raster.pixelWidth + (raster.width - 1) / 2.0, 0.0, raster.width - 1.0);
    const double y = std::clamp((raster.height - 1) / 2.0 - north / raster.pixelHeight, 0.0, raster.height - 1.0);
    const int x0 = std::min(int(x), raster.width - 2), y0 = std::min(int(y), raster.height - 2);
    const double u = x - x0, v = y - y0;
    double height = 0;
    // A sample of weight 0 does not count: it may be a void.
    const auto add = [&](int dx, int dy, double weight) {
        if (weight > 0) height += weight * double(raster.at(x0 + dx, y0 + dy));
    };
    add(0, 0, (1 - u) * (1 - v)), add(1, 0, u * (1 - v)), add(0, 1, (1 - u) * v), add(1, 1, u * v);
    return float(height);
}

}  // namespace orogen
