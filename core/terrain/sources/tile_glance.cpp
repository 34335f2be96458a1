#include "core/terrain/sources/tile_glance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/terrain/io/settling.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
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

TileWindow windowAt(const Raster& raster, int i, int j)
{
    const auto first = [](int side, int at) {
        return int(std::int64_t(std::max(side - kWindowSide, 0)) * at / (kWindows - 1));
    };
    return {0, first(raster.width, i), first(raster.height, j), std::min(kWindowSide, raster.width),
            std::min(kWindowSide, raster.height)};
}

Status addWindows(const TileSource& source, const StoredLevels& levels, TileReader& reader, Extremes& seen)
{
    const int coarsest = source.grid().levels() - 1;
    const bool cheap = coarsest - levels.images[levels.imageFor(coarsest)].level <= 2;
    if (cheap) return seen.add(reader, {coarsest, 0, 0, kTileSide, kTileSide});
    for (int j = 0; j < kWindows; ++j)
        for (int i = 0; i < kWindows; ++i)
            if (Status status = seen.add(reader, windowAt(source.raster(), i, j)); !status) return status;
    return Status::ok();
}

}  // namespace

Status settleDescription(Raster& raster, const SourceOverrides& overrides)
{
    if (!raster.placement && !overrides.pixelSize)
        return inputError(raster.name, "no georeference, expected one for reading in tiles (--pixel-size takes its "
                                       "place)");
    takeMetres(raster, overrides);
    return settlePlace(raster, overrides);
}

Status glanceAt(const TileSource& source, const StoredLevels& levels, Raster& raster)
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
