// Comparison of captures: arithmetic against tables and an independent integration, error rates by simulation, and
// every reason why captures are not comparable.
#include "core/frames/compare/comparison.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/frames/statistics/statistics.h"
#include "tests/support/synthetic_capture.h"
#include "tests/support/test_scale.h"

namespace orogen {
namespace {

using test::heldCapture;
using test::SyntheticCapture;
using test::syntheticCapture;

// ---- arithmetic ----

TEST(StudentsT, QuantilesAreThoseOfTheTables)
{
    struct Row
    {
        double freedom, t10, t5, t1;  // limits with 10, 5 and 1 % outside, two-sided
    };
    for (const Row& row :
         {Row{1, 6.3138, 12.7062, 63.6567}, Row{2, 2.9200, 4.3027, 9.9248}, Row{3, 2.3534, 3.1824, 5.8409},
          Row{4, 2.1318, 2.7764, 4.6041}, Row{5, 2.0150, 2.5706, 4.0321}, Row{8, 1.8595, 2.3060, 3.3554},
          Row{10, 1.8125, 2.2281, 3.1693}, Row{20, 1.7247, 2.0860, 2.8453}, Row{30, 1.6973, 2.0423, 2.7500},
          Row{120, 1.6577, 1.9799, 2.6174}})
    {
        EXPECT_NEAR(studentQuantile(0.10, row.freedom), row.t10, 6e-5) << row.freedom;
        EXPECT_NEAR(studentQuantile(0.05, row.freedom), row.t5, 6e-5) << row.freedom;
        EXPECT_NEAR(studentQuantile(0.01, row.freedom), row.t1, 6e-5) << row.freedom;
    }
}

TEST(StudentsT, ProbabilitiesAreTheClosedFormsForOneAndTwoDegrees)
{
    for (const double t : {0.0, 1e-6, 0.1, 1.0, 3.0, 12.7, 1e3, 1e6})
    {
        EXPECT_NEAR(studentTwoSided(t, 1), 1 - 2 / std::numbers::pi * std::atan(t), 1e-10) << t;
        EXPECT_NEAR(studentTwoSided(t, 2), 1 - t / std::sqrt(2 + t * t), 1e-10) << t;
        EXPECT_EQ(studentTwoSided(-t, 7.5), studentTwoSided(t, 7.5));
    }
}

TEST(Normal, QuantilesAreThoseOfTheTables)
{
    EXPECT_NEAR(normalQuantile(0.975), 1.959964, 1e-6);
    EXPECT_NEAR(normalQuantile(0.95), 1.644854, 1e-6);
    EXPECT_NEAR(normalQuantile(0.005), -2.575829, 1e-6);
    EXPECT_NEAR(normalQuantile(0.5), 0, 1e-12);
    EXPECT_NEAR(normalBelow(1), 0.841344746, 1e-9);
}

// Returns the two-sided probability by Simpson's rule over the density, with a tan substitution for the long tails.
double integratedTwoSided(double t, double freedom)
{
    const double scale =
        std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) / std::sqrt(freedom * std::numbers::pi);
    const double from = std::atan(std::abs(t)), to = std::numbers::pi / 2;
    constexpr int kSteps = 20'000;
    double sum = 0;
    for (int i = 0; i < kSteps; ++i)  // the end contributes 0 for freedom > 1
    {
        const double angle = from + (to - from) * i / kSteps, x = std::tan(angle);
        const double value = scale * std::pow(1 + x * x / freedom, -(freedom + 1) / 2) * (1 + x * x);
        sum += value * (i == 0 ? 1 : i % 2 ? 4 : 2);
    }
    return 2 * sum * (to - from) / kSteps / 3;
}

// Recomputes Welch's interval from the definitions, with the integral above.
TEST(Welch, AgreesWithAComputationOfItsOwn)
{
    test::Random random(3);
    for (int round = 0; round < 25; ++round)
    {
        std::vector<double> a(2 + random.below(6)), b(2 + random.below(6));
        for (double& value : a)
            value = test::normal(random);
        for (double& value : b)
            value = 0.7 + 3 * test::normal(random);
        const auto moments = [](const std::vector<double>& values) {
            double mean = 0, variance = 0;
            for (const double value : values)
                mean += value / double(values.size());
            for (const double value : values)
                variance += (value - mean) * (value - mean) / double(values.size() - 1);
            return std::pair(mean, variance);
        };
        const auto [meanA, varianceA] = moments(a);
        const auto [meanB, varianceB] = moments(b);
        const double u = varianceA / double(a.size()), v = varianceB / double(b.size());
        const double freedom = (u + v) * (u + v) / (u * u / double(a.size() - 1) + v * v / double(b.size() - 1));
        const Difference difference = welchDifference(a, b);
        EXPECT_NEAR(difference.mean, meanB - meanA, 1e-12);
        const double t = (meanB - meanA) / std::sqrt(u + v);
        EXPECT_NEAR(difference.p, integratedTwoSided(t, freedom), 2e-6) << freedom;
        const double reach = (difference.interval95.high - difference.interval95.low) / 2 / std::sqrt(u + v);
        EXPECT_NEAR(integratedTwoSided(reach, freedom), 0.05, 2e-6) << freedom;
        EXPECT_NEAR((difference.interval95.high + difference.interval95.low) / 2, meanB - meanA, 1e-9);
        const double reach90 = (difference.interval90.high - difference.interval90.low) / 2 / std::sqrt(u + v);
        EXPECT_NEAR(integratedTwoSided(reach90, freedom), 0.10, 2e-6) << freedom;
    }
}

TEST(Welch, ValuesWithoutSpreadAreExact)
{
    const std::vector<double> a = {2, 2, 2}, b = {3, 3};
    EXPECT_EQ(welchDifference(a, b).p, 0);
    EXPECT_EQ(welchDifference(a, b).interval95.low, 1);
    EXPECT_EQ(welchDifference(a, a).p, 1);
}

// For normal values both intervals are right. A bootstrap that counted noise twice would be wider.
TEST(Bootstrap, IsAboutAsWideAsTheTInterval)
{
    test::Random random(8);
    for (const std::size_t runs : {8u, 12u, 30u})
    {
        double widths = 0;
        for (int round = 0; round < 30; ++round)
        {
            std::vector<double> a(runs), b(runs + 2);
            for (double& value : a)
                value = test::normal(random);
            for (double& value : b)
                value = 1 + test::normal(random);
            const Difference welch = welchDifference(a, b), bootstrap = bootstrapDifference(a, b);
            EXPECT_EQ(bootstrap.mean, welch.mean);
            EXPECT_LT(bootstrap.interval95.low, bootstrap.interval90.low);
            EXPECT_GT(bootstrap.interval95.high, bootstrap.interval90.high);
            EXPECT_NEAR(bootstrap.p, welch.p, 0.05 + welch.p / 3);
            widths += (bootstrap.interval95.high - bootstrap.interval95.low) /
                      (welch.interval95.high - welch.interval95.low) / 30;
        }
        EXPECT_NEAR(widths, 1, 0.06) << runs;
    }
}

TEST(Bootstrap, ValuesWithoutSpreadAreExact)
{
    const std::vector<double> a(8, 2.0), b(9, 3.0);
    EXPECT_EQ(bootstrapDifference(a, a).p, 1);
    EXPECT_LT(bootstrapDifference(a, b).p, 1e-3);
    EXPECT_EQ(bootstrapDifference(a, b).interval95.low, 1);
    EXPECT_EQ(bootstrapDifference(a, b).interval95.high, 1);
}

TEST(HalfWidth, IsThatOfTheTInterval)
{
    const std::vector<double> values = {10, 12, 11, 13, 9};
    std::vector<double> logs;
    for (const double value : values)
        logs.push_back(std::log(value));
    double mean = 0, squares = 0;
    for (const double log : logs)
        mean += log / 5;
    for (const double log : logs)
        squares += (log - mean) * (log - mean);
    EXPECT_NEAR(halfWidth95(values).value(), std::exp(2.77645 * std::sqrt(squares / 4 / 5)) - 1, 1e-5);
    EXPECT_FALSE(halfWidth95(std::span(values).first(1)));
    EXPECT_EQ(halfWidth95(std::vector<double>{3, 3, 3}), 0.0);
    const std::vector<PairDifference> pairs = {{0.10, false}, {0.12, true}, {0.11, false}};
    const Interval interval = pairedDifference(pairs).interval95;
    EXPECT_NEAR(halfWidth95(pairs).value(), std::exp((interval.high - interval.low) / 2) - 1, 1e-12);
}

// Captures that go on from five runs until the half-width is 2 %, at most 20 runs: the interval at the stop must hold
// the true value in nine of ten.
TEST(ErrorRatesThorough, StoppingAtANarrowIntervalKeepsNearlyItsLevel)
{
    for (const double noise : {0.005, 0.01, 0.02, 0.03, 0.05})
    {
        test::Random random(std::uint64_t(noise * 1e4));
        const int rounds = test::scaled(2'000, 20'000);
        int held = 0, decided = 0, runs = 0;
        for (int round = 0; round < rounds; ++round)
        {
            std::vector<double> medians;
            std::optional<double> width;
            while (medians.size() < 20)
            {
                medians.push_back(50 * std::exp(noise * test::normal(random)));
                width = halfWidth95(medians);
                if (medians.size() >= 5 && *width <= 0.02) break;
            }
            double logs = 0;
            for (const double median : medians)
                logs += std::log(median) / double(medians.size());
            held += std::abs(logs - std::log(50.0)) <= std::log(1 + *width);
            decided += *width <= 0.02;
            runs += int(medians.size());
        }
        EXPECT_GT(double(held) / rounds, 0.90) << noise;
        EXPECT_GT(double(decided) / rounds, noise <= 0.02 ? 0.99 : 0) << noise;
        EXPECT_LT(double(runs) / rounds, noise <= 0.005 ? 5.1 : 20.1) << noise;
    }
}

TEST(Holm, AdjustsStepByStep)
{
    const std::vector<double> adjusted = holmAdjusted(std::vector{0.01, 0.04, 0.03, 0.005});
    const std::vector<double> expected = {0.03, 0.06, 0.06, 0.02};
    ASSERT_EQ(adjusted.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(adjusted[i], expected[i], 1e-12) << i;
    EXPECT_EQ(holmAdjusted(std::vector{0.9, 0.8}), (std::vector{1.0, 1.0}));
    EXPECT_TRUE(holmAdjusted({}).empty());
}

// ---- metrics ----

TEST(Metrics, AreThoseOfTheStatistics)
{
    SyntheticCapture capture = syntheticCapture();
    capture.frames = 1'001, capture.hitches = 0.01;
    const Capture held = heldCapture("x", capture);
    const Statistics& s = held.report.runs[0].statistics;
    const auto value = [&](const char* name) {
        const std::optional<Metric> metric = Metric::named(name);
        std::vector<double> cells;
        for (const std::optional<double>& cell : metric->cells(held.rows[0]))
            if (cell) cells.push_back(*cell);
        return *metric->of(cells);
    };
    EXPECT_NEAR(value("interval_ms"), s.intervalMs->mean, 1e-9);
    EXPECT_NEAR(value("interval_ms.p50"), s.intervalMs->p50, 1e-9);
    EXPECT_NEAR(value("interval_ms.p90"), s.intervalMs->p90, 1e-9);
    EXPECT_NEAR(value("interval_ms.p95"), s.intervalMs->p95, 1e-9);
    EXPECT_NEAR(value("interval_ms.p99"), s.intervalMs->p99, 1e-9);
    EXPECT_NEAR(value("interval_ms.p999"), s.intervalMs->p999, 1e-9);
    EXPECT_NEAR(value("gpu_draw_ms.p95"), s.passMs[std::size_t(GpuPass::kDraw)]->p95, 1e-9);
    EXPECT_NEAR(value("gpu_ms.mean"), s.gpuMs->mean, 1e-9);
    EXPECT_NEAR(value("cpu_ms.p50"), s.cpuMs->p50, 1e-9);
    EXPECT_NEAR(value("wait_ms"), s.waitMs->mean, 1e-9);
    EXPECT_NEAR(value("fps_average"), *s.fpsAverage, 1e-9);
    EXPECT_NEAR(value("low1_p99"), s.low1->percentile, 1e-9);
    EXPECT_NEAR(value("low1_mean"), s.low1->mean, 1e-9);
}

TEST(Metrics, OfAllNamesAreKnown)
{
    for (const std::string& name : allMetricNames())
        EXPECT_TRUE(Metric::named(name)) << name;
    for (const std::string& name : usualMetricNames())
        EXPECT_EQ(std::ranges::count(allMetricNames(), name), 1) << name;
    for (const char* name : {"", ".", "interval_ms.", "interval_ms.p98", "leaves", "fps", "interval_ms.mean.mean"})
        EXPECT_FALSE(Metric::named(name)) << name;
}

// ---- error rates ----

// Returns a capture with strong autocorrelation, whose runs differ by more than their frames indicate.
SyntheticCapture hardCapture(std::uint64_t runs, std::uint64_t seed)
{
    SyntheticCapture capture = syntheticCapture();
    capture.runs = runs, capture.seed = seed;
    capture.frames = 120, capture.warmup = 0;
    capture.frameNoise = 0.05, capture.autocorrelation = 0.9, capture.runNoise = 0.01;
    return capture;
}

struct Rates
{
    int trials = 0, faster = 0, slower = 0, equivalent = 0, covered = 0;
    int frameLevel = 0;  // found different by a test that assumes independent frames

    double different() const { return double(faster + slower) / trials; }
    double of(int count) const { return double(count) / trials; }
};

bool framesDiffer(const Capture& a, const Capture& b)
{
    const auto moments = [](const Capture& capture) {
        double sum = 0, squares = 0, n = 0;
        for (const auto& rows : capture.rows)
            for (const FrameSample& row : rows)
                sum += *row.intervalMs, squares += *row.intervalMs * *row.intervalMs, ++n;
        return std::pair(sum / n, (squares / n - sum / n * sum / n) / n);
    };
    const auto [meanA, errorA] = moments(a);
    const auto [meanB, errorB] = moments(b);
    return std::abs(meanB - meanA) > 1.96 * std::sqrt(errorA + errorB);
}

// Returns rates over trials with new times each. The candidate takes `ratio` times as long.
Rates ratesOf(const SyntheticCapture& capture, double ratio, int trials, const ComparisonOptions& options)
{
    Rates rates;
    for (int trial = 0; trial < trials; ++trial)
    {
        SyntheticCapture a = capture, b = capture;
        a.seed = capture.seed + std::uint64_t(2 * trial), b.seed = a.seed + 1;
        b.intervalMs *= ratio;
        const Capture baseline = heldCapture("a", a), candidate = heldCapture("b", b);
        const Result<Comparison> result = compareCaptures(std::span(&baseline, 1), std::span(&candidate, 1), options);
        test::must(result);
        bool faster = false, slower = false, equivalent = true, covered = true;
        for (const MetricComparison& metric : result->metrics)
        {
            faster |= metric.verdict == Verdict::kFaster;
            slower |= metric.verdict == Verdict::kSlower;
            equivalent &= metric.verdict == Verdict::kEquivalent;
            covered &= metric.interval95->low <= ratio && ratio <= metric.interval95->high;
        }
        ++rates.trials;
        rates.faster += faster, rates.slower += slower, rates.equivalent += equivalent, rates.covered += covered;
        rates.frameLevel += framesDiffer(baseline, candidate);
    }
    return rates;
}

// Writes the rates into the test's XML or JSON.
void record(const std::string& name, const Rates& rates)
{
    for (const auto& [what, share] :
         {std::pair("different", rates.different()), std::pair("equivalent", rates.of(rates.equivalent)),
          std::pair("covered", rates.of(rates.covered)), std::pair("by_frames", rates.of(rates.frameLevel))})
        testing::Test::RecordProperty(name + '_' + what, std::to_string(share));
}

// Returns the tolerance of a share of 5 % over so many trials: four standard deviations.
double stray(int trials) { return 4 * std::sqrt(0.05 * 0.95 / trials); }

const ComparisonOptions kMean = {.marginPercent = 1e-4, .metrics = {"interval_ms.mean"}};

TEST(ErrorRatesLong, FewRunsOfOneProgramAreSeldomFoundDifferent)
{
    const int trials = test::scaled(400, 10'000);
    for (const std::uint64_t runs : {2u, 3u, 5u})
    {
        const Rates rates = ratesOf(hardCapture(runs, 1'000'000 * runs), 1, trials, kMean);
        record("runs_" + std::to_string(runs), rates);
        EXPECT_LT(rates.different(), 0.05 + stray(trials)) << runs;
        EXPECT_GT(rates.of(rates.covered), 0.95 - stray(trials)) << runs;
        // With few runs, Welch's degrees of freedom are conservative.
        EXPECT_LT(rates.of(rates.covered), 0.95 + stray(trials) + 0.08 / double(runs)) << runs;
        EXPECT_GT(rates.of(rates.frameLevel), 0.25) << runs;  // the frames are strongly correlated
    }
}

TEST(ErrorRatesLong, ManyRunsOfOneProgramAreSeldomFoundDifferent)
{
    const int trials = test::scaled(300, 5'000);
    const Rates rates = ratesOf(hardCapture(8, 50'000), 1, trials, kMean);
    record("runs_8", rates);
    EXPECT_LT(rates.different(), 0.05 + stray(trials));
    EXPECT_NEAR(rates.of(rates.covered), 0.95, stray(trials));
}

TEST(ErrorRatesLong, AllMetricsTogetherKeepTheLevel)
{
    const int trials = test::scaled(300, 3'000);
    SyntheticCapture capture = hardCapture(4, 90'000);
    capture.hitches = 0.05;
    const Rates rates = ratesOf(capture, 1, trials, {.marginPercent = 1e-4, .metrics = {}});
    record("all_metrics", rates);
    EXPECT_LT(rates.different(), 0.05 + stray(trials));
}

TEST(ErrorRatesThorough, ADifferenceIsFound)
{
    SyntheticCapture few = hardCapture(5, 200'000), many = hardCapture(8, 300'000);
    few.runNoise = many.runNoise = 0.003;
    few.frameNoise = many.frameNoise = 0.02;
    few.hitches = many.hitches = 0;
    const ComparisonOptions options = {.marginPercent = 2, .metrics = {"interval_ms.mean"}};
    const Rates slower = ratesOf(few, 1.06, 150, options), faster = ratesOf(few, 1 / 1.06, 150, options);
    EXPECT_GT(slower.of(slower.slower), 0.95);
    EXPECT_EQ(slower.faster, 0);
    EXPECT_GT(faster.of(faster.faster), 0.95);
    EXPECT_EQ(faster.slower, 0);
    const Rates bootstrap = ratesOf(many, 1.05, 40, options);
    EXPECT_GT(bootstrap.of(bootstrap.slower), 0.9);
    EXPECT_NEAR(bootstrap.of(bootstrap.covered), 0.95, stray(40));
}

TEST(ErrorRatesThorough, EqualIsFoundEquivalentAndTheMarginSeldom)
{
    SyntheticCapture capture = hardCapture(5, 400'000);
    capture.runNoise = 0.003, capture.frameNoise = 0.01, capture.hitches = 0;
    const ComparisonOptions options = {.marginPercent = 2, .metrics = {"interval_ms.mean"}};
    const int trials = test::scaled(300, 3'000);
    const Rates equal = ratesOf(capture, 1, trials, options);
    EXPECT_GT(equal.of(equal.equivalent), 0.95);
    for (const double ratio : {1.02, 1 / 1.02})
    {
        const Rates edge = ratesOf(capture, ratio, trials, options);
        EXPECT_LT(edge.of(edge.equivalent), 0.05 + stray(trials)) << ratio;
    }
}

// ---- verdicts ----

class Sides : public testing::Test
{
protected:
    Result<Comparison> compared(const SyntheticCapture& a, const SyntheticCapture& b,
                                const ComparisonOptions& options = {})
    {
        baseline_ = heldCapture("folder-a", a), candidate_ = heldCapture("folder-b", b);
        return compareCaptures(std::span(&baseline_, 1), std::span(&candidate_, 1), options);
    }
    std::string refusal(const SyntheticCapture& a, const SyntheticCapture& b, const ComparisonOptions& options = {})
    {
        const Result<Comparison> result = compared(a, b, options);
        EXPECT_FALSE(result);
        if (result) return {};
        EXPECT_EQ(result.error().code, ExitCode::kInput);
        EXPECT_TRUE(result.error().message.starts_with("not comparable: ")) << result.error().message;
        EXPECT_EQ(result.error().message.find('\n'), std::string::npos);
        return result.error().message;
    }
    void expectRefusal(const SyntheticCapture& b, const std::string& part)
    {
        const std::string message = refusal(syntheticCapture(), b);
        EXPECT_NE(message.find(part), std::string::npos) << message;
        EXPECT_NE(message.find("folder-a"), std::string::npos) << message;
        EXPECT_NE(message.find("folder-b"), std::string::npos) << message;
    }
    Capture baseline_, candidate_;
};

SyntheticCapture again(double factor = 1)
{
    SyntheticCapture capture = syntheticCapture();
    capture.seed = 2;
    capture.intervalMs *= factor;
    return capture;
}

TEST_F(Sides, OneRunASideIsInconclusiveWhateverItShows)
{
    for (const auto& [runsA, runsB] : {std::pair(1u, 1u), std::pair(1u, 5u), std::pair(9u, 1u)})
    {
        SyntheticCapture a = syntheticCapture(), b = again(3);
        a.runs = runsA, b.runs = runsB;
        const Result<Comparison> result = compared(a, b);
        ASSERT_TRUE(result);
        EXPECT_EQ(result->method, "none");
        EXPECT_FALSE(result->anySlower());
        for (const MetricComparison& metric : result->metrics)
        {
            EXPECT_EQ(metric.verdict, Verdict::kInconclusive);
            EXPECT_FALSE(metric.p || metric.interval95);
            EXPECT_NEAR(metric.ratio, 3, 0.2);
        }
    }
}

TEST_F(Sides, TheMethodDependsOnTheSmallerSide)
{
    SyntheticCapture a = syntheticCapture(), b = again();
    a.frames = b.frames = 40;
    a.runs = 8, b.runs = 7;
    EXPECT_EQ(compared(a, b)->method, "Welch's t interval");
    b.runs = 8;
    const Result<Comparison> bootstrap = compared(a, b);
    EXPECT_EQ(bootstrap->method, "hierarchical bootstrap");
    const Result<Comparison> repeated = compared(a, b);
    for (std::size_t i = 0; i < bootstrap->metrics.size(); ++i)
        EXPECT_EQ(bootstrap->metrics[i].p, repeated->metrics[i].p);
}

TEST_F(Sides, ARateIsBetterWhenItIsHigher)
{
    const ComparisonOptions options = {.metrics = {"fps_average", "interval_ms.mean"}};
    const Result<Comparison> slower = compared(syntheticCapture(), again(1.5), options);
    EXPECT_EQ(slower->metrics[0].verdict, Verdict::kSlower);
    EXPECT_LT(slower->metrics[0].ratio, 1);
    EXPECT_EQ(slower->metrics[0].unit, "fps");
    EXPECT_EQ(slower->metrics[1].verdict, Verdict::kSlower);
    EXPECT_GT(slower->metrics[1].ratio, 1);
    const Result<Comparison> faster = compared(again(1.5), syntheticCapture(), options);
    EXPECT_EQ(faster->metrics[0].verdict, Verdict::kFaster);
    EXPECT_EQ(faster->metrics[1].verdict, Verdict::kFaster);
}

TEST_F(Sides, AMetricThatIsAskedForTwiceCountsOnce)
{
    const Result<Comparison> result =
        compared(syntheticCapture(), again(), {.metrics = {"cpu_ms", "cpu_ms.mean", "cpu_ms"}});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->metrics.size(), 1u);
    EXPECT_EQ(result->metrics[0].pHolm, result->metrics[0].p);
}

TEST_F(Sides, DepthsAreThoseOfTheTreeThatIsShown)
{
    const auto differences = [&](const char* terrain, const char* before, const char* after) {
        SyntheticCapture baseline, candidate = again();
        baseline.settings = before;
        candidate.settings = after;
        for (SyntheticCapture* side : {&baseline, &candidate})
        {
            side->metadata = orogen::test::syntheticMetadata();
            side->metadata.heightmap = terrain;
        }
        const Result<Comparison> result = compared(baseline, candidate);
        EXPECT_TRUE(result) << (result ? "" : result.error().message);
        return result ? result->settings : std::vector<SettingDifference>();
    };
    // Before and after the Earth's depth got its own key.
    const char *old = R"({"cbt.depth":50})", *now = R"({"cbt.depth":24,"earth.depth":50})";
    EXPECT_TRUE(differences("earth with a.tif", old, now).empty());
    const auto finer = differences("earth", old, R"({"cbt.depth":24,"earth.depth":52})");
    ASSERT_EQ(finer.size(), 1u);
    EXPECT_EQ(finer[0].key, "cbt.depth");
    EXPECT_EQ(finer[0].candidate, "52");
    EXPECT_TRUE(differences("alps.tif", now, R"({"cbt.depth":24,"earth.depth":30})").empty());
    EXPECT_EQ(differences("alps.tif", old, now).size(), 1u);
}

TEST_F(Sides, DifferentSettingsAreComparedWithTheRatioOfTheWork)
{
    SyntheticCapture coarse = again(0.5);
    coarse.settings = R"({"cbt.depth":20,"lod.split_pixels":7.0,"new.key":[1]})";
    coarse.leaves = 50'000;
    const Result<Comparison> result = compared(syntheticCapture(), coarse);
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_NEAR(*result->leavesRatio, 0.5, 1e-4);
    EXPECT_NEAR(*result->trianglesRatio, 0.5, 1e-4);
    ASSERT_EQ(result->settings.size(), 3u);
    EXPECT_EQ(result->settings[0].key, "cbt.depth");
    EXPECT_EQ(result->settings[0].baseline, "24");
    EXPECT_EQ(result->settings[0].candidate, "20");
    EXPECT_EQ(result->settings[1].candidate, "none");
    EXPECT_EQ(result->settings[2].baseline, "none");
}

// ---- not comparable ----

TEST_F(Sides, AnotherTerrainPathSizeOrNumberOfFramesIsNotComparable)
{
    SyntheticCapture b = again();
    b.metadata.heightmapSha256 = std::string(64, '8');
    expectRefusal(b, "terrain (SHA-256 of the heightmap): found 8888");
    b = again();
    b.metadata.pathHash = std::string(64, '0');
    expectRefusal(b, "camera path (hash): found 0000");
    b = again();
    b.metadata.height = 721;
    expectRefusal(b, "size: found 1280x721, expected 1280x720");
    b = again();
    b.frames = 299;
    expectRefusal(b, "measured frames: found 299, expected 300");
}

TEST_F(Sides, WhatIsUnknownIsNotComparable)
{
    SyntheticCapture a = syntheticCapture(), b = again();
    b.metadata.heightmapSha256.reset();
    EXPECT_NE(refusal(a, b).find("terrain (SHA-256 of the heightmap): found none"), std::string::npos);
    EXPECT_NE(refusal(b, b).find("folder-a/run-01.csv: terrain"), std::string::npos);
    b = again();
    b.metadata.pathHash.reset();
    EXPECT_NE(refusal(a, b).find("camera path"), std::string::npos);
}

TEST_F(Sides, EqualSettingsWithOtherWorkAreNotDeterministic)
{
    SyntheticCapture b = again();
    b.leaves = 100'001;
    expectRefusal(b, "not deterministic");
}

TEST_F(Sides, RunsOfASideMustHaveDoneTheSame)
{
    SyntheticCapture a = syntheticCapture();
    baseline_ = heldCapture("folder-a", a), candidate_ = heldCapture("folder-b", again());
    candidate_.report.runs[2].workHash = "0123456789abcdef";
    const Result<Comparison> other = compareCaptures(std::span(&baseline_, 1), std::span(&candidate_, 1));
    ASSERT_FALSE(other);
    EXPECT_NE(other.error().message.find("folder-b/run-03.csv: work hash: found 0123456789abcdef, expected "),
              std::string::npos)
        << other.error().message;
    candidate_.report.runs[2].workHash.reset();
    const Result<Comparison> none = compareCaptures(std::span(&baseline_, 1), std::span(&candidate_, 1));
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("folder-b/run-03.csv: work hash: found none"), std::string::npos)
        << none.error().message;
}

TEST_F(Sides, FoldersOfASideMustHaveTheSameSettings)
{
    SyntheticCapture other = again();
    other.settings = R"({"cbt.depth":20})";
    const std::vector<Capture> mixed = {heldCapture("one", syntheticCapture()), heldCapture("two", other)};
    const std::vector<Capture> plain = {heldCapture("three", again())};
    for (const Result<Comparison>& result : {compareCaptures(mixed, plain), compareCaptures(plain, mixed)})
    {
        ASSERT_FALSE(result);
        EXPECT_NE(result.error().message.find("two/run-01.csv: settings (hash)"), std::string::npos)
            << result.error().message;
    }
}

TEST_F(Sides, NothingMeasuredIsNotComparable)
{
    SyntheticCapture a = syntheticCapture(), b = again();
    a.frames = b.frames = 0;
    EXPECT_NE(refusal(a, b).find("measured frames: found none"), std::string::npos);
    a = syntheticCapture(), b = again();
    b.runs = 0;
    EXPECT_NE(refusal(a, b).find("folder-b: found no run"), std::string::npos);
    EXPECT_FALSE(compareCaptures({}, std::span(&baseline_, 1)));
}

// The panels, the terminal and the page show a dash for such a percentile.
TEST_F(Sides, PercentilesWithoutEnoughFramesAreLeftOutOrRefused)
{
    SyntheticCapture a = syntheticCapture(), b = again();
    for (const auto& [frames, metrics] : {std::pair{100, 6}, {99, 5}, {19, 4}, {9, 3}})
    {
        a.frames = b.frames = std::uint64_t(frames);
        const Result<Comparison> result = compared(a, b);
        ASSERT_TRUE(result) << result.error().message;
        EXPECT_EQ(result->metrics.size(), std::size_t(metrics)) << frames;
        EXPECT_EQ(result->notes.size(), std::size_t(6 - metrics)) << frames;
    }
    EXPECT_NE(refusal(a, b, {.metrics = {"interval_ms.p99"}}).find("interval_ms.p99: fewer than 100 frames (9)"),
              std::string::npos);
    EXPECT_NE(refusal(a, b, {.metrics = {"low1_mean"}}).find("low1_mean: fewer than 1,000 frames (9)"),
              std::string::npos);
    EXPECT_TRUE(compared(a, b, {.metrics = {"interval_ms.mean", "fps_average"}}));
}

TEST_F(Sides, MetricsThatWereNotMeasuredAreLeftOutOrRefused)
{
    SyntheticCapture b = again();
    b.passes = false;
    const Result<Comparison> result = compared(syntheticCapture(), b);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->metrics.size(), 5u);
    ASSERT_EQ(result->notes.size(), 1u);
    EXPECT_NE(result->notes[0].find("gpu_ms.mean is left out"), std::string::npos);
    EXPECT_NE(refusal(syntheticCapture(), b, {.metrics = {"gpu_ms"}}).find("gpu_ms.mean: it was not measured"),
              std::string::npos);
    b = again();
    b.metadata.gpuTimer = GpuTimer::kSoftware;
    EXPECT_NE(refusal(syntheticCapture(), b, {.metrics = {"gpu_ms"}}).find("hardware GPU timers, the other software"),
              std::string::npos);
}

// Compares no such times even on request, since they are not times of a GPU.
TEST_F(Sides, GpuTimesOfASoftwareRasteriserAreNotCompared)
{
    SyntheticCapture a = syntheticCapture(), b = again();
    a.metadata.gpuTimer = b.metadata.gpuTimer = GpuTimer::kSoftware;
    const Result<Comparison> result = compared(a, b);
    ASSERT_TRUE(result);
    EXPECT_EQ(std::ranges::count(result->metrics, "gpu_ms.mean", &MetricComparison::name), 0);
    ASSERT_EQ(result->notes.size(), 1u);
    EXPECT_NE(result->notes[0].find("gpu_ms.mean is left out: OpenGL ran on the CPU"), std::string::npos);
    EXPECT_NE(refusal(a, b, {.metrics = {"gpu_draw_ms"}}).find("OpenGL ran on the CPU"), std::string::npos);
}

TEST_F(Sides, WithAndWithoutPanelsAreNotComparable)
{
    baseline_ = heldCapture("folder-a", syntheticCapture()), candidate_ = heldCapture("folder-b", again());
    candidate_.report.panels = true;
    const Result<Comparison> result = compareCaptures(std::span(&baseline_, 1), std::span(&candidate_, 1));
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ExitCode::kInput);
    EXPECT_NE(result.error().message.find("panels in the frames (--panels): found drawn, expected not drawn"),
              std::string::npos)
        << result.error().message;
}

TEST_F(Sides, AnUnknownMetricIsUsage)
{
    const Result<Comparison> result = compared(syntheticCapture(), again(), {.metrics = {"speed"}});
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ExitCode::kUsage);
    EXPECT_NE(result.error().message.find("low1_mean"), std::string::npos);
}

TEST_F(Sides, NotesSayWhatElseDiffers)
{
    SyntheticCapture b = again();
    b.metadata.governor = "powersave", b.metadata.glRenderer = "llvmpipe", b.metadata.commit.reset();
    b.metadata.vsync = true;
    const Result<Comparison> result = compared(syntheticCapture(), b);
    ASSERT_TRUE(result);
    const std::string notes = comparisonToJson(*result, 1.5);
    for (const char* part : {"governor: performance and powersave", "renderer: Renderer 4600 and llvmpipe",
                             "program: 0.1.0 314c643 and 0.1.0", "vertical sync was on"})
        EXPECT_NE(notes.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace orogen
