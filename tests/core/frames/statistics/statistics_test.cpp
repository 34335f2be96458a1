// Statistics against their definitions: by hand on short series, and by an independent, exact program in Python. It
// reads the run's file and compares each number of report.json to its last printed digit.
#include "core/frames/statistics/statistics.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "core/frames/report/report.h"
#include "tests/support/places.h"
#include "tests/support/raster_files.h"
#include "tests/support/run_program.h"
#include "tests/support/synthetic_capture.h"

namespace orogen {
namespace {

using test::SyntheticCapture;
using test::syntheticCapture;
using test::TemporaryFolder;
using Rows = std::vector<FrameSample>;

Rows rowsOf(const std::vector<double>& intervals)
{
    Rows rows(intervals.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
    {
        rows[i].frame = i;
        rows[i].intervalMs = intervals[i];
    }
    return rows;
}

Statistics statisticsOf(const std::vector<double>& intervals)
{
    const Rows rows = rowsOf(intervals);
    return orogen::statisticsOf(std::span<const FrameSample>(rows));
}

std::vector<double> oneToTen()
{
    std::vector<double> values(10);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = double((i * 7) % 10 + 1);  // unordered
    return values;
}

TEST(Statistics, PercentilesAreOfType7)
{
    const Statistics s = statisticsOf(oneToTen());
    ASSERT_TRUE(s.intervalMs);
    EXPECT_EQ(s.intervalMs->count, 10u);
    EXPECT_EQ(s.intervalMs->mean, 5.5);
    EXPECT_EQ(s.intervalMs->p50, 5.5);
    EXPECT_EQ(s.intervalMs->p90, 9.1);
    EXPECT_EQ(s.intervalMs->p95, 9.55);
    EXPECT_EQ(s.intervalMs->p99, 9.91);
    EXPECT_DOUBLE_EQ(s.intervalMs->p999, 9.991);
    EXPECT_DOUBLE_EQ(*s.fpsAverage, 10 / 0.055);
}

TEST(Statistics, LowsNeedFrames)
{
    for (const std::size_t frames : {1u, 999u, 1'000u, 9'999u, 10'000u})
    {
        const Statistics s = statisticsOf(std::vector<double>(frames, 10.0));
        EXPECT_EQ(s.low1.has_value(), frames >= 1'000) << frames;
        EXPECT_EQ(s.low01.has_value(), frames >= 10'000) << frames;
    }
    EXPECT_EQ(lowReason(999, kFramesForLow1), "fewer than 1,000 frames (999)");
    EXPECT_EQ(lowReason(1'234, kFramesForLow01), "fewer than 10,000 frames (1,234)");
}

// 990 frames of 10 ms, 10 frames of 20, 30, ..., 110 ms.
TEST(Statistics, TheThreeLowsAreDifferentNumbers)
{
    std::vector<double> intervals(1'000, 10.0);
    for (std::size_t i = 0; i < 10; ++i)
        intervals[i * 97] = 20.0 + 10.0 * double(i);
    const Statistics s = statisticsOf(intervals);
    ASSERT_TRUE(s.low1);
    EXPECT_DOUBLE_EQ(s.low1->percentile, 1000 / (10 + 0.01 * 10));  // interpolated at position 989.01
    EXPECT_DOUBLE_EQ(s.low1->mean, 1000 / 65.0);
    EXPECT_DOUBLE_EQ(s.low1->time, 1000 / 110.0);  // 1 % of 10,550 ms is within the slowest
}

TEST(Statistics, WhatIsNotMeasuredIsEmpty)
{
    for (const Rows& rows : {Rows(), Rows(5)})
    {
        const Statistics s = orogen::statisticsOf(std::span<const FrameSample>(rows));
        EXPECT_EQ(s.frames, 0u);
        EXPECT_FALSE(s.fpsAverage || s.intervalMs || s.low1 || s.low01 || s.jitterMeanMs || s.stutter || s.jankMs);
        EXPECT_FALSE(s.missed60 || s.missed30 || s.bound || s.autocorrelation || s.effectiveFrames || s.cpuMs);
        EXPECT_FALSE(s.gpuMs || s.passMs[0] || s.work[&FrameSample::leaves].mean ||
                     s.work[&FrameSample::splits].total || s.work[&FrameSample::maxDepth].total);
    }
}

TEST(Statistics, FramesOfNoTimeAtAllHaveNoRate)
{
    const Statistics s = statisticsOf(std::vector<double>(1'000, 0.0));
    EXPECT_EQ(s.frames, 1'000u);
    EXPECT_FALSE(s.fpsAverage || s.low1 || s.stutter || s.autocorrelation);
    EXPECT_EQ(lowReason(s.frames, kFramesForLow1), "a slowest frame took 0 ms");
}

TEST(Statistics, StutterNeedsTheFactorAndTheExcess)
{
    const auto stutters = [](double usual, double spike) {
        std::vector<double> intervals(40, usual);
        intervals[20] = spike;
        return statisticsOf(intervals).stutter->count;
    };
    EXPECT_EQ(stutters(10, 20), 0u);
    EXPECT_EQ(stutters(10, 20.0001), 1u);
    EXPECT_EQ(stutters(1, 5), 0u);  // 5 ms after 1 ms is five times as long, but only 4 ms more
    EXPECT_EQ(stutters(1, 5.0001), 1u);
}

TEST(Statistics, AMissIsOverThePeriodToTheTick)
{
    EXPECT_EQ(statisticsOf({16.6666}).missed60->count, 0u);
    EXPECT_EQ(statisticsOf({16.6667}).missed60->count, 1u);
    EXPECT_EQ(statisticsOf({33.3333}).missed30->count, 0u);
    EXPECT_EQ(statisticsOf({33.3334}).missed30->count, 1u);
    const Statistics s = statisticsOf({20, 20, 10, 20, 20, 20, 10, 20});
    EXPECT_EQ(s.missed60->count, 6u);
    EXPECT_EQ(s.missed60->longestRun, 3u);
    EXPECT_DOUBLE_EQ(s.missed60->share, 0.75);
}

TEST(Statistics, BoundByWhatTookLongest)
{
    Rows rows(8);
    const auto set = [&rows](std::size_t i, std::optional<double> cpu, std::optional<double> gpu,
                             std::optional<double> swap) {
        rows[i].cpuMs = cpu, rows[i].gpuMs = gpu, rows[i].swapMs = swap;
    };
    set(0, 3, 2, 1), set(1, 2, 3, 1), set(2, 1, 2, 3), set(3, 2, 2, 2), set(4, 1, 2, {});
    set(5, {}, 9, 1), set(6, 9, {}, 1);  // not counted
    rows[7] = rows[0];
    rows[7].flags = kFrameWarmup;
    const Statistics s = orogen::statisticsOf(std::span<const FrameSample>(rows));
    ASSERT_TRUE(s.bound);
    EXPECT_EQ(s.bound->frames, 5u);
    EXPECT_DOUBLE_EQ(s.bound->cpu, 0.4);
    EXPECT_DOUBLE_EQ(s.bound->gpu, 0.4);
    EXPECT_DOUBLE_EQ(s.bound->present, 0.2);
}

TEST(Statistics, VariationAndAnimationErrorOfKnownSeries)
{
    EXPECT_DOUBLE_EQ(statisticsOf(std::vector<double>{2, 4, 4, 4, 5, 5, 7, 9}).variation.value(),
                     std::sqrt(32.0 / 7) / 5);
    EXPECT_EQ(statisticsOf(std::vector<double>{3, 3, 3}).variation, 0.0);
    EXPECT_FALSE(statisticsOf(std::vector<double>{3}).variation);

    Rows rows = rowsOf({10, 12, 9, 11});
    const double begins[] = {0, 10, 20, 33};  // steps of 10, 10, 13
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].tMs = begins[i];
    const Statistics s = orogen::statisticsOf(std::span<const FrameSample>(rows));
    EXPECT_DOUBLE_EQ(s.animationErrorMeanMs.value(), (2 + 1 + 2) / 3.0);
    rows[2].intervalMs.reset();
    EXPECT_DOUBLE_EQ(orogen::statisticsOf(std::span<const FrameSample>(rows)).animationErrorMeanMs.value(), 2);
}

TEST(Statistics, SectionsPoolTheirStretchesAndCrossNone)
{
    Rows first = rowsOf({10, 20, 30, 40, 50}), second = rowsOf({1, 2, 3});
    const char* names[] = {"", "a", "b", "b", "a"};
    for (std::size_t i = 0; i < first.size(); ++i)
        first[i].section = names[i];
    for (FrameSample& row : second)
        row.section = "b";
    second[0].flags = kFrameWarmup;
    const std::vector<std::span<const FrameSample>> runs = {first, second};
    const std::vector<SectionStatistics> sections = sectionsOf(runs);
    ASSERT_EQ(sections.size(), 3u);
    EXPECT_EQ(sections[0].name, "");
    EXPECT_EQ(sections[0].statistics.frames, 1u);
    EXPECT_EQ(sections[1].name, "a");
    EXPECT_DOUBLE_EQ(sections[1].statistics.intervalMs->mean, 35);
    EXPECT_FALSE(sections[1].statistics.jitterMeanMs);  // its two frames are no neighbours
    EXPECT_EQ(sections[2].name, "b");
    EXPECT_DOUBLE_EQ(sections[2].statistics.intervalMs->mean, (30 + 40 + 2 + 3) / 4.0);
    EXPECT_DOUBLE_EQ(sections[2].statistics.jitterMeanMs.value(), (10 + 1) / 2.0);
    const Rows plain = rowsOf({1, 2});
    const std::vector<std::span<const FrameSample>> without = {plain};
    EXPECT_TRUE(sectionsOf(without).empty());
}

TEST(Statistics, AutocorrelationOfKnownSeries)
{
    EXPECT_DOUBLE_EQ(*statisticsOf({1, 2, 1, 2}).autocorrelation, -0.75);
    EXPECT_DOUBLE_EQ(*statisticsOf({1, 2, 1, 2}).effectiveFrames, 4);  // a negative estimate counts as 0
    EXPECT_DOUBLE_EQ(*statisticsOf({1, 2, 3, 4}).autocorrelation, 0.25);
    EXPECT_DOUBLE_EQ(*statisticsOf({1, 2, 3, 4}).effectiveFrames, 4 * 0.75 / 1.25);
    EXPECT_FALSE(statisticsOf({3, 3, 3, 3}).autocorrelation);
    SyntheticCapture capture = syntheticCapture();
    capture.frames = 100'000, capture.warmup = 0, capture.frameNoise = 0.01, capture.autocorrelation = 0.8;
    const Rows rows = test::syntheticRun(capture, 1);
    const Statistics s = orogen::statisticsOf(std::span<const FrameSample>(rows));
    EXPECT_NEAR(*s.autocorrelation, 0.8, 0.02);
    EXPECT_NEAR(*s.effectiveFrames, 100'000 * 0.2 / 1.8, 1'500);
}

TEST(Statistics, NoLookFromOneRunIntoTheNext)
{
    const Rows first = rowsOf({10, 10, 20}), second = rowsOf({20, 10, 10});
    const std::span<const FrameSample> runs[] = {first, second};
    const Statistics s = orogen::statisticsOf(runs);
    EXPECT_EQ(s.frames, 6u);
    EXPECT_EQ(s.missed60->longestRun, 1u);
    EXPECT_DOUBLE_EQ(*s.jitterMeanMs, 5);  // mean of four changes
}

TEST(Statistics, DoNotDependOnTheOrderOfSummation)
{
    test::Random random(7);
    std::vector<double> intervals(20'000);
    for (double& interval : intervals)
        interval = std::round(10'000 * (5 + 30 * random.unit())) / 10'000;
    const Statistics one = statisticsOf(intervals);
    random.shuffle(intervals);
    const Statistics other = statisticsOf(intervals);
    EXPECT_EQ(one.seconds, other.seconds);
    EXPECT_EQ(one.intervalMs->mean, other.intervalMs->mean);
    EXPECT_EQ(one.low1->mean, other.low1->mean);
    EXPECT_EQ(one.jankMs, other.jankMs);
}

TEST(Statistics, EveryPartOfTheReportHasADefinition)
{
    for (const Definition& definition : statisticDefinitions())
    {
        EXPECT_FALSE(definition.name.empty());
        EXPECT_GT(definition.text.size(), 20u) << definition.name;
    }
}

// ---- independent program ----

FrameReport record(const std::string& folder, const std::vector<Rows>& runs, double budgetMs = kDefaultBudgetMs)
{
    CapturePlan plan{.folder = folder, .runs = runs.size(), .frames = 10, .warmupMinimum = 0, .budgetMs = budgetMs};
    auto recorder = CaptureRecorder::create(plan, test::syntheticMetadata(), "{}");
    test::must(recorder);
    for (const Rows& rows : runs)
    {
        test::must((*recorder)->beginRun());
        for (const FrameSample& row : rows)
            test::must((*recorder)->add(row));
        test::must((*recorder)->endRun({}));
    }
    Result<FrameReport> report = (*recorder)->finish();
    test::must(report);
    return std::move(*report);
}

void expectOracleAgrees(const std::vector<Rows>& runs, double budgetMs = kDefaultBudgetMs)
{
    const TemporaryFolder folder;
    record(folder.path(), runs, budgetMs);
    const test::Finished oracle = test::runProgram(
        {"/usr/bin/env", "python3", OROGEN_ROOT "/tests/core/frames/statistics/statistics_oracle.py", folder.path()},
        {});
    EXPECT_EQ(oracle.code, 0) << oracle.out << oracle.err;
    EXPECT_EQ(oracle.out, "equal\n") << oracle.err;
}

Rows synthetic(std::uint64_t frames, std::uint64_t warmup, double noise, double autocorrelation, double hitches,
               std::uint64_t seed = 3)
{
    SyntheticCapture capture = syntheticCapture();
    capture.frames = frames, capture.warmup = warmup, capture.frameNoise = noise, capture.seed = seed;
    capture.autocorrelation = autocorrelation, capture.hitches = hitches, capture.intervalMs = 14;
    capture.metadata.headless = false;
    return test::syntheticRun(capture, 1);
}

TEST(StatisticsOracleThorough, ConstantSeries) { expectOracleAgrees({rowsOf(std::vector<double>(1'500, 12.5))}); }

TEST(StatisticsOracleThorough, OneSpike)
{
    for (const std::size_t at : {0u, 1u, 9u, 700u, 1'190u, 1'199u})
    {
        std::vector<double> intervals(1'200, 8.0);
        intervals[at] = 90;
        expectOracleAgrees({rowsOf(intervals)});
    }
}

TEST(StatisticsOracleThorough, FramesThatRememberTheLast)
{
    expectOracleAgrees({synthetic(3'000, 90, 0.2, 0.95, 0.01)});
}

TEST(StatisticsOracleThorough, FewFrames)
{
    for (std::uint64_t frames : {1u, 2u, 10u, 19u, 20u})
        expectOracleAgrees({synthetic(frames, 3, 0.5, 0, 0.2)});
}

TEST(StatisticsOracleThorough, ManyFrames) { expectOracleAgrees({synthetic(100'000, 60, 0.3, 0.5, 0.002)}); }

TEST(StatisticsOracleThorough, CellsThatWereNotMeasured)
{
    Rows rows = synthetic(2'500, 40, 0.4, 0.3, 0.02);
    test::Random random(11);
    for (FrameSample& row : rows)
    {
        const auto lose = [&random](auto& cell) {
            if (random.chance(1, 5)) cell.reset();
        };
        lose(row.intervalMs), lose(row.cpuMs), lose(row.waitMs), lose(row.swapMs), lose(row.gpuMs);
        for (auto& pass : row.passMs)
            lose(pass);
        lose(row.leaves), lose(row.triangles), lose(row.splits), lose(row.merges), lose(row.maxDepth);
        lose(row.uploadBytes), lose(row.vramKib), lose(row.processorUs), lose(row.glCalls);
    }
    expectOracleAgrees({rows});
}

TEST(StatisticsOracleThorough, StateOfTheMachine)
{
    Rows rows = synthetic(400, 20, 0.1, 0.5, 0);
    for (FrameSample& row : rows)
    {
        row.machine.cpuMhz = 3000 - double(row.frame % 7) / 3;
        if (row.frame % 3 == 0) row.machine.gpuWatts = 100 + double(row.frame);
        if (row.frame > 30)
            row.machine.throttle.reasons = row.frame % 5 == 0 ? kThrottleGpuThermal | kThrottleCpuThermal : 0u;
    }
    expectOracleAgrees({rows});
}

TEST(StatisticsOracleThorough, NothingMeasured)
{
    expectOracleAgrees({Rows(), synthetic(0, 30, 0.1, 0, 0)});
    expectOracleAgrees({rowsOf({0, 0, 0})});
    expectOracleAgrees({});
}

TEST(StatisticsOracleThorough, SeveralRunsWithABudgetOfTheirOwn)
{
    expectOracleAgrees({synthetic(700, 60, 0.3, 0.9, 0.01, 1), synthetic(700, 90, 0.3, 0.9, 0.01, 2), Rows(),
                        synthetic(9'000, 61, 0.3, 0.9, 0.01, 3)},
                       8.25);
}

// ---- the work hash ----

TEST(WorkHash, ChangesWithEachCounterOfEachMeasuredFrame)
{
    const Rows rows = synthetic(40, 10, 0.1, 0, 0);
    const std::optional<std::string> hash = workHash(rows);
    ASSERT_TRUE(hash);
    EXPECT_EQ(hash->size(), 16u);
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto counter : {&FrameSample::leaves, &FrameSample::triangles, &FrameSample::splits})
        {
            Rows changed = rows;
            ++*(changed[i].*counter);
            EXPECT_EQ(workHash(changed) == hash, i < 10) << i;
            changed = rows;
            (changed[i].*counter).reset();
            EXPECT_EQ(workHash(changed).has_value(), i < 10) << i;
        }
}

TEST(WorkHash, IsOfTheWorkAlone)
{
    const Rows rows = synthetic(40, 10, 0.1, 0, 0);
    Rows changed = synthetic(40, 0, 0.5, 0.5, 0.1, 99);
    for (std::size_t i = 0; i < changed.size(); ++i)
    {
        changed[i].leaves = rows[i + 10].leaves;
        changed[i].triangles = rows[i + 10].triangles;
        changed[i].splits = rows[i + 10].splits;
        changed[i].merges = 7;
        changed[i].event = "text";
    }
    EXPECT_EQ(workHash(changed), workHash(rows));
    std::swap(changed[3], changed[4]);
    EXPECT_NE(workHash(changed), workHash(rows));
    EXPECT_FALSE(workHash({}));
}

}  // namespace
}  // namespace orogen
