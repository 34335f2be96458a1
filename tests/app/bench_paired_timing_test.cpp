// Comparing in turns.
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "app/bench/harness/paired_timing.h"

namespace orogen::compute {
namespace {

// Sleeps: takes the same time on a busy machine, or longer.
TimedBody sleeping(std::chrono::microseconds time, std::string* log = nullptr, char name = 'a')
{
    return [=](std::int64_t times) {
        if (log) *log += name;
        for (; times > 0; --times)
            std::this_thread::sleep_for(time);
    };
}

TEST(PairedTiming, RatioIsHowManyTimesAsFastAIs)
{
    const PairTiming timing =
        timePair(sleeping(std::chrono::microseconds(2000)), sleeping(std::chrono::microseconds(6000)),
                 {.batchSeconds = 0.002, .rounds = 10, .seconds = 10});
    EXPECT_EQ(timing.rounds, 10);
    EXPECT_GE(timing.a.minimumMs, 2);
    EXPECT_GE(timing.b.minimumMs, 6);
    EXPECT_GE(timing.a.medianMs, timing.a.minimumMs);
    EXPECT_GT(timing.ratio(), 1.5);
    EXPECT_LT(timing.ratio(), 6);
}

TEST(PairedTiming, TakesTurns)
{
    std::string log;
    const auto a = sleeping(std::chrono::microseconds(1000), &log, 'a');
    const auto b = sleeping(std::chrono::microseconds(1000), &log, 'b');
    const PairTiming timing = timePair(a, b, {.batchSeconds = 0.001, .rounds = 4, .seconds = 10});
    EXPECT_EQ(timing.rounds, 4);
    ASSERT_GE(log.size(), 10u) << "and both were warmed up before";
    EXPECT_EQ(log.substr(log.size() - 8), "abababab");
}

TEST(PairedTiming, EndsWithItsTimeAfterThreeRounds)
{
    const auto body = sleeping(std::chrono::microseconds(3000));
    EXPECT_EQ(timePair(body, body, {.batchSeconds = 0.001, .rounds = 50, .seconds = 0}).rounds, 3);
}

TEST(PairedTiming, StopsWhenAsked)
{
    int asked = 0;
    const auto body = sleeping(std::chrono::microseconds(1000));
    const PairTiming timing = timePair(body, body, {.rounds = 50, .seconds = 10, .goOn = [&] { return ++asked < 2; }});
    EXPECT_TRUE(timing.stopped);
    EXPECT_EQ(timing.rounds, 2);
}

}  // namespace
}  // namespace orogen::compute
