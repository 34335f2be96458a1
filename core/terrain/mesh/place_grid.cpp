#include "core/terrain/mesh/place_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

namespace {

constexpr int kMostSamples = 65'536;  // a side

}  // namespace

Result<PlaceGrid> placeGrid(double west, double south, double east, double north, double spacing)
{
    if (!(west < east && east <= west + 360 && south < north && south >= -90 && north <= 90))
        return Error{ExitCode::kUsage,
                     fmt::format("--crop: found {},{},{},{}, expected west,south,east,north in degrees", west, south,
                                 east, north)};
    const MetresPerDegree metres = metresPerDegree((south + north) / 2);
    const double columns = std::ceil((east - west) * metres.east / spacing - 1e-6) + 1;
    const double rows = std::ceil((north - south) * metres.north / spacing - 1e-6) + 1;
    if (std::max(columns, rows) > kMostSamples)
        return Error{ExitCode::kLimit, fmt::format("--crop: found {:.0f} x {:.0f} samples {:.3g} m apart, expected at "
                                                   "most {} a side",
                                                   columns, rows, spacing, kMostSamples)};
    return PlaceGrid{west, south, east, north, std::max(int(columns), 2), std::max(int(rows), 2)};
}

Result<MeshSamples> samplePlaces(const PlaceGrid& grid, const HeightAtPlace& heightAt, const LoadProgress& progress)
{
    const double stepEast = (grid.east - grid.west) / (grid.width - 1);
    const double stepSouth = (grid.north - grid.south) / (grid.height - 1);
    const MetresPerDegree metres = metresPerDegree((grid.south + grid.north) / 2);
    MeshSamples samples;
    samples.width = grid.width;
    samples.height = grid.height;
    samples.pixelWidth = metres.east * stepEast;
    samples.pixelHeight = metres.north * stepSouth;
    const std::size_t count = std::size_t(grid.width) * std::size_t(grid.height);
    if (Status s = checkMemory("mesh", count * 10); !s) return s.error();
    samples.heights.resize(count);
    std::vector<bool> voids(count);
    bool any = false;
    for (int row = 0; row < grid.height; ++row)
    {
        for (int column = 0; column < grid.width; ++column)
        {
            const std::size_t at = std::size_t(row) * std::size_t(grid.width) + std::size_t(column);
            const Result<std::optional<double>> height =
                heightAt(grid.north - row * stepSouth, grid.west + column * stepEast);
            if (!height) return height.error();
            const bool missing = !*height || std::isnan(**height);
            voids[at] = missing;
            any = any || missing;
            samples.heights[at] = missing ? std::numeric_limits<float>::quiet_NaN() : float(**height);
        }
        if (progress && !progress(double(row + 1) / grid.height, "reading heights"))
            return Error{ExitCode::kInterrupted, "interrupted"};
    }
    if (!any) return samples;
    samples.voids = std::move(voids);
    fillVoids(samples.heights, samples.width, samples.height);
    return samples;
}

}  // namespace orogen
