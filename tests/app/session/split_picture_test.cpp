// Times of the sides of a split picture.
#include "app/session/split_picture.h"

#include <optional>

#include <gtest/gtest.h>

namespace orogen::app {
namespace {

TEST(SplitTimes, AreTheNewestOfTheFramesThatCount)
{
    GpuTimes gpu;
    EXPECT_EQ(newestMs({}, gpu, 1), std::nullopt);
    gpu.frame = 7;
    gpu.wholeMs = 20;
    EXPECT_EQ(newestMs({}, gpu, 7), 20);
    EXPECT_EQ(newestMs({6, 30}, gpu, 6), 20);
    EXPECT_EQ(newestMs({7, 30}, gpu, 7), 30) << "a frame in slices: the GPU's time includes the gaps";
    EXPECT_EQ(newestMs({8, 30}, gpu, 7), 30);
    EXPECT_EQ(newestMs({6, 30}, gpu, 8), std::nullopt) << "both times are of frames with other settings";
}

}  // namespace
}  // namespace orogen::app
