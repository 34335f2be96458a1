// Small Earth and elevation models to inset in it, for tests.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

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

// Files of elevation models, and a relief of the Earth with one sample every five degrees.
class EarthFiles
{
public:
    explicit EarthFiles(const HeightOf& relief = [](int, int) { return 500.0f; })
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
        return EarthSource::open(relief_, requests);
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
};

// Returns the source's own ground height.
inline double groundOf(const EarthSource& earth, double latitude, double longitude)
{
    const auto ground = earth.heightAt(latitude, longitude);
    EXPECT_TRUE(ground && *ground) << (ground ? "" : ground.error().message);
    return ground && *ground ? **ground : std::nan("");
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
