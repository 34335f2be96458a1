// Overlays in a running viewer, by script: names of points in the picture, and undo.
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "app/viewer.h"
#include "tests/gl/support.h"
#include "tests/support/places.h"

namespace orogen::app {
namespace {

class ViewerOverlays : public testing::Test
{
protected:
    void run(const std::string& script)
    {
        viewer_.reset();
        folder_.write("a.gpx",
                      "<gpx version=\"1.1\"><wpt lat=\"36.5482\" lon=\"-84.2458\"><name>Hut</name></wpt></gpx>");
        folder_.write("s.txt", script);
        SessionOptions options;
        options.dem = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
        options.headless = true;
        options.width = 640;
        options.height = 360;
        options.overlays = {folder_ / "a.gpx"};
        options.script = folder_ / "s.txt";
        options.assignments = {"lod.split_pixels=40"};
        Result<std::unique_ptr<Viewer>> made = Viewer::create(options);
        ASSERT_TRUE(made) << made.error().message;
        viewer_ = std::move(*made);
        const Status ran = viewer_->run();
        ASSERT_TRUE(ran) << ran.error().message;
    }
    bool named() const { return viewer_->ui().items().find("Picture/name/Hut") != nullptr; }

    test::TemporaryFolder folder_;
    std::unique_ptr<Viewer> viewer_;
};

constexpr const char* kTo = "wait settled\nclick Terrain/overlay_1/show\nwait settled\n";
constexpr const char* kRemove = "set lod.split_pixels 30\nclick Terrain/overlay_1/remove\nwait settled\n";

using ViewerOverlaysThorough = ViewerOverlays;

TEST_F(ViewerOverlaysThorough, NamesOfPointsAreDrawnAndHidden)
{
    ASSERT_NO_FATAL_FAILURE(run(kTo));
    EXPECT_TRUE(named());
    ASSERT_NO_FATAL_FAILURE(run(kTo + std::string("click Terrain/overlay_1/visible\nwait settled\n")));
    EXPECT_FALSE(named());
    ASSERT_NO_FATAL_FAILURE(run(kTo + std::string("set marks.names false\nwait settled\n")));
    EXPECT_FALSE(named());
}

TEST_F(ViewerOverlays, ARemovedOneComesBackBeforeAnOlderSetting)
{
    ASSERT_NO_FATAL_FAILURE(run(std::string(kTo) + kRemove));
    EXPECT_FALSE(named());
    ASSERT_NO_FATAL_FAILURE(run(std::string(kTo) + kRemove + "key Ctrl+Z\nwait settled\n"));
    EXPECT_TRUE(named());
    EXPECT_EQ(viewer_->settings().lod.splitPixels, 30);
    ASSERT_NO_FATAL_FAILURE(run(std::string(kTo) + kRemove + "key Ctrl+Z\nkey Ctrl+Z\nwait settled\n"));
    EXPECT_TRUE(named());
    EXPECT_EQ(viewer_->settings().lod.splitPixels, 40);
}

}  // namespace
}  // namespace orogen::app
