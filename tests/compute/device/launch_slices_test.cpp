// Launches of bounded time: every step once and in order, lengths that follow measured times, and a stop between two.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "compute/device/kernel_target.h"

namespace orogen::compute {
namespace {

TEST(LaunchSlices, DoEveryStepOnceAndInOrder)
{
    const auto target = makeHostTarget({});
    LaunchPacer pacer(3, 10);
    std::uint64_t done = 0;
    std::uint64_t largest = 0;
    const Status status = launchInSlices(*target, pacer, 1000, {}, "steps", [&](std::uint64_t first, std::uint64_t n) {
        EXPECT_EQ(first, done);
        done += n;
        largest = std::max(largest, n);
        return Status::ok();
    });
    EXPECT_TRUE(status);
    EXPECT_EQ(done, 1000u);
    EXPECT_LE(largest, 10u);
}

TEST(LaunchSlices, GrowSlowlyAndShrinkAtOnce)
{
    LaunchPacer pacer(8);
    pacer.took(8, 0.001);
    EXPECT_EQ(pacer.next(), 32u);  // grows at most by a factor of four
    pacer.took(32, 200);
    EXPECT_EQ(pacer.next(), 3u);  // 20 ms at the measured rate
    pacer.took(3, 2000);
    EXPECT_EQ(pacer.next(), 1u);
    pacer.took(1, 10);
    EXPECT_EQ(pacer.next(), 2u);
}

TEST(LaunchSlices, TheShortRestOfSomeWorkDoesNotShrinkTheNextLaunch)
{
    LaunchPacer pacer(100);
    pacer.took(7, 0.5);  // the last launch has only seven steps left
    EXPECT_EQ(pacer.next(), 100u);
    pacer.took(7, 40);
    EXPECT_EQ(pacer.next(), 3u);
}

TEST(LaunchSlices, SeeAStopBetweenTwoLaunches)
{
    const auto target = makeHostTarget({});
    LaunchPacer pacer(1, 1);
    std::stop_source source;
    std::uint64_t launches = 0;
    const Status status =
        launchInSlices(*target, pacer, 100, source.get_token(), "sum", [&](std::uint64_t, std::uint64_t) {
            if (++launches == 7) source.request_stop();
            return Status::ok();
        });
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ExitCode::kInterrupted);
    EXPECT_EQ(status.error().message, "sum: cancelled");
    EXPECT_EQ(launches, 7u);
}

}  // namespace
}  // namespace orogen::compute
