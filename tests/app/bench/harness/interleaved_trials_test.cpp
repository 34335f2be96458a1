// Common benchmark harness. No test measures times: the contenders report their own.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/bench/harness/bench.h"

namespace orogen::app::bench {
namespace {

Contender logging(std::string& log, char name)
{
    return {.prepare =
                [&log, name] {
                    log += {'(', name};
                },
            .section = repeated([&log, name] { log += name; }),
            .check =
                [&log, name] {
                    return log += {name, ')'}, true;
                }};
}

// Returns a contender that reports the listed times in turn (milliseconds).
Contender lasting(std::vector<double> milliseconds)
{
    return {.section = [milliseconds, next = std::size_t(0)]() mutable -> Result<double> {
        return milliseconds[next++ % milliseconds.size()];
    }};
}

// Returns slices that log which contender ran.
Slices saying(std::string& log, const std::string& word)
{
    Slices slices;
    for (const char letter : word)
        slices.push_back([&log, letter] { log += letter; });
    return slices;
}

TEST(Timing, IsOfTheMinimumAndTheMedian)
{
    const Timing timing = timingOf({5, 2, 9, 3});
    EXPECT_EQ(timing.minimumMs, 2);
    EXPECT_EQ(timing.medianMs, 5);
    EXPECT_EQ(timing.rounds, 4);
    EXPECT_EQ(timing.spread(), 1.5);
    EXPECT_EQ(timesAsFast(timing, timingOf({7, 6})), 3);
    EXPECT_EQ(timingOf({}).rounds, 0);
}

TEST(BenchColumns, AValueThatIsMissingOrNullIsADash)
{
    const Json row = {{"word", "simd"}, {"count", 3}, {"part", 0.125}, {"null", nullptr}};
    EXPECT_EQ(wordColumn("", "/word").text(row), "simd");
    EXPECT_EQ(integerColumn("", "/count").text(row), "3");
    EXPECT_EQ(numberColumn("", "/part", 2).text(row), "0.12");
    EXPECT_EQ(percentColumn("", "/part").text(row), "12%");
    for (const char* pointer : {"/null", "/missing"})
        for (const Column& column : {wordColumn("", pointer), integerColumn("", pointer), numberColumn("", pointer, 2),
                                     percentColumn("", pointer)})
            EXPECT_EQ(column.text(row), "-") << pointer;
}

TEST(InterleavedTrials, ContendersAlternateAndEverySectionIsPreparedAndChecked)
{
    std::string log;
    const auto timings = timeInterleaved({logging(log, 'a'), logging(log, 'b')}, {.leastRounds = 2, .mostRounds = 2});
    ASSERT_TRUE(timings);
    EXPECT_EQ(log, "(aaa)(bbb)(aaa)(bbb)(aaa)(bbb)");  // the first round is discarded
    ASSERT_EQ(timings->size(), 2u);
    EXPECT_EQ((*timings)[0].rounds, 2);
    EXPECT_TRUE((*timings)[0].checked && (*timings)[0].equal);
}

TEST(InterleavedTrials, WarmUpCountsForNothing)
{
    const auto timings =
        timeInterleaved({lasting({1, 7, 4}), lasting({2, 30, 50})}, {.leastRounds = 2, .mostRounds = 2});
    ASSERT_TRUE(timings);
    EXPECT_EQ((*timings)[0].minimumMs, 4);
    EXPECT_EQ((*timings)[0].medianMs, 7);
    EXPECT_EQ((*timings)[1].minimumMs, 30);
    const auto cold = timeInterleaved({lasting({1, 7, 4})}, {.warmUpRounds = 0, .leastRounds = 2, .mostRounds = 2});
    EXPECT_EQ((*cold)[0].minimumMs, 1);
}

TEST(InterleavedTrials, TheTotalIsOfWholeSectionsWithoutWarmUp)
{
    Contender ten = lasting({1, 7, 4});
    ten.uses = 10;
    const auto timings = timeInterleaved({ten, lasting({2, 30, 50})}, {.leastRounds = 2, .mostRounds = 2});
    ASSERT_TRUE(timings);
    EXPECT_EQ((*timings)[0].minimumMs, 0.4);
    EXPECT_EQ((*timings)[0].totalMs, 11);
    EXPECT_EQ((*timings)[1].totalMs, 80);
}

TEST(InterleavedTrials, EndWithTheirTimeButNotBeforeTheLeastRounds)
{
    const auto rounds = [](double seconds) {
        return (*timeInterleaved({lasting({600}), lasting({400})},
                                 {.leastRounds = 3, .mostRounds = 8, .seconds = seconds}))[0]
            .rounds;
    };
    EXPECT_EQ(rounds(0), 3);
    EXPECT_EQ(rounds(4.5), 5);
    EXPECT_EQ(rounds(100), 8);
}

TEST(InterleavedTrials, OneResultThatFailsItsCheckIsEnough)
{
    int sections = 0, after = 0;
    const auto timings = timeInterleaved({{.section = repeated([] {}), .check = [&] { return ++sections != 2; }},
                                          {.section = repeated([] {})},
                                          {.section = repeated([] {}), .finalCheck = [&] { return ++after, false; }}},
                                         {.leastRounds = 3, .mostRounds = 3});
    EXPECT_FALSE(timings->at(0).equal);
    EXPECT_FALSE(timings->at(1).checked);
    EXPECT_TRUE(timings->at(2).checked && !timings->at(2).equal);
    EXPECT_EQ(sections, 4);
    EXPECT_EQ(after, 1);
}

TEST(InterleavedTrials, StopAfterAnyPreparationSectionOrCheck)
{
    for (int most = 1; most < 9; ++most)
    {
        std::string log;
        int asked = 0;
        const auto timings = timeInterleaved({logging(log, 'a')}, {.shouldStop = [&] { return ++asked == most; }});
        ASSERT_FALSE(timings);
        EXPECT_EQ(timings.error().code, ExitCode::kInterrupted);
        const std::string all = "(a|a|a)|(a|a|a)|(a|a|a)|";
        std::string expected;
        for (int seen = 0; const char c : all)
        {
            if (c == '|' && ++seen == most) break;
            if (c != '|') expected += c;
        }
        EXPECT_EQ(log, expected);
    }
}

TEST(InterleavedTrials, ASectionsOwnErrorEndsThem)
{
    int after = 0;
    const auto failing = [n = 0]() mutable -> Result<double> {
        if (++n == 3) return Error{ExitCode::kDevice, "gone"};
        return 1.0;
    };
    const auto timings = timeInterleaved({{.section = failing, .finalCheck = [&] { return ++after, true; }}}, {});
    ASSERT_FALSE(timings);
    EXPECT_EQ(timings.error().message, "gone");
    EXPECT_EQ(after, 0);
}

TEST(InterleavedTrials, AShortSectionIsRepeatedAndItsTimeIsOfOneUse)
{
    volatile std::int64_t ran = 0;
    std::int64_t sections = 0;
    const auto timings = timeInterleaved({{.section =
                                               [&](std::int64_t times) {
                                                   ++sections;
                                                   for (; times > 0; --times)
                                                       ran = ran + 1;
                                               },
                                           .uses = 10}},
                                         {.leastRounds = 2, .mostRounds = 2, .batchMs = 1});
    ASSERT_TRUE(timings);
    EXPECT_GT(ran, 3 * sections);
    EXPECT_LT((*timings)[0].minimumMs * double(ran), 1e5);
}

TEST(InterleavedTrials, AStepRunsASliceAtLeastAndComesBack)
{
    std::string log;
    int waits = 0;
    InterleavedTrials trials({{.section = saying(log, "abcdefgh")}},
                             {.leastRounds = 1, .mostRounds = 1, .synchronise = [&] { ++waits; }});
    double before = 0;
    std::size_t steps = 0;
    while (!trials.step(0))
    {
        ASSERT_EQ(log.size(), ++steps);
        ASSERT_GE(trials.fraction(), before);
        before = trials.fraction();
    }
    EXPECT_EQ(log, "abcdefghabcdefgh");
    EXPECT_EQ(waits, 32);
    EXPECT_EQ(trials.fraction(), 1);
    EXPECT_FALSE(trials.timings()->at(0).checked);
}

TEST(InterleavedTrials, SlicesOfContendersAlternateAsWholes)
{
    std::string log;
    const auto timings = timeInterleaved({{.section = saying(log, "ab")}, {.section = saying(log, "c")}},
                                         {.leastRounds = 3, .mostRounds = 3});
    ASSERT_TRUE(timings);
    EXPECT_EQ(log, "abcabcabcabc");
    EXPECT_EQ((*timings)[1].rounds, 3);
}

}  // namespace
}  // namespace orogen::app::bench
