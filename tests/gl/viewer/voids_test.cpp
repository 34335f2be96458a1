// Fills voids in a running viewer by script, as a user would.
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "app/session/captures/running_capture.h"
#include "app/viewer.h"
#include "compute/voids/void_filling.h"
#include "core/terrain/io/byte_source.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/load_raster.h"
#include "tests/gl/support.h"
#include "tests/support/places.h"
#include "tests/support/png_pictures.h"

namespace orogen::app {
namespace {

class ViewerVoids : public testing::Test
{
protected:
    // Runs the script on the shipped terrain with a hole of 100 x 100 samples.
    Status run(const std::string& script)
    {
        Result<Raster> raster = loadRaster(OROGEN_ROOT "/assets/heightmaps/jacksboro.tif");
        EXPECT_TRUE(raster);
        for (int y = 120; y < 220; ++y)
            std::fill_n(raster->heights.begin() + y * raster->width + 150, 100, kVoid);
        EXPECT_TRUE(writeGeoTiff(*raster, file("holed.tif")));
        folder_.write("s.txt", script);
        SessionOptions options;
        options.dem = file("holed.tif");
        options.headless = true;
        options.width = 640;
        options.height = 360;
        options.script = file("s.txt");
        options.assignments = {"lod.split_pixels=16"};
        Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
        return viewer ? (*viewer)->run() : Status(viewer.error());
    }
    std::string file(const std::string& name) const { return folder_ / name; }

    // The picture above the messages; the script hides the panels.
    std::vector<std::uint8_t> upperHalf(const std::string& name) const
    {
        Image image = test::readPicture(file(name));
        image.rgb.resize(image.rgb.size() / 2);
        return {image.rgb.begin(), image.rgb.end()};
    }

    test::TemporaryFolder folder_;
};

// Counts pixels of the hatching's purple, which no ground has.
std::size_t hatched(const std::vector<std::uint8_t>& rgb)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i + 2 < rgb.size(); i += 3)
        count += rgb[i] > rgb[i + 1] + 30 && rgb[i + 2] > rgb[i + 1] + 30;
    return count;
}

using ViewerVoidsThorough = ViewerVoids;

TEST_F(ViewerVoidsThorough, AreFilledAndComeBackAsTheyWere)
{
    const Status status = run("wait settled\nexpect nodata_count == 10000\n"
                              "key F2\nwait settled\nscreenshot " +
                              file("before.png") +
                              "\nkey F2\nwait 2\n"
                              "click Terrain/fill_voids\nwait settled\nexpect nodata_count == 0\n"
                              "key F2\nwait settled\nscreenshot " +
                              file("filled.png") +
                              "\nkey F2\nwait 2\n"
                              "click Terrain/undo_fill\nwait settled\nexpect nodata_count == 10000\n"
                              "key F2\nwait settled\nscreenshot " +
                              file("undone.png") +
                              "\n"
                              "expect gl_errors == 0\nexpect conforming == true\n");
    ASSERT_TRUE(status) << status.error().message;
    const std::vector<std::uint8_t> before = upperHalf("before.png"), filled = upperHalf("filled.png");
    EXPECT_GT(hatched(before), 200u);
    EXPECT_EQ(hatched(filled), 0u);
    EXPECT_EQ(upperHalf("undone.png"), before);
}

TEST_F(ViewerVoidsThorough, FillingThemLeavesViewSettingsAndAFrozenTreeAlone)
{
    const Status status = run("wait settled\nset view.yaw 30\nset view.pitch -35\nset render.shading slope\n"
                              "wait settled\nset lod.frozen true\nwait 2\nexpect leaves > 100\n"
                              "click Terrain/fill_voids\nwait settled\nexpect nodata_count == 0\nwait 2\n"
                              "expect leaves > 100\nexpect lod.frozen == true\nexpect view.yaw == 30\n"
                              "expect view.pitch == -35\nexpect render.shading == slope\nexpect gl_errors == 0\n");
    EXPECT_TRUE(status) << status.error().message;
}

// The file equals the output of `orogen info --fill-voids`, lies beside the source, and overwrites nothing unasked.
TEST_F(ViewerVoidsThorough, FilledHeightsAreSaved)
{
    const Status status = run("wait settled\nclick Terrain/fill_voids\nwait settled\nclick Terrain/save_filled\n"
                              "wait settled\nwait 2\nexpect message == \"wrote " +
                              file("holed-filled.tif") +
                              ": 10,000 voids filled\"\nclick Terrain/save_filled\nwait 2\nexpect message == \"" +
                              file("holed-filled.tif") + ": is there already; a second click replaces it\"\n");
    ASSERT_TRUE(status) << status.error().message;
    const Result<Raster> source = loadRaster(file("holed.tif")), saved = loadRaster(file("holed-filled.tif"));
    ASSERT_TRUE(saved) << saved.error().message;
    const auto filling = compute::solveVoids(source->heights, source->width, source->height, {});
    ASSERT_TRUE(filling);
    EXPECT_EQ(saved->voids, 0u);
    EXPECT_EQ(saved->heights, withVoidsFilled(*source, filling->heights).heights);
    EXPECT_EQ(saved->crs, source->crs);
}

// The fields of "source" appear only after a click on it; with another unit, the terrain differs.
TEST_F(ViewerVoidsThorough, TheSourceIsOpenedAgainWithWhatThePanelSays)
{
    const Status status = run("wait settled\nclick Terrain/source\nwait 2\nclick Terrain/source_unit\nwait 2\n"
                              "click Terrain/source_unit/foot\nwait 2\nclick Terrain/reopen\nwait settled\n"
                              "expect message == \"heights in feet were converted to metres\"\n");
    EXPECT_TRUE(status) << status.error().message;
}

TEST_F(ViewerVoidsThorough, AnotherTerrainForgetsThem)
{
    const Status status = run("wait settled\nclick Terrain/fill_voids\nwait settled\nexpect nodata_count == 0\n"
                              "open synthetic:64:1\nwait settled\nexpect nodata_count == 0\n"
                              "click Terrain/undo_fill\nwait settled\nexpect nodata_count == 0\n"
                              "open " +
                              file("holed.tif") +
                              "\nwait settled\nexpect nodata_count == 10000\n"
                              "expect gl_errors == 0\n");
    EXPECT_TRUE(status) << status.error().message;
}

// The filled terrain differs from the file: comparing it with a capture of the file is refused.
TEST_F(ViewerVoidsThorough, ACaptureSaysThatTheyWereFilled)
{
    const Status status =
        run("set lod.split_pixels 60\nwait settled\nclick Terrain/fill_voids\nwait settled\ncapture " + file("report") +
            " 5\nexpect nodata_count == 0\n");
    ASSERT_TRUE(status) << status.error().message;
    std::ifstream in(file("report/report.json"));
    const nlohmann::json terrain = nlohmann::json::parse(in).at("metadata").at("heightmap");
    EXPECT_EQ(terrain.at("name"), "holed.tif, voids filled");
    EXPECT_NE(terrain.at("sha256"), *heightmapHash(file("holed.tif"), false));
}

TEST_F(ViewerVoidsThorough, WhereTheProcessorIsTakenAMessageSaysSo)
{
    ASSERT_TRUE(compute::processJobDevices().take("cpu"));
    const Status status = run("wait settled\nclick Terrain/fill_voids\nwait 2\nexpect nodata_count == 10000\n"
                              "expect message == \"fill-voids: cpu is running another job\"\n");
    compute::processJobDevices().release("cpu");
    EXPECT_TRUE(status) << status.error().message;
}

}  // namespace
}  // namespace orogen::app
