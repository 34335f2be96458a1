// Capture panel, without a viewer.
#include <filesystem>

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/session/captures/capture_controller.h"
#include "app/session/captures/sweep_controller.h"
#include "app/ui/panels.h"
#include "tests/app/ui_support.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/temporary_folder.h"

namespace orogen::app {
namespace {

namespace fs = std::filesystem;

class CapturePanel : public testing::Test
{
protected:
    CapturePanel()
    {
        headless.refresh = [this](UiModel& model) { model.captures = captures.state(); };
        headless.frames(2);
        headless.click("Tools/Capture");
    }
    // Returns the first request that a click or a key causes.
    UiActions asked()
    {
        std::optional<UiActions> first;
        headless.onPass = [&](const UiActions& actions) {
            if (!first && (actions.capture || actions.stopCapture || actions.compare || actions.recover ||
                           actions.sweep || actions.stopSweep))
                first = actions;
        };
        for (int i = 0; i < 200 && headless.ui->injector().busy(); ++i)
            headless.frame();
        headless.onPass = nullptr;
        const auto failure = headless.ui->injector().takeFailure();
        EXPECT_FALSE(failure) << *failure;
        return first.value_or(UiActions{});
    }
    UiActions clicked(const std::string& item)
    {
        headless.ui->injector().click(item);
        return asked();
    }
    UiActions pressed(const std::string& key)
    {
        headless.ui->injector().key(key);
        return asked();
    }
    bool shows(const char* item) const { return headless.ui->items().find(item) != nullptr; }

    void beginSession()
    {
        CaptureRequest request;
        request.folder = folder + "/running";
        request.sides = {{"", Settings{}}};
        CameraPath path;
        path.keys = {{.time = 0}};
        auto session = RunningCapture::create(request, path, ReportMetadata{}, history);
        ASSERT_TRUE(session) << session.error().message;
        captures.begin(std::move(*session));
        headless.frames(2);
    }

    FrameHistory history;
    HeadlessUi headless;
    CaptureController captures;
    SweepController sweeps;
    const test::TemporaryFolder temporary;
    const std::string folder = temporary.path();
};

TEST_F(CapturePanel, StartAndF8AskForTheSame)
{
    for (const UiActions& actions : {clicked("Capture/start"), pressed("F8")})
    {
        ASSERT_TRUE(actions.capture);
        EXPECT_EQ(actions.capture->frames, 1'200u);
        EXPECT_EQ(actions.capture->warmup, 60u);
        EXPECT_EQ(actions.capture->runs, 1u);
        EXPECT_EQ(actions.capture->path, "overview");
        EXPECT_TRUE(actions.capture->folder.starts_with("orogen-captures/"));
        EXPECT_TRUE(actions.capture->sides.empty());
    }
}

SweepPlan sweptPlan()
{
    SweepPlan plan;
    plan.depths = {14, 18};
    plan.pixels = {3.5, 7};
    plan.settings = "{}";
    plan.changedSettings = {"patch.level=1"};
    return plan;
}

TEST_F(CapturePanel, SweepAsksForASmallGridAroundTheSettings)
{
    headless.model.sweeps = sweeps.state();
    headless.frames(2);
    UiActions actions = clicked("Capture/sweep");
    ASSERT_TRUE(actions.sweep);
    EXPECT_EQ(actions.sweep->depths, (std::vector{20, 24}));
    EXPECT_EQ(actions.sweep->pixels, (std::vector{3.5, 7.0, 14.0}));
    EXPECT_EQ(actions.sweep->threshold, SweptThreshold::kSplitPixels);
    EXPECT_EQ(actions.sweep->path, "overview");
    EXPECT_TRUE(actions.sweep->folder.starts_with("orogen-sweeps/"));
    headless.model.settings.cbt.depth = 8;
    headless.model.settings.lod.criterion = LodCriterion::kError;
    headless.model.settings.lod.errorPixels = 0.1f;
    headless.frames(2);
    actions = clicked("Capture/sweep");
    ASSERT_TRUE(actions.sweep);
    EXPECT_EQ(actions.sweep->depths, (std::vector{6, 8}));
    EXPECT_EQ(actions.sweep->pixels, (std::vector{0.1, 0.2}));  // 0.05 is not a valid threshold
    EXPECT_EQ(actions.sweep->threshold, SweptThreshold::kErrorPixels);
}

TEST_F(CapturePanel, HowLongItTakesIsToldBefore)
{
    headless.model.history = &history;
    EXPECT_EQ(estimateText(headless.model, 1'260), "1,260 frames, how long is not known yet");
    FrameRecord slow;
    slow.cpu.intervalMs = 28'000;  // shaders are compiled
    history.push(slow);
    EXPECT_EQ(estimateText(headless.model, 1'260), "1,260 frames, how long is not known yet");
    slow.cpu.intervalMs = 500;
    for (std::size_t i = 0; i + 2 < kLeastFramesForMedian; ++i)
        history.push(slow);
    EXPECT_EQ(estimateText(headless.model, 100), "100 frames, how long is not known yet");
    history.push(slow);
    EXPECT_EQ(estimateText(headless.model, 100), "100 frames, about 50 s at 2.0 fps");
    for (int i = 0; i < 40; ++i)
        history.push(slow);
    EXPECT_EQ(estimateText(headless.model, 1'260), "1,260 frames, about 10 min 30 s at 2.0 fps");
}

TEST_F(CapturePanel, AClickOnAPointTakesItsSettings)
{
    std::vector<SweepPoint> points = pointsOf(sweptPlan());
    for (SweepPoint& point : points)
        point.frameMsP50 = 10;
    points[1].frameMsP50.reset();  // the point is not measured yet
    points[2].pareto = true;
    sweeps.show(sweptPlan(), points, "swept");
    headless.model.sweeps = sweeps.state();
    headless.frames(2);
    EXPECT_FALSE(shows("Capture/points/d14-s7"));
    headless.click("Capture/points/d18-s3.5");
    const auto failure = headless.ui->injector().takeFailure();
    EXPECT_FALSE(failure) << *failure;
    EXPECT_EQ(headless.setting("cbt.depth"), "18");
    EXPECT_EQ(headless.setting("lod.split_pixels"), "3.5");
    EXPECT_EQ(headless.setting("lod.merge_pixels"), "1.5");
    EXPECT_EQ(headless.setting("patch.level"), "1");
}

TEST_F(CapturePanel, TheTooltipOfAPointStandsBesideTheColumn)
{
    std::vector<SweepPoint> points = pointsOf(sweptPlan());
    for (SweepPoint& point : points)
        point.frameMsP50 = 10;
    sweeps.show(sweptPlan(), points, "swept");
    headless.model.sweeps = sweeps.state();
    headless.ui->injector().hover("Capture/points/d18-s3.5", 1);  // scrolls to it
    headless.play();
    const ItemRect* point = headless.ui->items().find("Capture/points/d18-s3.5");
    ASSERT_TRUE(point);
    headless.ui->feed(CursorEvent{point->centre().x, point->centre().y});
    headless.frames(60);
    const ImGuiWindow* tooltip = ImGui::FindWindowByName("##Tooltip_00");
    ASSERT_TRUE(tooltip && tooltip->Active);
    point = headless.ui->items().find("Capture/points/d18-s3.5");
    ASSERT_TRUE(point);
    EXPECT_LE(tooltip->Pos.x + tooltip->Size.x, point->min.x);
}

TEST_F(CapturePanel, ARunningSweepShowsItselfAndCanBeStopped)
{
    headless.model.sweeps = sweeps.state();
    headless.model.sweep = SweepProgress{.done = 1, .todo = 6, .fraction = 0.3, .point = "point-d20-s7"};
    beginSession();
    EXPECT_FALSE(shows("Capture/stop") || shows("Capture/start") || shows("Capture/sweep"));
    EXPECT_TRUE(clicked("Capture/stop_sweep").stopSweep);
}

// ImGui asserts that widgets have a size: a very small window must not end the program and its capture.
TEST_F(CapturePanel, AWindowOfAnySizeShowsARunningCapture)
{
    beginSession();
    for (int height = 1; height <= 30; ++height)
        for (int width = 1; width <= 30; ++width)
        {
            headless.resize(width, height);
            headless.frame();
        }
    for (int width = 31; width < 400; ++width)
    {
        headless.resize(width, 300);
        headless.frame();
    }
}

TEST_F(CapturePanel, F8OpensThePanel)
{
    headless.click("Tools/Capture");
    EXPECT_FALSE(shows("Capture/start"));
    EXPECT_TRUE(pressed("F8").capture);
    headless.frames(2);
    EXPECT_TRUE(shows("Capture/start"));
}

TEST_F(CapturePanel, FieldsChangeTheRequest)
{
    headless.drag("Capture/frames", 40);
    headless.drag("Capture/runs", 100);
    headless.click("Capture/path");
    headless.click("Capture/path/ridge");
    const UiActions actions = clicked("Capture/start");
    ASSERT_TRUE(actions.capture);
    EXPECT_GT(actions.capture->frames, 1'200u);
    EXPECT_GT(actions.capture->runs, 1u);
    EXPECT_EQ(actions.capture->path, "ridge");
}

// The panel shows the path that F8 flies, also after a switch between plane and Earth.
TEST(CapturePath, IsTheOneOfTheWorldUnlessAnotherIsChosen)
{
    EXPECT_EQ(pathIn(World::kPlane, "overview"), "overview");
    EXPECT_EQ(pathIn(World::kEarth, "overview"), "around");
    EXPECT_EQ(pathIn(World::kEarth, "around"), "around");
    EXPECT_EQ(pathIn(World::kPlane, "around"), "overview");
    for (const World world : {World::kPlane, World::kEarth})
        for (const char* other : {"", "ridge", "my.path"})
            EXPECT_EQ(pathIn(world, other), other);
}

TEST_F(CapturePanel, ThePathOfTheViewPanelCanBeChosen)
{
    headless.click("Capture/path");
    headless.click("Capture/path/current");
    const UiActions actions = clicked("Capture/start");
    ASSERT_TRUE(actions.capture);
    EXPECT_EQ(actions.capture->path, "");
}

TEST_F(CapturePanel, AHeldSideIsCapturedBesideTheSettingsAsTheyAre)
{
    headless.click("Capture/hold_a");
    headless.model.settings.lod.splitPixels = 12;
    UiActions actions = clicked("Capture/start");
    ASSERT_TRUE(actions.capture);
    ASSERT_EQ(actions.capture->sides.size(), 2u);
    EXPECT_EQ(actions.capture->sides[0].settings.lod.splitPixels, 7.0f);
    EXPECT_EQ(actions.capture->sides[1].settings.lod.splitPixels, 12.0f);
    EXPECT_EQ(actions.capture->sides[0].folder, "a");
    EXPECT_EQ(actions.capture->sides[1].folder, "b");
    headless.click("Capture/forget_a");
    actions = clicked("Capture/start");
    ASSERT_TRUE(actions.capture);
    EXPECT_TRUE(actions.capture->sides.empty());
}

TEST_F(CapturePanel, NothingStartsWithoutATerrain)
{
    headless.model.terrain.reset();
    headless.frames(2);
    EXPECT_FALSE(clicked("Capture/start").capture);
    EXPECT_FALSE(pressed("F8").capture);
}

TEST_F(CapturePanel, ARunningCaptureCanBeStopped)
{
    beginSession();
    EXPECT_FALSE(shows("Capture/start"));
    EXPECT_TRUE(clicked("Capture/stop").stopCapture);
    EXPECT_TRUE(pressed("F8").stopCapture);
}

TEST_F(CapturePanel, TheNewestIsComparedWithTheChosenBaseline)
{
    beginSession();
    ASSERT_TRUE(captures.end(true, 0));
    headless.frames(2);
    EXPECT_FALSE(shows("Capture/compare")) << "one capture alone";
    beginSession();
    ASSERT_TRUE(captures.end(true, 0));
    headless.frames(10);  // the panel grows, and its scroll bar depends on the folder's name
    const UiActions actions = clicked("Capture/compare");
    ASSERT_TRUE(actions.compare);
    EXPECT_EQ(actions.compare->baseline, std::vector{captures.finished()[0].folder});
    EXPECT_EQ(actions.compare->candidate, std::vector{captures.finished()[1].folder});
}

// A script's step `capture a 10` writes into the folder a, which has no parent in its name.
TEST_F(CapturePanel, FoldersNamedAsSidesAreShown)
{
    captures.compare({{"a"}, {"b"}});
    captures.awaitComparison();
    ASSERT_TRUE(captures.comparison());
    headless.frames(3);
}

TEST_F(CapturePanel, VerdictsAndRefusalsAreShown)
{
    test::SyntheticCapture synthetic = test::syntheticCapture();
    test::writeCapture(folder + "/x", synthetic);
    synthetic.seed = 2;
    test::writeCapture(folder + "/y", synthetic);
    captures.compare({{folder + "/x"}, {folder + "/y"}});
    for (int i = 0; i < 900'000 && !captures.comparison(); ++i, usleep(1000))
        captures.update();
    ASSERT_TRUE(captures.comparison());
    ASSERT_TRUE(captures.comparison()->comparison) << captures.comparison()->error;
    headless.frames(3);
    captures.compare({{folder + "/x"}, {folder + "/nothing"}});
    for (int i = 0; i < 900'000 && !captures.comparison(); ++i, usleep(1000))
        captures.update();
    ASSERT_TRUE(captures.comparison());
    EXPECT_FALSE(captures.comparison()->comparison);
    EXPECT_NE(captures.comparison()->error.find("nothing"), std::string::npos);
    headless.frames(3);
}

}  // namespace
}  // namespace orogen::app
