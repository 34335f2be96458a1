// Filling voids of the open terrain and taking it back, without a window.
#include "app/session/void_deck.h"

#include <chrono>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

namespace orogen::app {
namespace {

// A ramp of whole metres with a hole of side - 2 x side - 2 samples.
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

Result<ChangedHeights> outcome(VoidDeck& deck)
{
    for (int i = 0; i < 60'000; ++i, std::this_thread::sleep_for(std::chrono::milliseconds(1)))
        if (std::optional<Result<ChangedHeights>> taken = deck.take()) return std::move(*taken);
    return Error{ExitCode::kLimit, "not done within a minute"};
}

TEST(VoidDeck, FillsEveryVoid)
{
    const HeightField field = holed(40);
    VoidDeck deck;
    ASSERT_TRUE(deck.fill(field));
    EXPECT_TRUE(deck.running());
    const Result<ChangedHeights> changed = outcome(deck);
    ASSERT_TRUE(changed) << changed.error().message;
    EXPECT_FALSE(deck.running());
    EXPECT_TRUE(changed->field.voidMask.empty());
    EXPECT_EQ(changed->voids, 0u);
    EXPECT_EQ(changed->filled, 38u * 38u);
    EXPECT_LE(changed->relativeResidual, 1e-8);
    EXPECT_FALSE(changed->pyramid.levels.empty());
    for (int y = 0; y < 40; ++y)
        for (int x = 0; x < 40; ++x)
            ASSERT_NEAR(changed->field.at(x, y), 3 * x + y, 0.04) << x << ' ' << y;
}

TEST(VoidDeck, TakesItBack)
{
    const HeightField field = holed(40);
    VoidDeck deck;
    ASSERT_TRUE(deck.fill(field));
    const Result<ChangedHeights> filled = outcome(deck);
    ASSERT_TRUE(filled);
    deck.shown(*filled);
    EXPECT_EQ(deck.state().filled, 38u * 38u);
    ASSERT_TRUE(deck.undo());
    const Result<ChangedHeights> back = outcome(deck);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->field.codes, field.codes);
    EXPECT_EQ(back->field.voidMask, field.voidMask);
    EXPECT_EQ(back->field.scale, field.scale);
    EXPECT_EQ(back->voids, 38u * 38u);
    deck.shown(*back);
    EXPECT_EQ(deck.state().filled, 0u);
    EXPECT_FALSE(deck.undo());
}

TEST(VoidDeck, ShowsTheResidualFalling)
{
    VoidDeck deck;
    ASSERT_TRUE(deck.fill(holed(60)));
    ASSERT_TRUE(outcome(deck));
    const VoidState state = deck.state();
    ASSERT_GT(state.history.size(), 5u);
    EXPECT_LE(state.history.back(), state.tolerance);
    EXPECT_GT(state.history.front(), 100 * state.tolerance);
}

TEST(VoidDeck, RefusesATerrainWithoutVoids)
{
    HeightField field = holed(10);
    field.voidMask.clear();
    VoidDeck deck;
    const Status status = deck.fill(field);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kUsage);
    EXPECT_FALSE(deck.running());
}

TEST(VoidDeck, RefusesASecondRunBesideTheFirst)
{
    VoidDeck deck;
    ASSERT_TRUE(deck.fill(holed(300)));
    EXPECT_FALSE(deck.fill(holed(300)));
    EXPECT_FALSE(deck.undo());
}

TEST(VoidDeck, WhileAComputeModuleHasTheProcessorItSaysSo)
{
    ASSERT_TRUE(compute::processJobDevices().take("cpu"));
    VoidDeck deck;
    const Status status = deck.fill(holed(10));
    compute::processJobDevices().release("cpu");
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kLimit);
    EXPECT_TRUE(deck.fill(holed(10)));
}

TEST(VoidDeck, ACancelledFillLeavesNothingToTakeBack)
{
    VoidDeck deck;
    ASSERT_TRUE(deck.fill(holed(1200)));
    deck.cancel();
    const Result<ChangedHeights> changed = outcome(deck);
    ASSERT_FALSE(changed);
    EXPECT_EQ(changed.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(deck.state().filled, 0u);
    EXPECT_FALSE(deck.undo());
}

TEST(VoidDeck, AnotherTerrainEndsWhatRuns)
{
    VoidDeck deck;
    ASSERT_TRUE(deck.fill(holed(1200)));
    deck.forget();
    EXPECT_FALSE(deck.running());
    EXPECT_FALSE(deck.take());
    EXPECT_TRUE(deck.state().history.empty());
    EXPECT_TRUE(deck.fill(holed(10)));  // and the processor is free again
}

}  // namespace
}  // namespace orogen::app
