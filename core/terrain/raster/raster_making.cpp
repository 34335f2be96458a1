#include "core/terrain/raster/raster_making.h"

#include <algorithm>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/base/text.h"

namespace orogen {

Error inputError(std::string_view name, std::string_view what)
{
    return {ExitCode::kInput, printable(name) + ": " + printable(what)};
}

Status checkSides(const std::string& name, std::uint64_t width, std::uint64_t height, std::uint64_t largest)
{
    const auto fits = [largest](std::uint64_t side) { return side >= 2 && side <= largest; };
    if (fits(width) && fits(height)) return Status::ok();
    return inputError(name, fmt::format("{} x {} samples, expected 2 to {} a side", width, height, largest));
}

Status reserveHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes)
{
    if (Status status = checkSides(raster.name, width, height); !status) return status;
    const std::uint64_t bytes = width * height * sizeof(float) + extraBytes;
    // Skip the check of free memory for small rasters.
    if (bytes > (64u << 20))
        if (Status status = checkMemory(printable(raster.name), bytes); !status) return status;
    try
    {
        raster.heights.clear();
        raster.heights.reserve(std::size_t(width * height));
    }
    catch (const std::bad_alloc&)
    {
        return checkMemory(printable(raster.name), bytes, {0});
    }
    raster.width = int(width);
    raster.height = int(height);
    return Status::ok();
}

Status allocateHeights(Raster& raster, std::uint64_t width, std::uint64_t height, std::uint64_t extraBytes)
{
    if (Status status = reserveHeights(raster, width, height, extraBytes); !status) return status;
    raster.heights.assign(std::size_t(width * height), kVoid);
    return Status::ok();
}

bool Progress::at(std::uint64_t done, std::uint64_t total)
{
    const int percent = int(100.0 * double(done) / double(std::max<std::uint64_t>(total, 1)));
    if (!callback_ || percent == lastPercent_) return true;
    lastPercent_ = percent;
    return callback_(double(done) / double(std::max<std::uint64_t>(total, 1)), what_);
}

Error Progress::interrupted() const { return {ExitCode::kInterrupted, printable(what_) + ": interrupted"}; }

void finishRaster(Raster& raster, std::string name)
{
    raster.name = std::move(name);
    raster.voids = 0;
    std::uint64_t absurd = 0;
    float mark = 0;  // one of the heights beyond kLargestHeight, for the warning
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;
    for (float& height : raster.heights)
    {
        if (std::fabs(height) <= kLargestHeight)
        {
            lowest = std::min(lowest, height);
            highest = std::max(highest, height);
            continue;
        }
        if (std::isfinite(height)) ++absurd, mark = height;
        height = kVoid;
        ++raster.voids;
    }
    const bool known = lowest <= highest;
    raster.minHeight = known ? lowest : 0.0f;
    raster.maxHeight = known ? highest : 0.0f;
    if (!known) raster.warnings.push_back("no sample has data");
    if (lowest == highest) raster.warnings.push_back(fmt::format("all heights are {:g} m: a plane is drawn", lowest));
    if (absurd > 0)
        raster.warnings.push_back(
            fmt::format("{} samples beyond {:g} m, such as {:g}, are read as voids: a nodata value that the file does "
                        "not name? --nodata {:g} says so",
                        absurd, kLargestHeight, mark, mark));
    warnOfImprobableHeights(raster);
}

void warnOfImprobableHeights(Raster& raster)
{
    // The Challenger Deep and Mount Everest, with a margin.
    if (raster.minHeight < -11'500.0f || raster.maxHeight > 9'000.0f)
        raster.warnings.push_back(
            fmt::format("heights from {:g} to {:g} m, which the Earth does not have: another unit (--unit), "
                        "or a nodata value that the file does not name (--nodata)?",
                        raster.minHeight, raster.maxHeight));
}

}  // namespace orogen
