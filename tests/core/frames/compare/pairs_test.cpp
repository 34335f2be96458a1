// Interleaved runs: pairing, the interval over pairs against an independent computation, its level under lasting and
// drifting noise, and results on recorded intervals.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/frames/compare/comparison.h"
#include "core/frames/compare/comparison_math.h"
#include "core/frames/report/report.h"
#include "tests/support/recorded_intervals.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::heldCapture;
using test::SyntheticCapture;
using test::syntheticCapture;

// Returns the tolerance of a share of 5 % over so many trials: four standard deviations.
double stray(int trials) { return 4 * std::sqrt(0.05 * 0.95 / trials); }

std::vector<PairDifference> inTurns(const std::vector<double>& values)
{
    std::vector<PairDifference> pairs;
    for (std::size_t i = 0; i < values.size(); ++i)
        pairs.push_back({values[i], i % 2 == 1});
    return pairs;
}

// ---- arithmetic ----

TEST(Paired, EachOrderHasAMeanOfItsOwn)
{
    const Difference d = pairedDifference(inTurns({1, 4, 3, 8, 2, 6}));
    EXPECT_NEAR(d.mean, (2 + 6) / 2.0, 1e-12);
    const double variance = (1 + 1 + 0 + 4 + 4 + 0) / 4.0;  // about the means 2 and 6, with four degrees of freedom
    EXPECT_NEAR(d.spread, std::sqrt(variance), 1e-12);
    const double widening = std::sqrt((1 + 0.5 * 5 / 6) / (1 - 0.5 / 6));
    const double error = std::sqrt(variance / 6) * widening;
    EXPECT_NEAR(d.interval95.high - d.mean, 2.7764451 * error, 1e-6);
    EXPECT_NEAR(d.mean - d.interval90.low, 2.1318468 * error, 1e-6);
    EXPECT_NEAR(d.p, studentTwoSided(4 / error, 4), 1e-12);
}

TEST(Paired, FewPairsHaveOneMean)
{
    for (const std::size_t n : {2u, 3u})
    {
        const std::vector<double> values = {1, 2, 4.5};
        const Difference d = pairedDifference(inTurns({values.begin(), values.begin() + std::ptrdiff_t(n)}));
        EXPECT_NEAR(d.mean, n == 2 ? 1.5 : 2.5, 1e-12);
        const double freedom = double(n - 1), error = (d.interval95.high - d.mean) / studentQuantile(0.05, freedom);
        EXPECT_NEAR(d.p, studentTwoSided(d.mean / error, freedom), 1e-9);
    }
}

TEST(Paired, DriftCancelsAndIsNoNoise)
{
    test::Random random(5);
    for (int round = 0; round < 20; ++round)
    {
        std::vector<double> values(4 + random.below(9));
        for (double& value : values)
            value = test::normal(random);
        std::vector<double> drifting = values;  // the second run of each pair takes 3 longer
        for (std::size_t i = 0; i < values.size(); ++i)
            drifting[i] += i % 2 == 0 ? 3 : -3;
        const Difference a = pairedDifference(inTurns(values)), b = pairedDifference(inTurns(drifting));
        EXPECT_NEAR(a.mean, b.mean, 1e-12);
        EXPECT_NEAR(a.interval95.high, b.interval95.high, 1e-9);
        EXPECT_NEAR(a.p, b.p, 1e-9);
    }
}

TEST(Paired, WithoutSpreadIsExact)
{
    EXPECT_EQ(pairedDifference(inTurns({0, 0, 0, 0})).p, 1);
    EXPECT_EQ(pairedDifference(inTurns({1, 1, 1, 1, 1})).p, 0);
    EXPECT_EQ(pairedDifference(inTurns({2, 2})).interval95.low, 2);
}

TEST(RunsWantedOf, MoreForNoiseAndForSmallDifferences)
{
    const auto wanted = [](double mean, double spread) {
        return runsWanted({.paired = true, .mean = mean, .spread = spread, .margin = 0.02, .significance = 0.05});
    };
    EXPECT_EQ(wanted(0.5, 1e-6), 2u);
    EXPECT_LT(wanted(0.5, 0.1), wanted(0.3, 0.1));
    EXPECT_LT(wanted(0.0, 0.01), wanted(0.0, 0.02));
    EXPECT_FALSE(wanted(0.0, 0.5));  // 99 pairs do not suffice
    EXPECT_FALSE(wanted(0.02, 0.2));
    // Checks against the interval itself, which just fits with this many pairs.
    const std::size_t n = *wanted(0.0, 0.02);
    const double widening = std::sqrt((1 + 0.5 * double(n - 1) / double(n)) / (1 - 0.5 / double(n)));
    const double reach = (studentQuantile(0.1, double(n - 2)) + 0.8416) * 0.02 * widening / std::sqrt(double(n));
    EXPECT_LE(reach, 0.02);
    EXPECT_GT(reach, 0.018);
}

// ---- level ----

// Returns means over runs of a noise whose correlation decays by exp(-fading) per run: fast, slow, or about one run
// long.
std::vector<double> lastingNoise(test::Random& random, std::size_t runs, double fading)
{
    constexpr int kSteps = 12;
    test::Wander wander(random, std::exp(-fading / kSteps));
    std::vector<double> means(runs);
    for (double& mean : means)
        for (int i = 0; i < kSteps; ++i)
            mean += wander.next() / kSteps;
    return means;
}

std::vector<PairDifference> pairsIn(const std::vector<double>& runs)
{
    std::vector<PairDifference> pairs;
    for (std::size_t i = 0; i + 1 < runs.size(); i += 2)
    {
        const bool candidateFirst = i / 2 % 2 == 1;
        pairs.push_back({candidateFirst ? runs[i] - runs[i + 1] : runs[i + 1] - runs[i], candidateFirst});
    }
    return pairs;
}

TEST(PairedErrorRatesThorough, StayAtTheLevelWhateverTheNoisesMemory)
{
    const int trials = test::scaled(1'000, 40'000);
    test::Random random(77);
    for (const double fading : {0.1, 0.3, 1.0, 2.0, 50.0})
        for (const std::size_t pairs : {4u, 8u})
            for (const double drift : {0.0, 0.2})
            {
                int alarms = 0;
                for (int trial = 0; trial < trials; ++trial)
                {
                    std::vector<double> runs = lastingNoise(random, 2 * pairs, fading);
                    for (std::size_t i = 0; i < runs.size(); ++i)
                        runs[i] += drift * double(i);
                    alarms += pairedDifference(pairsIn(runs)).p < 0.05;
                }
                EXPECT_LT(double(alarms) / trials, 0.05 + stray(trials)) << fading << ' ' << pairs << ' ' << drift;
            }
}

// ---- recorded intervals ----

// Changes to the recorded noise and to the candidate.
struct Injected
{
    double noise = 1;     // share of the recorded deviations that is kept
    double drift = 0;     // change of the logarithm per run
    double slowdown = 1;  // candidate's factor
    std::size_t pairs = 8;
};

// Returns logarithms of the recorded intervals relative to the mean of their frame.
const std::vector<double>& recordedDeviations()
{
    static const std::vector<double> deviations = [] {
        std::vector<double> all(test::kRecordedMs.size());
        for (std::size_t frame = 0; frame < test::kRecordedFrames; ++frame)
        {
            double mean = 0;
            for (std::size_t i = frame; i < all.size(); i += test::kRecordedFrames)
                mean += std::log(double(test::kRecordedMs[i])) / double(test::kRecordedRuns);
            for (std::size_t i = frame; i < all.size(); i += test::kRecordedFrames)
                all[i] = std::log(double(test::kRecordedMs[i])) - mean;
        }
        return all;
    }();
    return deviations;
}

void addRun(Capture& capture, const SyntheticCapture& like, const std::vector<double>& intervals)
{
    std::vector<FrameSample> rows;
    for (const double interval : intervals)
    {
        FrameSample& row = rows.emplace_back();
        row.frame = rows.size() - 1;
        test::setSyntheticTimes(row, interval, like);
        test::setSyntheticWork(row, like);
        row = rounded(row);
    }
    ReportRun& run = capture.report.runs.emplace_back();
    run.file = fmt::format("run-{:02}.csv", capture.report.runs.size());
    summarize(run, rows, kDefaultBudgetMs);
    capture.rows.push_back(std::move(rows));
}

// Returns two interleaved sides over a stretch of the recorded noise, from a random start, forwards or backwards.
std::pair<Capture, Capture> recordedSides(test::Random& random, const Injected& injected)
{
    const std::vector<double>& noise = recordedDeviations();
    const SyntheticCapture like = syntheticCapture();
    SyntheticCapture none = like;
    none.runs = 0;
    std::pair<Capture, Capture> sides = {heldCapture("a", none), heldCapture("b", none)};
    sides.first.report.interleaving = Interleaving{"x", "a"};
    sides.second.report.interleaving = Interleaving{"x", "b"};
    std::size_t at = random.below(std::uint32_t(noise.size()));
    const std::size_t step = random.chance(1, 2) ? 1 : noise.size() - 1;
    for (std::size_t turn = 0; turn < 2 * injected.pairs; ++turn)
    {
        const bool isB = (turn % 2 == 1) != (turn / 2 % 2 == 1);
        std::vector<double> intervals;
        for (std::size_t frame = 0; frame < test::kRecordedFrames; ++frame, at = (at + step) % noise.size())
            intervals.push_back(100 * (isB ? injected.slowdown : 1) *
                                std::exp(injected.noise * noise[at] + injected.drift * double(turn)));
        addRun(isB ? sides.second : sides.first, like, intervals);
    }
    return sides;
}

struct Found
{
    double different = 0, slower = 0, equivalent = 0, noisy = 0;  // shares of the trials
};

// Returns shares over `trials`. Empty `metrics` selects the usual six, any of which may raise an alarm.
Found foundIn(const Injected& injected, int trials, const std::vector<std::string>& metrics = {})
{
    test::Random random(2'024);
    Found found;
    for (int trial = 0; trial < trials; ++trial)
    {
        const auto [a, b] = recordedSides(random, injected);
        const Result<Comparison> result =
            compareCaptures(std::span(&a, 1), std::span(&b, 1), {.marginPercent = 10, .metrics = metrics});
        test::must(result);
        EXPECT_EQ(result->method, "paired t interval");
        const auto any = [&](Verdict verdict) {
            return std::ranges::any_of(result->metrics, [=](const auto& m) { return m.verdict == verdict; });
        };
        found.different += (any(Verdict::kSlower) || any(Verdict::kFaster)) / double(trials);
        found.slower += (result->first()->verdict == Verdict::kSlower) / double(trials);
        found.equivalent += (result->first()->verdict == Verdict::kEquivalent) / double(trials);
        found.noisy += !result->noise.empty() / double(trials);
    }
    return found;
}

// A sixth of the recorded noise: runs differ by 4 % (standard deviation), as on a machine with little other load.
constexpr double kQuiet = 1.0 / 6;

TEST(RecordedIntervalsThorough, OfAProgramAgainstItselfAreSeldomFoundDifferent)
{
    const int trials = test::scaled(60, 2'000);
    for (const double noise : {kQuiet, 1.0})
        for (const double drift : {0.0, 0.02})
        {
            const Found found = foundIn({.noise = noise, .drift = drift}, trials);
            EXPECT_LE(found.different, 0.05) << noise << ' ' << drift;
            RecordProperty(fmt::format("different_noise_{:.2f}_drift_{:.2f}", noise, drift),
                           fmt::format("{:.4f}", found.different));
        }
}

TEST(RecordedIntervalsThorough, OfAProgramAgainstItselfAreFoundEquivalent)
{
    const int trials = test::scaled(60, 2'000);
    for (const double drift : {0.0, 0.02})
    {
        const Found found = foundIn({.noise = kQuiet, .drift = drift}, trials);
        EXPECT_GE(found.equivalent, 0.8) << drift;
        RecordProperty(fmt::format("equivalent_drift_{:.2f}", drift), fmt::format("{:.4f}", found.equivalent));
    }
}

TEST(RecordedIntervals, ShowASlowdownOfTenPercent)
{
    const int trials = test::scaled(60, 2'000);
    for (const double drift : {0.0, 0.02})
    {
        const Found found = foundIn({.noise = kQuiet, .drift = drift, .slowdown = 1.1}, trials);
        EXPECT_GE(found.slower, 0.9) << drift;
        RecordProperty(fmt::format("slower_drift_{:.2f}", drift), fmt::format("{:.4f}", found.slower));
    }
}

TEST(RecordedIntervals, AreCalledNoisyAsTheyWereRecorded) { EXPECT_GE(foundIn({.noise = 1}, 20).noisy, 0.95); }

// ---- pairing ----

SyntheticCapture side(std::uint64_t runs, std::uint64_t seed, double factor = 1)
{
    SyntheticCapture capture = syntheticCapture();
    capture.runs = runs, capture.seed = seed, capture.frames = 40;
    capture.intervalMs *= factor;
    return capture;
}

class Turns : public testing::Test
{
protected:
    Turns() { set(4, 4); }
    void set(std::uint64_t runsA, std::uint64_t runsB, double factor = 1)
    {
        a = heldCapture("a", side(runsA, 1)), b = heldCapture("b", side(runsB, 2, factor));
        a.report.interleaving = Interleaving{"x", "a"}, b.report.interleaving = Interleaving{"x", "b"};
    }
    Comparison compared() const
    {
        Result<Comparison> result = compareCaptures(std::span(&a, 1), std::span(&b, 1));
        test::must(result);
        return std::move(*result);
    }
    Capture a, b;
};

TEST_F(Turns, AreComparedInPairs)
{
    const Comparison comparison = compared();
    EXPECT_EQ(comparison.pairs, 4u);
    EXPECT_EQ(comparison.method, "paired t interval");
    std::vector<PairDifference> pairs;
    for (std::size_t i = 0; i < 4; ++i)
        pairs.push_back({std::log(b.report.runs[i].statistics.intervalMs->mean) -
                             std::log(a.report.runs[i].statistics.intervalMs->mean),
                         i % 2 == 1});
    EXPECT_NEAR(*comparison.metrics[0].p, pairedDifference(pairs).p, 1e-4);
    EXPECT_NEAR(std::log(comparison.metrics[0].interval95->low), pairedDifference(pairs).interval95.low, 1e-6);
}

TEST_F(Turns, MayBeComparedTheOtherWayRound)
{
    const Comparison one = compared();
    std::swap(a, b);
    const Comparison other = compared();
    EXPECT_NEAR(one.metrics[0].ratio * other.metrics[0].ratio, 1, 1e-9);
    EXPECT_NEAR(*one.metrics[0].p, *other.metrics[0].p, 1e-9);
}

TEST_F(Turns, OfOtherCapturesAreNoPairs)
{
    b.report.interleaving->capture = "y";
    EXPECT_EQ(compared().pairs, 0u);
    EXPECT_EQ(compared().method, "Welch's t interval");
    b.report.interleaving = Interleaving{"x", "a"};  // equals the other side
    EXPECT_EQ(compared().pairs, 0u);
    b.report.interleaving.reset();
    EXPECT_EQ(compared().pairs, 0u);
}

TEST_F(Turns, WithoutAPartnerAreLeftOutAndSaidSo)
{
    set(4, 3);
    const Comparison comparison = compared();
    EXPECT_EQ(comparison.pairs, 3u);
    EXPECT_EQ(comparison.metrics[0].baselineRuns.size(), 3u);
    ASSERT_FALSE(comparison.notes.empty());
    EXPECT_NE(comparison.notes[0].find("1 run is left out"), std::string::npos) << comparison.notes[0];
}

TEST_F(Turns, ThatWereInterruptedAreLeftOut)
{
    a.report.runs[3].interrupted = true;
    a.rows[3].resize(30);
    summarize(a.report.runs[3], a.rows[3], kDefaultBudgetMs);
    EXPECT_EQ(compared().pairs, 3u);
}

TEST_F(Turns, KnowEachOtherThroughTheFile)
{
    const Result<FrameReport> read = reportFromJson(reportToJson(a.report), "report.json");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->interleaving, a.report.interleaving);
    nlohmann::json changed = nlohmann::json::parse(reportToJson(a.report));
    changed["interleaved"]["side"] = "c";
    EXPECT_FALSE(reportFromJson(changed.dump(), "report.json"));
    changed.erase("interleaved");  // a report of an earlier version
    EXPECT_TRUE(reportFromJson(changed.dump(), "report.json"));
}

// ---- the sentence ----

bool says(const Comparison& comparison, const std::string& part)
{
    const bool found = sentenceOf(comparison).find(part) != std::string::npos;
    if (!found) ADD_FAILURE() << sentenceOf(comparison) << "\nlacks " << part;
    return found;
}

TEST_F(Turns, SentenceSaysTheChangeOfTimeAndThePairs)
{
    for (const double ratio : {2.3, 1.2, 1 / 2.3})
    {
        set(4, 4, ratio);
        const Comparison comparison = compared();
        const MetricComparison& metric = comparison.metrics[0];
        says(comparison, fmt::format("{}: mean frame time {} (95 % interval {} to {}), 4 pairs of runs",
                                     textOf(metric.verdict), changeText(metric.ratio),
                                     changeText(metric.interval95->low), changeText(metric.interval95->high)));
    }
    a.report.interleaving.reset();
    says(compared(), "4 runs a side");
}

TEST_F(Turns, SentenceSaysHowManyPairsAreWanted)
{
    Comparison comparison = compared();
    MetricComparison& metric = comparison.metrics[0];
    metric.verdict = Verdict::kInconclusive;
    metric.ratio = 1.03, metric.interval95 = Interval{0.98, 1.08}, metric.runsWanted = 9;
    EXPECT_EQ(sentenceOf(comparison),
              "inconclusive: mean frame time +3.0 % (95 % interval -2.0 % to +8.0 %), 4 pairs of "
              "runs; about 5 more pairs would decide");
    metric.interval95 = Interval{1e-9, 1e9};
    says(comparison, "+3.0 % (95 % interval -100.0 % to over +9900 %)");
    metric.runsWanted.reset();
    says(comparison, "not even 99 pairs would decide by a margin of 2 %");
    metric.verdict = Verdict::kEquivalent;
    comparison.metrics[2].verdict = Verdict::kSlower;
    says(comparison, "equivalent within 2 %: mean frame time +3.0 %");
    says(comparison, "; slower: interval_ms.p95");
}

// The verdict uses the 90 % interval, which lies within the margin. The 95 % interval may exceed it.
TEST_F(Turns, OfEquivalentSidesTheIntervalWithinTheMarginIsShown)
{
    Comparison comparison = compared();
    MetricComparison& metric = comparison.metrics[0];
    metric.verdict = Verdict::kEquivalent;
    comparison.marginPercent = 50;
    metric.ratio = 1 / 1.08, metric.interval95 = Interval{0.571, 1.5}, metric.interval90 = Interval{0.7, 1.2};
    EXPECT_EQ(sentenceOf(comparison),
              "equivalent within 50 %: mean frame time -7.4 % (90 % interval -30.0 % to +20.0 %), 4 pairs of runs");
    EXPECT_EQ(marginText(50), "-33.3 % to +50.0 %");
}

TEST_F(Turns, ARateIsShownAsTheTimeBehindIt)
{
    MetricComparison rate;
    rate.name = "fps_average", rate.higherIsBetter = true;
    rate.ratio = 0.5, rate.interval95 = Interval{0.4, 0.8};
    EXPECT_EQ(changeText(rate), "+100 %");
    EXPECT_EQ(textOf(*shownInterval(rate)), "+25.0 % to +150 %");
    EXPECT_EQ(changeText(1.0), "0.00 %");
    EXPECT_EQ(changeText(0.9955), "-0.45 %");
}

TEST_F(Turns, OneRunCanNeverGiveAVerdict)
{
    set(1, 1, 3);
    const Comparison comparison = compared();
    says(comparison, "one run of a side can never give a verdict");
    EXPECT_FALSE(comparison.decidable());
}

// ---- noise ----

TEST(Noise, OfTwoEqualRunsAt289And407FpsIsNamed)
{
    const std::vector<double> runs = {1000 / 2.89, 1000 / 4.07};
    const std::optional<RunSpread> spread = runSpread(runs);
    ASSERT_TRUE(spread);
    EXPECT_TRUE(spread->noisy());
    EXPECT_EQ(textOf(*spread), "differ by 41 % (2.89 to 4.07 fps, standard deviation 24 %)");
    EXPECT_FALSE(runSpread(std::vector{100.0, 101.0, 100.5})->noisy());
    EXPECT_FALSE(runSpread(std::vector{100.0}));
}

TEST(Noise, OfTheMachineIsNamedWithItsNumber)
{
    ReportMetadata metadata = test::syntheticMetadata();
    EXPECT_TRUE(machineWarnings(metadata).empty());
    metadata.load = 1.2;
    EXPECT_TRUE(machineWarnings(metadata).empty());  // the number of processors is unknown
    metadata.processors = 2;
    metadata.governor = "powersave";
    const std::vector<std::string> warnings = machineWarnings(metadata);
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_NE(warnings[0].find("load average was 1.2 on 2 processors"), std::string::npos) << warnings[0];
    EXPECT_NE(warnings[1].find("powersave"), std::string::npos) << warnings[1];
    metadata.processors = 16, metadata.governor = "performance";
    EXPECT_TRUE(machineWarnings(metadata).empty());
}

}  // namespace
}  // namespace orogen
