// Captures in a visible window: frames without panels, the progress display, and the picture afterwards.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/gl/desktop_support.h"

namespace orogen::app::test {
namespace {

class CaptureInAWindow : public OnADesktop
{
protected:
    void press(const char* key)
    {
        client_->key(key, true);
        client_->key(key, false);
    }
    bool offers(const char* item) { return viewer_->ui().items().find(item) != nullptr; }
    bool plain() const { return viewer_->shown().framebuffer == viewer_->renderer().target().resolved(); }
    // Whether the server shows the captured picture there.
    bool showsPicture(ImVec2 place)
    {
        const Image drawn =
            readFramebuffer(viewer_->shown().framebuffer, viewer_->shown().size.width, viewer_->shown().size.height);
        const Image shown = client_->picture();
        const std::size_t at = 3 * (std::size_t(place.y) * std::size_t(drawn.width) + std::size_t(place.x));
        return std::equal(&drawn.rgb[at], &drawn.rgb[at] + 3, &shown.rgb[at]);
    }
};

TEST_F(CaptureInAWindow, ShowsItsProgressOverFramesWithoutPanelsAndCanBeStopped)
{
    setenv("XDG_DATA_HOME", home_.path().c_str(), 1);
    open(640, 480);
    client_->focus();
    const ImVec2 bar = viewer_->ui().items().find("Tools/Capture")->centre();
    for (int i = 0; i < 100 && !offers("Capture/stop"); ++i)
    {
        if (i % 10 == 0) press("F8");
        step();
    }
    ASSERT_TRUE(offers("Capture/stop"));
    step();
    step();
    const ImVec2 stop = viewer_->ui().items().find("Capture/stop")->centre();
    EXPECT_TRUE(plain());
    EXPECT_TRUE(showsPicture(bar)) << "no tool bar over it";
    EXPECT_FALSE(showsPicture(stop)) << "the Capture panel stays";
    client_->move(int(stop.x), int(stop.y));
    client_->button(1, true);
    step();
    client_->button(1, false);
    for (int i = 0; i < 100 && plain(); ++i)
        step();
    EXPECT_FALSE(plain());
    step();
    EXPECT_TRUE(offers("Capture/start"));
    expectTheServerShowsTheFrame();
    unsetenv("XDG_DATA_HOME");
}

// On a software rasteriser, a first start has a frame time as budget.
TEST_F(CaptureInAWindow, AFilmLeavesOutTheBudgetOfAFirstStartAndIsNoStepOfUndo)
{
    open(640, 480);
    Injector& script = const_cast<Ui&>(viewer_->ui()).injector();
    const auto play = [&] {
        for (int i = 0; i < 200 && script.busy(); ++i)
            step();
        step();
    };
    const Settings::Budget before = viewer_->settings().budget;
    EXPECT_EQ(before.mode == BudgetMode::kFrameMs, viewer_->context().info().software);
    script.click("View/record_film");
    play();
    ASSERT_TRUE(offers("View/stop_film"));
    EXPECT_EQ(viewer_->settings().budget.mode, BudgetMode::kOff);
    script.click("View/stop_film");
    play();
    ASSERT_FALSE(offers("View/stop_film"));
    EXPECT_EQ(viewer_->settings().budget, before);
    script.key("Ctrl+Z");
    play();
    EXPECT_EQ(viewer_->settings().budget, before);
}

// Statistics belong to the picture shown: those of the path must not remain when the old view returns.
TEST(Captured, LeavesNoFigureOfThePathBehind)
{
    const TemporaryFolder folder;
    SessionOptions options;
    options.dem = "synthetic:128";
    options.headless = true;
    options.capture = true;
    options.width = 96;
    options.height = 54;
    options.assignments = {"cbt.depth=12", "lod.split_pixels=24", "render.msaa=1"};
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options);
    ASSERT_TRUE(viewer) << viewer.error().message;
    CaptureRequest request;
    request.folder = folder / "out";
    request.frames = 2;
    request.warmup = 0;
    const Result<std::vector<FinishedCapture>> captures = (*viewer)->capture(request);
    ASSERT_TRUE(captures) << captures.error().message;
    EXPECT_GT(captures->front().report.statistics.work[&FrameSample::triangles].mean.value_or(0), 0);
    EXPECT_FALSE((*viewer)->stats().workIsCurrent) << "a dash";
    EXPECT_FALSE((*viewer)->stats().settled);
    for (int i = 0; i < 60 && !(*viewer)->stats().workIsCurrent; ++i)
        ASSERT_TRUE((*viewer)->step());
    EXPECT_TRUE((*viewer)->stats().workIsCurrent);
}

}  // namespace
}  // namespace orogen::app::test
