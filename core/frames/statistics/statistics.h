// Statistics of a run of frames, their texts, and the metrics that runs are compared by.  statisticDefinitions()
// defines every number, and every report contains these definitions.  "Not measured" and "not enough frames" are an
// empty optional, never 0.
//
// statisticsOf() computes sums, medians and percentiles of times in integers of 10^-kTimeDecimals ms, so that the order
// of summation does not matter.  Metric computes in double.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/frames/sample/frame_sample.h"

namespace orogen {

inline constexpr double kDefaultBudgetMs = 1000.0 / 60;
inline constexpr int kStutterWindow = 19;                 // frames around and including the examined one
inline constexpr double kStutterExcessMs = 4;             // least excess of a stutter over its window's median (ms)
inline constexpr std::uint64_t kFramesForLow1 = 1'000;    // fewer: no 1 % lows
inline constexpr std::uint64_t kFramesForLow01 = 10'000;  // fewer: no 0.1 % lows

// Distribution of a column's measured cells.
struct Distribution
{
    std::uint64_t count = 0;  // measured cells, >= 1
    double mean = 0, min = 0, max = 0;
    double p50 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0;
};

// Frames with an interval longer than a limit.
struct Misses
{
    std::uint64_t count = 0;
    double share = 0;              // share of all measured frames
    std::uint64_t longestRun = 0;  // consecutive frames
};

// Shares of the frames limited by the CPU, the GPU or the present call: the longest of the three.
struct BoundShares
{
    std::uint64_t frames = 0;  // frames with CPU and GPU times, >= 1
    double cpu = 0, gpu = 0, present = 0;
};

// A counter over the frames that have it, summarised as in kCounters: `mean`, or `total` for sum and largest.  Both are
// empty if no frame has it.
struct CounterStatistic
{
    std::optional<double> mean;
    std::optional<std::uint64_t> total;
};
struct WorkStatistics
{
    std::array<CounterStatistic, kCounters.size()> counters;  // in the order of kCounters

    const CounterStatistic& operator[](std::optional<std::uint64_t> FrameSample::*cell) const
    {
        return counters[std::size_t(std::ranges::find(kCounters, cell, &Counter::cell) - kCounters.begin())];
    }
};

// Measured frames for which it is known whether a clock was lowered.
struct ThrottledFrames
{
    std::uint64_t frames = 0;   // frames for which it is known, >= 1
    std::uint64_t count = 0;    // throttled frames among them
    std::uint32_t reasons = 0;  // bits of ThrottleReason, all frames combined
    bool operator==(const ThrottledFrames&) const = default;
};

struct Lows  // frames per second of the slowest frames, as statisticDefinitions() defines low1_p99, _mean, _time
{
    double percentile = 0, mean = 0, time = 0;
};

struct Statistics
{
    std::uint64_t frames = 0;  // measured frames with an interval
    double seconds = 0;        // sum of their intervals
    std::optional<double> fpsAverage;
    std::optional<Distribution> intervalMs;
    std::optional<Lows> low1, low01;
    std::optional<double> variation;  // coefficient of variation of the interval
    std::optional<double> jitterMeanMs, jitterP99Ms;
    std::optional<double> animationErrorMeanMs, animationErrorP99Ms;
    struct Stutter
    {
        std::uint64_t count = 0;
        double perMinute = 0, timeShare = 0;
    };
    std::optional<Stutter> stutter;
    double budgetMs = kDefaultBudgetMs;  // limit of an interval, above which it counts as jank
    std::optional<double> jankMs;
    std::optional<Misses> missed60, missed30;
    std::optional<BoundShares> bound;
    std::optional<double> autocorrelation, effectiveFrames;
    std::optional<Distribution> cpuMs, waitMs, swapMs, gpuMs;
    std::array<std::optional<Distribution>, kReportedPasses> passMs;
    WorkStatistics work;
    std::optional<Distribution> errorMaxPx, errorP99Px;  // pixels, over the frames in which the error was measured
    std::array<std::optional<Distribution>, kMachineColumns.size()> machine;  // in the order of kMachineColumns
    std::optional<ThrottledFrames> throttled;                                 // empty: unknown
};

// Computes the statistics of all measured frames of the runs, pooled.  Statistics of neighbours (jitter, stutter, runs
// of misses, autocorrelation) do not cross runs.  Frames without an interval are excluded from interval statistics. O(n
// log n) in the number of frames.
Statistics statisticsOf(std::span<const std::span<const FrameSample>> runs, double budgetMs = kDefaultBudgetMs);
Statistics statisticsOf(std::span<const FrameSample> run, double budgetMs = kDefaultBudgetMs);

// A section of the camera path, over all its measured frames.
struct SectionStatistics
{
    std::string name;  // empty: frames before the path's first section
    Statistics statistics;
};
// Returns the statistics of the sections of the runs, in the order in which the sections begin; an empty list if all
// measured frames lie before the first section.  Neighbouring frames are compared only within an uninterrupted stretch
// of a section.
std::vector<SectionStatistics> sectionsOf(std::span<const std::span<const FrameSample>> runs,
                                          double budgetMs = kDefaultBudgetMs);

// Returns whether interval `index` of a run's measured frames is a stutter: more than twice the median
// of its window, and more than kStutterExcessMs above the median.
bool isStutter(std::span<const double> intervalsMs, std::size_t index);

struct Definition
{
    std::string_view name;  // key in the statistics object of report.json: "interval_ms", "low1_p99"
    std::string_view text;
};
std::span<const Definition> statisticDefinitions();

// Returns the reason for a missing low or percentile: "fewer than 1,000 frames (600)".
std::string lowReason(std::uint64_t frames, std::uint64_t needed);

// ---- numbers of reports for terminal, panels and pages; CSV and JSON have more digits ----

inline constexpr std::string_view kNoFigure = "–";

// Formats with four significant digits, finer than the noise of times, but at most four decimals and with all digits
// before the point: "16.67", "0.1234", "0.0123", "1,235", "12,346".
std::string figureText(double value);

struct ShownPercentile
{
    std::string_view name;
    double Distribution::*value;
    int perMille;

    // Returns the least number of values with which the percentile is shown: 1 / (1 - p), and 10 at least.
    std::uint64_t framesNeeded() const;
    // Returns the figure, or a dash if the distribution has too few values.
    std::string textOf(const Distribution& distribution) const;
};
inline constexpr std::array<ShownPercentile, 5> kShownPercentiles = {{{"p50", &Distribution::p50, 500},
                                                                      {"p90", &Distribution::p90, 900},
                                                                      {"p95", &Distribution::p95, 950},
                                                                      {"p99", &Distribution::p99, 990},
                                                                      {"p99.9", &Distribution::p999, 999}}};
const ShownPercentile& shownPercentile(std::string_view name);  // `name` must be in kShownPercentiles

// ---- metrics ----

// Metric: one number per run, used to compare runs.
class Metric
{
public:
    // Parses "COLUMN.STATISTIC", "COLUMN" (its mean), or a rate ("fps_average", ...); empty for any other name.
    static std::optional<Metric> named(std::string_view name);
    static std::vector<std::string> allNames();

    const std::string& name() const { return name_; }
    bool isRate() const { return rate_; }  // frames per second: higher is better
    bool isGpu() const;                    // based on GPU timers

    // Returns the least number of cells: 1 for a mean, 1,000 for a 1 % low, otherwise as ShownPercentile.
    std::uint64_t framesNeeded() const;

    // Returns the metric's cells of the measured frames in order; empty where a frame lacks it.
    std::vector<std::optional<double>> cells(std::span<const FrameSample> run) const;

    // Computes the metric from measured cells, at least one; reorders them.  Returns nothing for a non-positive result.
    std::optional<double> of(std::vector<double>& cells) const;

private:
    enum class Statistic
    {
        kMean,
        kPercentile,
        kSlowestMean,  // mean of the slowest 1 %
    };
    std::string name_;
    int column_ = 0;
    Statistic statistic_ = Statistic::kMean;
    int perMille_ = 0;
    bool rate_ = false;
};

}  // namespace orogen
