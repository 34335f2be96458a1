// Filling voids of the open terrain and undoing it, without a window.
#include "app/session/filled_heights.h"

#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "compute/job/module.h"

namespace orogen::app {
namespace {

// Returns a ramp of whole metres, side x side samples, with a hole of (side - 2) x (side - 2).
HeightField holed(int side)
{
    Raster raster;
    raster.width = raster.height = side;
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x)
        {
            const bool rim = x == 0 || y == 0 || x == side - 1 || y == side - 1;
            raster.heights.push_back(rim ? float(3 * x + y) : std::nanf(""));
            raster.voids += !rim;
        }
    raster.maxHeight = float(4 * (side - 1));
    return quantise(raster);
}

Result<ChangedHeights> outcome(VoidFiller& session)
{
    for (int i = 0; i < 900'000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        if (std::optional<Result<ChangedHeights>> taken = session.take()) return std::move(*taken);
    return Error{ExitCode::kLimit, "it hangs"};
}

TEST(VoidFiller, FillsEveryVoid)
{
    const HeightField field = holed(40);
    VoidFiller session;
    ASSERT_TRUE(session.fill(field));
    EXPECT_TRUE(session.running());
    const Result<ChangedHeights> changed = outcome(session);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_FALSE(session.running());
    EXPECT_TRUE(changed->field.voidMask.empty());
    EXPECT_EQ(changed->voids, 0u);
    EXPECT_EQ(changed->filled, 38u * 38u);
    EXPECT_LE(changed->relativeResidual, 1e-8);
    EXPECT_FALSE(changed->bounds.heights.levels.empty());
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x)
            ASSERT_NEAR(changed->field.at(x, y), 3 * x + y, 0.04) << x << ' ' << y;
}

TEST(VoidFiller, TakesItBack)
{
    const HeightField field = holed(40);
    VoidFiller session;
    ASSERT_TRUE(session.fill(field));
    const Result<ChangedHeights> filled = outcome(session);
    ASSERT_TRUE(filled);
    session.shown(*filled);
    EXPECT_EQ(session.state().filled, 38u * 38u);
    ASSERT_TRUE(session.undo());
    const Result<ChangedHeights> back = outcome(session);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->field.codes, field.codes);
    EXPECT_EQ(back->field.voidMask, field.voidMask);
    EXPECT_EQ(back->field.scale, field.scale);
    EXPECT_EQ(back->voids, 38u * 38u);
    session.shown(*back);
    EXPECT_EQ(session.state().filled, 0u);
    EXPECT_FALSE(session.undo());
}

TEST(VoidFiller, ShowsTheResidualFalling)
{
    VoidFiller session;
    ASSERT_TRUE(session.fill(holed(60)));
    ASSERT_TRUE(outcome(session));
    const VoidState state = session.state();
    ASSERT_GT(state.history.size(), 5u);
    EXPECT_LE(state.history.back(), state.tolerance);
    EXPECT_GT(state.history.front(), 100 * state.tolerance);
}

TEST(VoidFiller, RefusesATerrainWithoutVoids)
{
    HeightField field = holed(10);
    field.voidMask.clear();
    VoidFiller session;
    const Status status = session.fill(field);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kUsage);
    EXPECT_FALSE(session.running());
}

TEST(VoidFiller, RefusesASecondRunBesideTheFirst)
{
    VoidFiller session;
    ASSERT_TRUE(session.fill(holed(300)));
    EXPECT_FALSE(session.fill(holed(300)));
    EXPECT_FALSE(session.undo());
}

TEST(VoidFiller, WhileAComputeModuleHasTheProcessorItSaysSo)
{
    ASSERT_TRUE(compute::processJobDevices().take("cpu"));
    VoidFiller session;
    const Status status = session.fill(holed(10));
    compute::processJobDevices().release("cpu");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kLimit);
    EXPECT_TRUE(session.fill(holed(10)));
}

TEST(VoidFiller, ACancelledFillLeavesNothingToTakeBack)
{
    VoidFiller session;
    ASSERT_TRUE(session.fill(holed(1200)));
    session.cancel();
    const Result<ChangedHeights> changed = outcome(session);
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(session.state().filled, 0u);
    EXPECT_FALSE(session.undo());
}

TEST(VoidFiller, AnotherTerrainEndsWhatRuns)
{
    VoidFiller session;
    ASSERT_TRUE(session.fill(holed(1200)));
    session.forget();
    EXPECT_FALSE(session.running());
    EXPECT_FALSE(session.take());
    EXPECT_TRUE(session.state().history.empty());
    EXPECT_TRUE(session.fill(holed(10)));  // the processor is free again
}

}  // namespace
}  // namespace orogen::app
