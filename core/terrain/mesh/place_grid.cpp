#include "core/terrain/mesh/place_grid.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/base/memory.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

namespace {

constexpr int kMostSamples = 65'536;  // per side
constexpr int kPlaceBlock = 64;       // places read together, per side

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

Result<MeshSamples> samplePlaces(const PlaceGrid& grid, const GroundAtPlaces& ground, const LoadProgress& progress)
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
    std::vector<LatLong> places;
    std::vector<float> heights;
    for (int top = 0; top < grid.height; top += kPlaceBlock)
        for (int left = 0; left < grid.width; left += kPlaceBlock)
        {
            const int bottom = std::min(top + kPlaceBlock, grid.height),
                      right = std::min(left + kPlaceBlock, grid.width);
            places.clear();
            for (int row = top; row < bottom; ++row)
                for (int column = left; column < right; ++column)
                    places.push_back(
                        {grid.north - row * stepSouth, std::remainder(grid.west + column * stepEast, 360.0)});
            heights.resize(places.size());
            if (Status s = ground(places, heights); !s) return s.error();
            for (int row = top, next = 0; row < bottom; ++row, next += right - left)
                std::copy_n(heights.begin() + next, right - left,
                            samples.heights.begin() + std::ptrdiff_t(row) * grid.width + left);
            if (progress && !progress(double(bottom) / grid.height, "reading heights"))
                return Error{ExitCode::kInterrupted, "interrupted"};
        }
    if (std::ranges::none_of(samples.heights, [](float height) { return std::isnan(height); })) return samples;
    samples.voids.reserve(count);
    for (const float height : samples.heights)
        samples.voids.push_back(std::isnan(height));
    fillVoids(samples.heights, samples.width, samples.height);
    return samples;
}

}  // namespace orogen
