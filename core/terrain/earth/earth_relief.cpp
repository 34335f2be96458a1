#include "core/terrain/earth/earth_relief.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/georeference.h"
#include "core/terrain/raster/raster_making.h"

namespace orogen {
namespace {

bool near(double a, double b, double step) { return std::fabs(a - b) < 0.01 * step; }

Status checkWholeEarth(const Raster& raster)
{
    const auto fail = [&](const std::string& what) {
        return inputError(raster.name, what + ", expected the whole Earth in degrees");
    };
    if (!raster.placement || !raster.placement->positioned || !raster.placement->geographic)
        return fail("no position in degrees");
    const Placement& at = *raster.placement;
    if (!at.upright() || !near(at.stepEast * raster.width, 360.0, at.stepEast))
        return fail(fmt::format("{} columns, each {:g} degrees wide", raster.width, at.stepEast));
    if (!near(at.y, 90.0, at.stepSouth) || !near(at.stepSouth * (raster.height - 1), 180.0, at.stepSouth))
        return fail(
            fmt::format("{} rows from {:g} degrees north, {:g} degrees apart", raster.height, at.y, at.stepSouth));
    if (raster.voids > 0) return fail(fmt::format("{} samples without data", raster.voids));
    if (raster.minHeight < -32768.0f || raster.maxHeight > 32767.0f)
        return fail(fmt::format("heights of {:g} to {:g} m", raster.minHeight, raster.maxHeight));
    return Status::ok();
}

}  // namespace

Result<EarthRelief> EarthRelief::read(const std::string& path)
{
    const Result<Raster> raster = loadRaster(path);
    return raster ? of(*raster) : Result<EarthRelief>(raster.error());
}

Result<EarthRelief> EarthRelief::of(const Raster& raster)
{
    if (const Status status = checkWholeEarth(raster); !status) return status.error();
    EarthRelief relief;
    relief.columns_ = raster.width;
    relief.rows_ = raster.height;
    relief.west_ = raster.placement->x;
    relief.lowest_ = raster.minHeight;
    relief.highest_ = raster.maxHeight;
    relief.heights_.resize(raster.heights.size());
    std::ranges::transform(raster.heights, relief.heights_.begin(),
                           [](float height) { return std::int16_t(std::lrint(height)); });
    // A pole is one place: different samples along its row would make a step in the ground, so they are averaged.
    for (const int row : {0, relief.rows_ - 1})
    {
        const auto begin = relief.heights_.begin() + std::ptrdiff_t(row) * relief.columns_;
        const auto end = begin + relief.columns_;
        std::fill(begin, end, std::int16_t(std::lrint(std::accumulate(begin, end, 0.0) / relief.columns_)));
    }
    return relief;
}

double EarthRelief::spacing() const { return 180.0 / (rows_ - 1) * metresPerDegree(45.0).north; }

float EarthRelief::heightAt(double latitude, double longitude) const
{
    const double column = (longitude - west_) * columns_ / 360.0, aroundEarth = std::floor(column / columns_);
    const double x = column - aroundEarth * columns_;
    const double y = std::clamp((90.0 - latitude) / 180.0, 0.0, 1.0) * (rows_ - 1);
    const int left = std::min(int(x), columns_ - 1), right = left + 1 == columns_ ? 0 : left + 1;
    const int upper = std::min(int(y), rows_ - 2);
    const float s = float(x - left), t = float(y - upper);
    const float north = at(left, upper) + (at(right, upper) - at(left, upper)) * s;
    const float south = at(left, upper + 1) + (at(right, upper + 1) - at(left, upper + 1)) * s;
    return north + (south - north) * t;
}

}  // namespace orogen
