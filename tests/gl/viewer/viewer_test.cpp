// The viewer's whole session, headless, including loss of the context.
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "app/base/process.h"
#include "app/gl/image.h"
#include "app/viewer.h"
#include "tests/gl/support.h"
#include "tests/support/earth_fixtures.h"
#include "tests/support/places.h"

namespace orogen::app {
namespace {

Image picture(const Viewer& viewer)
{
    const Renderer& renderer = viewer.renderer();
    return readFramebuffer(renderer.target().resolved(), renderer.target().width(), renderer.target().height());
}

TEST(Viewer, ALostContextIsMadeAgainWithTheSamePicture)
{
    SessionOptions options;
    options.dem = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    options.headless = true;
    options.width = 160;
    options.height = 90;
    options.frames = 4;
    options.assignments = {"cbt.depth=14", "lod.split_pixels=12", "render.msaa=4", "terrain.height_scale=2"};
    Result<std::unique_ptr<Viewer>> made = Viewer::create(options);
    ASSERT_TRUE(made) << made.error().message;
    Viewer& viewer = **made;
    ASSERT_TRUE(viewer.run());
    const Image before = picture(viewer);

    for (const ResetStatus reset : {ResetStatus::kGuilty, ResetStatus::kInnocent, ResetStatus::kUnknown})
    {
        SCOPED_TRACE(int(reset));
        const Context* lost = &viewer.context();
        viewer.context().injectReset(reset);
        ASSERT_TRUE(viewer.step());
        EXPECT_NE(&viewer.context(), lost);
        for (int i = 0; i < 3; ++i)
            ASSERT_TRUE(viewer.step());
        EXPECT_EQ(viewer.context().debug().errors(), 0u);
        EXPECT_EQ(picture(viewer).rgb, before.rgb);
    }
}

// A lost context fails every wait.  The next frame finds the loss and recovers, if the one before ends.
TEST(Viewer, AFrameEndsThoughTheGpuDoesNotAnswer)
{
    SessionOptions options;
    options.dem = "synthetic:256";
    options.headless = true;
    options.width = 64;
    options.height = 64;
    options.frames = 2;
    Result<std::unique_ptr<Viewer>> made = Viewer::create(options);
    ASSERT_TRUE(made) << made.error().message;
    Viewer& viewer = **made;
    ASSERT_TRUE(viewer.run());
    const PFNGLCLIENTWAITSYNCPROC wait =
        std::exchange(glad_glClientWaitSync, [](GLsync, GLbitfield, GLuint64) -> GLenum { return GL_WAIT_FAILED; });
    for (int i = 0; i < kFramesInFlight + 1; ++i)
        EXPECT_TRUE(viewer.step());
    EXPECT_GT(viewer.renderer().progress().framesInFlight(), kFramesInFlight);
    viewer.context().injectReset(ResetStatus::kGuilty);
    glad_glClientWaitSync = wait;
    EXPECT_TRUE(viewer.step());
    EXPECT_LE(viewer.renderer().progress().framesInFlight(), kFramesInFlight);
}

TEST(Viewer, ASignalWhileACaptureLoadsItsTerrainEndsItWithTheSignalsCode)
{
    const test::TemporaryFolder folder;
    SessionOptions options;
    options.dem = "synthetic:256";
    options.headless = true;
    options.capture = true;
    options.width = 64;
    options.height = 64;
    CaptureRequest request;
    request.folder = folder / "out";
    request.frames = 2;
    for (const auto& [signal, code] : {std::pair{SIGINT, ExitCode::kInterrupted}, {SIGTERM, ExitCode::kTerminated}})
    {
        Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
        ASSERT_TRUE(viewer) << viewer.error().message;
        requestInterrupt(signal);  // before the result of loading is first checked
        const Result<std::vector<FinishedCapture>> captures = (*viewer)->capture(request);
        requestInterrupt(0);
        ASSERT_FALSE(captures);
        EXPECT_EQ(captures.error().code, code) << captures.error().message;
        EXPECT_FALSE(std::filesystem::exists(request.folder));
    }
}

// Frame times in the panels and the status line belong to the terrain that is shown.
TEST(Viewer, AnotherTerrainBeginsItsFrameTimesAnew)
{
    const test::TemporaryFolder folder;
    folder.write("s.txt", "wait 20\nopen synthetic:64:1\nwait settled\nwait 2\n");
    SessionOptions options;
    options.dem = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    options.headless = true;
    options.width = 160;
    options.height = 90;
    options.script = folder / "s.txt";
    options.assignments = {"cbt.depth=14", "lod.split_pixels=24"};
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
    ASSERT_TRUE(viewer) << viewer.error().message;
    const Status status = (*viewer)->run();
    ASSERT_TRUE(status) << status.error().message;
    const FrameHistory& frames = (*viewer)->recentFrames();
    ASSERT_GT(frames.size(), 0u);
    EXPECT_GE(frames[0].frame, 20u);
}

// No tile has loaded when the camera gets there, and a ground of 0 m lies below it.
TEST(ViewerThorough, TheFirstHeadlessFrameShowsTheEarthFromAboveItsGround)
{
    SessionOptions options;
    options.dem = kEarthName;
    options.headless = true;
    options.width = 64;
    options.height = 64;
    options.frames = 1;
    options.goTo = Geodetic{.latitude = 46.55, .longitude = 7.98, .height = 400};
    options.assignments = {"earth.depth=24", "lod.split_pixels=40", "render.msaa=1", "terrain.detail=false"};
    Result<std::unique_ptr<Viewer>> made = Viewer::create(options);
    ASSERT_TRUE(made) << made.error().message;
    Viewer& viewer = **made;
    ASSERT_TRUE(viewer.run());
    const std::optional<std::string> height = viewer.value("height"), ground = viewer.value("ground");
    ASSERT_TRUE(height && ground);
    EXPECT_NEAR(std::stod(*height), std::stod(*ground), 30);  // tiles sample the relief
    ASSERT_TRUE(viewer.step());
    EXPECT_EQ(viewer.value("height"), height);
}

// The inset's file is gone when the changed setting opens it again.
TEST(ViewerThorough, HeightsOfTheEarthThatCannotBeLoadedAreChangedBack)
{
    const test::TemporaryFolder folder;
    const std::string inset = folder / "inset.tif";
    ASSERT_TRUE(
        writeGeoTiff(orogen::test::placedRaster(80, 60, "EPSG:32611", orogen::test::inMetres(382'200, 3'807'600, 30),
                                                orogen::test::hills),
                     inset));
    folder.write("s.txt", "wait 2\nset earth.heights ellipsoid\nwait settled\nexpect earth.heights == geoid\n");
    SessionOptions options;
    options.dem = kEarthName;
    options.insets = {inset};
    options.headless = true;
    options.width = 160;
    options.height = 90;
    options.frames = 1;
    options.script = folder / "s.txt";
    options.assignments = {"earth.depth=24", "lod.split_pixels=40", "render.msaa=1", "terrain.detail=false"};
    Result<std::unique_ptr<Viewer>> made = Viewer::create(options);
    ASSERT_TRUE(made) << made.error().message;
    Viewer& viewer = **made;
    ASSERT_TRUE(viewer.run());
    std::filesystem::remove(inset);
    for (bool changed = false; !changed || viewer.settings().earth.heights != HeightDatum::kGeoid;)
    {
        const Status status = viewer.step();
        ASSERT_TRUE(status) << status.error().message;
        changed = changed || viewer.settings().earth.heights == HeightDatum::kEllipsoid;
    }
}

// After a loss the panels that a script presses are new ones.
TEST(ViewerThorough, AScriptGoesOnAfterALostContext)
{
    const test::TemporaryFolder folder;
    folder.write("s.txt", "wait 2\nkey F4\nclick Terrain/frozen\nwait 2\nexpect render.wireframe == true\n"
                          "expect lod.frozen == true\nkey F6\nexpect lod.frozen == false\n");
    SessionOptions options;
    options.dem = OROGEN_ROOT "/assets/heightmaps/jacksboro.tif";
    options.headless = true;
    options.width = 320;
    options.height = 180;
    options.frames = 1;
    options.script = folder / "s.txt";
    options.assignments = {"cbt.depth=14", "lod.split_pixels=24"};
    Result<std::unique_ptr<Viewer>> made = Viewer::create(options);
    ASSERT_TRUE(made) << made.error().message;
    Viewer& viewer = **made;
    ASSERT_TRUE(viewer.run());
    viewer.context().injectReset(ResetStatus::kUnknown);
    for (int i = 0; i < 60; ++i)
    {
        const Status status = viewer.step();
        ASSERT_TRUE(status) << status.error().message;
    }
    EXPECT_TRUE(viewer.renderer().settings().render.wireframe);
    EXPECT_FALSE(viewer.renderer().settings().lod.frozen);
}

}  // namespace
}  // namespace orogen::app
