#include "app/gl/window.h"

#include <gtest/gtest.h>

namespace orogen::app {
namespace {

TEST(Pacing, LimitsFramesWhereSwapsDoNotWait)
{
    for (const double refreshHz : {0.0, 50.0, 60.0, 75.0, 120.0})
        EXPECT_EQ(leastFrameMs(refreshHz, 0.1, false), 8.0) << refreshHz;
    EXPECT_EQ(leastFrameMs(0.0, 5.0, true), 8.0) << "a software rasteriser draws in the swap";
}

TEST(Pacing, LeavesTheRhythmToADisplayThatSwapsWaitFor)
{
    for (const double refreshHz : {0.0, 60.0, 144.0, 240.0, 360.0})
        EXPECT_EQ(leastFrameMs(refreshHz, 1.5, false), 0.0) << refreshHz;
}

// Covers waits outside the swap, and frames that have used up the time of the wait.
TEST(Pacing, NeverMissesATurnOfAFastDisplay)
{
    for (const bool software : {false, true})
        for (double refreshHz = 126.0; refreshHz < 600.0; refreshHz += 1.0)
        {
            EXPECT_LT(leastFrameMs(refreshHz, 0.0, software), 0.95 * 1000.0 / refreshHz) << refreshHz;
            EXPECT_GT(leastFrameMs(refreshHz, 0.0, software), 0.85 * 1000.0 / refreshHz) << refreshHz;
        }
}

}  // namespace
}  // namespace orogen::app
