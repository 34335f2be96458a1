// Small Earth and elevation models to inset in it, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/raster/raster.h"
#include "tests/support/temporary_folder.h"

namespace orogen::test {

// Height as a function of column and row.
using HeightOf = std::function<float(int column, int row)>;

inline Raster placedRaster(int width, int height, const std::string& crs, const Placement& placement,
                           const HeightOf& heightOf)
{
    Raster raster;
    raster.width = width, raster.height = height;
    raster.crs = crs;
    raster.placement = placement;
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
        {
            raster.heights.push_back(heightOf(column, row));
            raster.voids += std::isnan(raster.heights.back()) ? 1 : 0;
        }
    return raster;
}

inline Placement inMetres(double x, double y, double step)
{
    return {.geographic = false, .x = x, .y = y, .stepEast = step, .stepSouth = step};
}
inline Placement inDegrees(double longitude, double latitude, double step)
{
    return {.geographic = true, .x = longitude, .y = latitude, .stepEast = step, .stepSouth = step};
}

// Hills many samples wide, with a slope of at most 1/3 where samples are 30 m apart.
inline float hills(int column, int row)
{
    return float(700.0 + 60.0 * std::sin(column * 0.13) * std::cos(row * 0.11) + 25.0 * std::sin(row * 0.05));
}

// Leaves the ground around insets as it is. Tests of membranes pass compute::membraneOver().
inline Result<std::vector<double>> noMembrane(std::span<const float> heights, int, int)
{
    return std::vector<double>(std::size_t(std::ranges::count_if(heights, [](float h) { return std::isnan(h); })), 0.0);
}

// Files of elevation models, and a relief of the Earth with one sample every five degrees.
class EarthFiles
{
public:
    explicit EarthFiles(
        const HeightOf& relief = [](int, int) { return 500.0f; }, SolveVoids solve = noMembrane)
        : solve_(std::move(solve))
    {
        relief_ = write("relief.tif", placedRaster(72, 37, "EPSG:4326", inDegrees(-180, 90, 5), relief));
    }

    std::string write(const std::string& name, const Raster& raster) const
    {
        const std::string path = folder_ / name;
        const Status status = writeGeoTiff(raster, path);
        EXPECT_TRUE(status) << (status ? "" : status.error().message);
        return path;
    }
    const TemporaryFolder& folder() const { return folder_; }

    Result<std::shared_ptr<EarthSource>> tryOpen(const std::vector<std::string>& insets) const
    {
        std::vector<InsetRequest> requests;
        for (const std::string& inset : insets)
            requests.push_back({inset, {}});
        return EarthSource::open(relief_, requests, solve_);
    }
    std::shared_ptr<EarthSource> open(const std::vector<std::string>& insets) const
    {
        auto earth = tryOpen(insets);
        EXPECT_TRUE(earth) << (earth ? "" : earth.error().message);
        return earth ? *earth : nullptr;
    }

private:
    TemporaryFolder folder_;
    std::string relief_;
    SolveVoids solve_;
};

// Returns the source's own ground height.
inline double groundOf(const EarthSource& earth, double latitude, double longitude)
{
    const auto ground = earth.heightAt(latitude, longitude);
    EXPECT_TRUE(ground && *ground) << (ground ? "" : ground.error().message);
    return ground && *ground ? **ground : std::nan("");
}

// Returns the place `east` and `north` metres from the middle of a UTM raster.
inline LatLong placeIn(Raster raster, double east, double north)
{
    raster.projection = MapProjection::ofCrs(raster.crs);
    raster.pixelWidth = raster.placement->stepEast, raster.pixelHeight = raster.placement->stepSouth;
    return *TerrainGeography::of(raster)->place(east, north);
}

// Window of the finest level around a place.
struct Ground
{
    TileWindow window;
    double step;  // lattice units
    std::vector<float> heights;

    float at(int column, int row) const
    {
        return heights[std::size_t(row) * std::size_t(window.width) + std::size_t(column)];
    }
    LatLong place(int column, int row) const
    {
        const FacePlace at{window.face, glm::dvec2(window.column + column, window.row + row) * step};
        const Geodetic where = geodeticOf(onEllipsoid(scaledDirection(at)));
        return {where.latitude, where.longitude};
    }
};

inline Ground groundAround(const EarthSource& earth, LatLong middle, int level = 0, int side = 145)
{
    const FacePlace place = facePlaceOf(scaledDirectionOf(middle.latitude, middle.longitude));
    Ground ground;
    ground.step = std::ldexp(double(kCubeSide) / kTileCells, level + 1 - earth.grid().levels());
    ground.window = {
        level,     int(place.at.x / ground.step) - side / 2, int(place.at.y / ground.step) - side / 2, side, side,
        place.face};
    ground.heights.resize(std::size_t(side) * std::size_t(side));
    const auto reader = earth.openReader();
    EXPECT_TRUE(reader);
    const Status status = (*reader)->read(ground.window, ground.heights);
    EXPECT_TRUE(status) << (status ? "" : status.error().message);
    return ground;
}

inline float largestStep(const Ground& ground)
{
    float most = 0;
    for (int row = 0; row + 1 < ground.window.height; ++row)
        for (int column = 0; column + 1 < ground.window.width; ++column)
        {
            most = std::max(most, std::abs(ground.at(column + 1, row) - ground.at(column, row)));
            most = std::max(most, std::abs(ground.at(column, row + 1) - ground.at(column, row)));
        }
    return most;
}

// Interpolates bilinearly between the raster's samples.
inline double bilinear(const Raster& raster, double column, double row)
{
    const int c = std::min(int(column), raster.width - 2), r = std::min(int(row), raster.height - 2);
    const double s = column - c, t = row - r;
    return (raster.at(c, r) * (1 - s) + raster.at(c + 1, r) * s) * (1 - t) +
           (raster.at(c, r + 1) * (1 - s) + raster.at(c + 1, r + 1) * s) * t;
}

}  // namespace orogen::test
