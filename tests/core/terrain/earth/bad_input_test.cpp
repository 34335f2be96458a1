// Inputs that cannot be inset in the Earth: one line with the reason, and the exit code of bad input.
#include <limits>

#include <gtest/gtest.h>

#include "core/terrain/io/gdal_map.h"
#include "core/terrain/io/gdal_reader.h"
#include "tests/support/earth_fixtures.h"

namespace orogen {
namespace {

using namespace test;

class EarthBadInput : public testing::Test
{
protected:
    void expectRefused(const std::string& name, const std::string& because)
    {
        testing::internal::CaptureStderr();
        const auto earth = files_.tryOpen({name});
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
        ASSERT_FALSE(earth) << name;
        EXPECT_EQ(earth.error().code, ExitCode::kInput) << earth.error().message;
        EXPECT_TRUE(earth.error().message.starts_with(name + ": ")) << earth.error().message;
        EXPECT_EQ(earth.error().message.find('\n'), std::string::npos);
        EXPECT_NE(earth.error().message.find(because), std::string::npos) << earth.error().message;
    }
    std::string write(const std::string& crs, const Placement& placement)
    {
        return files_.write("dem.tif", placedRaster(20, 10, crs, placement, hills));
    }
    EarthFiles files_;
};

TEST_F(EarthBadInput, NoGeoreference)
{
    Raster raster = placedRaster(20, 10, "", {}, hills);
    raster.placement.reset();
    expectRefused(files_.write("dem.tif", raster), "lies nowhere on Earth");
    expectRefused(files_.write("dem.tif", raster), "open it alone to see it on the plane");
    expectRefused(write("EPSG:32611", {.positioned = false, .stepEast = 30, .stepSouth = 30}), "lies nowhere on Earth");
}

TEST_F(EarthBadInput, MetresWithoutACoordinateSystem)
{
    expectRefused(write("", inMetres(400'000, 3'800'000, 30)), "without a coordinate system");
}

TEST_F(EarthBadInput, AProjectionThatCannotBeRead)
{
    expectRefused(write("EPSG:1999", inMetres(400'000, 3'800'000, 30)),
                  hasGdal() ? "a coordinate system that cannot be read" : "built without");
}

// The program must never open the name of a file's coordinate system as a file or URL.
TEST_F(EarthBadInput, ASystemNamedByAnAddress)
{
    for (const char* name : {"https://localhost:1/x.prj", "/etc/hostname", "http://localhost:1/"})
    {
        const auto map = GdalMap::open("dem.tif", name);
        ASSERT_FALSE(map) << name;
        EXPECT_EQ(map.error().code, ExitCode::kInput);
        EXPECT_NE(map.error().message.find(hasGdal() ? "cannot be read" : "built without"), std::string::npos)
            << map.error().message;
    }
}

TEST_F(EarthBadInput, CoordinatesOffTheEarth)
{
    expectRefused(write("EPSG:4326", inDegrees(10, 91, 0.01)), "latitude");
    expectRefused(write("EPSG:4326", inDegrees(900, 41, 0.01)), "nowhere on Earth");
    expectRefused(write("EPSG:4326", inDegrees(0, -30, 8)), "nowhere on Earth");
    expectRefused(write("EPSG:32611", inMetres(9e7, 3'800'000, 30)), "nowhere on Earth");
    expectRefused(write("EPSG:32611", inMetres(400'000, 2e7, 30)), "nowhere on Earth");
    if (hasGdal()) expectRefused(write("EPSG:2154", inMetres(1e30, 6'500'000, 30)), "nowhere on Earth");
}

TEST_F(EarthBadInput, MoreThanOnceAroundTheEarth)
{
    expectRefused(files_.write("dem.tif", placedRaster(50, 10, "EPSG:4326", inDegrees(-180, 41, 8), hills)),
                  "more than once around the Earth");
}

TEST_F(EarthBadInput, ATerrainThatIsMade) { expectRefused("synthetic:64:1", "lies nowhere on Earth"); }

TEST_F(EarthBadInput, AFileThatIsNotThere) { expectRefused(files_.folder() / "gone.tif", ""); }

// Refuses the one bad input among many, and names it.
TEST_F(EarthBadInput, OneOfMany)
{
    const std::string good = files_.write("good.tif", placedRaster(20, 10, "EPSG:4326", inDegrees(9, 41, 0.01), hills));
    const auto earth = files_.tryOpen({good, files_.folder() / "gone.tif"});
    ASSERT_FALSE(earth);
    EXPECT_NE(earth.error().message.find("gone.tif"), std::string::npos);
}

}  // namespace
}  // namespace orogen
