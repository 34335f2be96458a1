#include "core/terrain/sources/stored_source.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "core/terrain/io/source_overrides.h"
#include "core/terrain/raster/raster.h"

namespace orogen {
namespace {

// Two samples of the image, possibly equal, around a requested position.
struct Between
{
    double position;                    // along the axis, in samples of the image
    std::size_t before = 0, after = 0;  // indices in AxisSamples::needed
    float weight = 0;                   // weight of `after`
};

struct AxisSamples
{
    std::vector<int> needed;  // positions in the image, ascending and distinct
    std::vector<Between> samples;
};

// Conversion from samples of a level to positions in the image that is read, along one axis.
struct Axis
{
    int fullSide, imageSide, imageLevel;
    bool interpolated, mirrored;

    double positionOf(std::int64_t sample, int level) const
    {
        double position;
        if (interpolated)
        {
            const auto full = double(std::clamp<std::int64_t>(sample << level, 0, fullSide - 1));
            position = std::clamp((full + 0.5) * imageSide / fullSide - 0.5, 0.0, double(imageSide - 1));
        }
        else
            position = double(std::clamp<std::int64_t>(sample << (level - imageLevel), 0, imageSide - 1));
        return mirrored ? imageSide - 1 - position : position;
    }
};

AxisSamples samplesAlong(const Axis& axis, int level, int first, int count)
{
    AxisSamples result;
    for (int i = 0; i < count; ++i)
    {
        const double position = axis.positionOf(std::int64_t(first) + i, level);
        result.samples.push_back({position});
        result.needed.push_back(int(std::floor(position)));
        if (position != std::floor(position)) result.needed.push_back(int(std::floor(position)) + 1);
    }
    std::sort(result.needed.begin(), result.needed.end());
    result.needed.erase(std::unique(result.needed.begin(), result.needed.end()), result.needed.end());
    const auto indexOf = [&](int at) {
        return std::size_t(std::lower_bound(result.needed.begin(), result.needed.end(), at) - result.needed.begin());
    };
    for (Between& sample : result.samples)
    {
        const double floor = std::floor(sample.position);
        sample.before = indexOf(int(floor));
        sample.weight = float(sample.position - floor);
        sample.after = sample.weight > 0 ? sample.before + 1 : sample.before;
    }
    return result;
}

// Interpolates between means, ignoring voids. Returns a void if the known means have less than half of the weight.
float interpolate(std::span<const float> rowBefore, std::span<const float> rowAfter, const Between& x, const Between& y)
{
    const float heights[] = {rowBefore[x.before], rowBefore[x.after], rowAfter[x.before], rowAfter[x.after]};
    const float weights[] = {(1 - x.weight) * (1 - y.weight), x.weight * (1 - y.weight), (1 - x.weight) * y.weight,
                             x.weight * y.weight};
    double sum = 0, weight = 0;
    for (int i = 0; i < 4; ++i)
        if (weights[i] > 0 && !std::isnan(heights[i]))
        {
            sum += double(heights[i]) * weights[i];
            weight += weights[i];
        }
    return weight >= 0.5 ? float(sum / weight) : kVoid;
}

}  // namespace

std::size_t StoredLevels::imageFor(int level) const
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < images.size(); ++i)
        if (images[i].level <= level && images[i].level > images[best].level) best = i;
    return best;
}

std::vector<int> StoredLevels::levels() const
{
    std::vector<int> result;
    for (const StoredImage& image : images)
        result.push_back(image.level);
    return result;
}

Result<std::optional<int>> overviewLevel(const std::string& name, int width, int height, int overviewWidth,
                                         int overviewHeight)
{
    // Each side allows a range of factors, as writers round a side up or down and some keep one more sample.
    const auto least = [](int side, int part) { return double(side) / (part + 1.0); };
    const auto most = [](int side, int part) { return part > 1 ? double(side) / (part - 1.0) : 1e300; };
    const double lowest = std::max(least(width, overviewWidth), least(height, overviewHeight));
    const double highest = std::min(most(width, overviewWidth), most(height, overviewHeight));
    if (overviewWidth < 1 || overviewHeight < 1 || lowest > highest || highest < 1)
        return inputError(name, fmt::format("an overview of {} x {} samples, which is no scaling of {} x {}",
                                            overviewWidth, overviewHeight, width, height));
    for (int level = 1; level < kMostTileLevels + 7; ++level)
        if (const double factor = std::exp2(level); factor >= lowest && factor <= highest) return std::optional(level);
    return std::optional<int>();
}

Status readLevel(const StoredLevels& levels, const TileWindow& window, std::span<float> out,
                 const GatherSamples& gather)
{
    assert(out.size() == std::size_t(window.width) * std::size_t(window.height));
    const std::size_t image = levels.imageFor(window.level);
    const StoredImage &full = levels.images.front(), &stored = levels.images[image];
    const bool interpolated = levels.means && image > 0;
    const AxisSamples columns = samplesAlong({full.width, stored.width, stored.level, interpolated, levels.eastLeft},
                                             window.level, window.column, window.width);
    const AxisSamples rows = samplesAlong({full.height, stored.height, stored.level, interpolated, levels.southUp},
                                          window.level, window.row, window.height);
    std::vector<float> heights(columns.needed.size() * rows.needed.size());
    if (Status status = gather(image, columns.needed, rows.needed, heights); !status) return status;
    const auto row = [&](std::size_t at) {
        return std::span<const float>(heights).subspan(at * columns.needed.size(), columns.needed.size());
    };
    float* to = out.data();
    for (const Between& y : rows.samples)
        for (const Between& x : columns.samples)
            *to++ = interpolated ? interpolate(row(y.before), row(y.after), x, y) : row(y.before)[x.before];
    return Status::ok();
}

HeightsInMetres::HeightsInMetres(const Raster& described, const SourceOverrides& overrides)
    : masked_(overrides.nodata.has_value()), unit_(described.code.unit)
{
    if (!masked_) return;
    SampleCode code = described.code;
    code.unit = 1.0;
    // Files of float32 store the value of --nodata rounded: both the exact and the rounded value are voids.
    exact_ = code.heightOf(*overrides.nodata);
    rounded_ = code.heightOf(double(float(*overrides.nodata)));
}

void HeightsInMetres::apply(std::span<float> heights) const
{
    for (float& height : heights)
    {
        if (masked_ && (height == exact_ || height == rounded_)) height = kVoid;
        if (unit_ != 1.0) height = float(double(height) * unit_);
        if (!(std::fabs(height) <= kLargestHeight)) height = kVoid;
    }
}

namespace {

constexpr int kWindows = 8;      // along a side
constexpr int kWindowSide = 16;  // samples

struct Extremes
{
    float lowest = std::numeric_limits<float>::infinity(), highest = -lowest;

    Status add(TileReader& reader, const TileWindow& window)
    {
        std::vector<float> heights(std::size_t(window.width) * std::size_t(window.height));
        if (Status status = reader.read(window, heights); !status) return status;
        for (const float height : heights)
        {
            lowest = std::fmin(lowest, height);
            highest = std::fmax(highest, height);
        }
        return Status::ok();
    }
};

Status addWindows(const TileSource& source, const StoredLevels& levels, TileReader& reader, Extremes& seen)
{
    const int coarsest = source.grid().levels() - 1;
    const bool cheap = coarsest - levels.images[levels.imageFor(coarsest)].level <= 2;
    if (cheap) return seen.add(reader, {coarsest, 0, 0, kTileSide, kTileSide});
    const auto first = [](int side, int at) {
        return int(std::int64_t(std::max(side - kWindowSide, 0)) * at / (kWindows - 1));
    };
    const int width = source.raster().width, height = source.raster().height;
    for (int j = 0; j < kWindows; ++j)
        for (int i = 0; i < kWindows; ++i)
        {
            const TileWindow window = {0, first(width, i), first(height, j), std::min(kWindowSide, width),
                                       std::min(kWindowSide, height)};
            if (Status status = seen.add(reader, window); !status) return status;
        }
    return Status::ok();
}

}  // namespace

Status finalizeDescription(Raster& raster, const SourceOverrides& overrides)
{
    if (!raster.placement && !overrides.pixelSize)
        return inputError(raster.name, "no georeference, expected one for reading in tiles (--pixel-size takes its "
                                       "place)");
    takeMetres(raster, overrides);
    return finalizePlacement(raster, overrides);
}

Status estimateHeightRange(const TileSource& source, const StoredLevels& levels, Raster& raster)
{
    Extremes seen;
    if (const std::optional<TileBounds> known = source.bounds({source.grid().levels() - 1, 0, 0}))
        seen = {known->lowest, known->highest};
    else
    {
        const Result<std::unique_ptr<TileReader>> reader = source.openReader();
        if (!reader) return reader.error();
        if (Status status = addWindows(source, levels, **reader, seen); !status) return status;
    }
    if (!(seen.lowest <= seen.highest)) return Status::ok();
    raster.minHeight = seen.lowest;
    raster.maxHeight = seen.highest;
    warnOfImprobableHeights(raster);
    return Status::ok();
}

}  // namespace orogen
