// Whether two sides of runs differ in time, and by how much: the candidate against the baseline.
//
// The run is the unit.  Each metric of each run is one number; what is compared are the means of its logarithms, so
// that a difference is a ratio.  Runs that took turns are compared in pairs (pairedDifference).  Others: with fewer
// than kRunsForBootstrap runs on a side by Welch's t interval; from there on by a hierarchical bootstrap.  Holm's
// adjustment over all metrics that are compared.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/frames/compare/comparison_math.h"
#include "core/frames/report/report_json.h"

namespace orogen {

inline constexpr double kDefaultMarginPercent = 2;
inline constexpr std::size_t kRunsForBootstrap = 8;
inline constexpr double kSignificance = 0.05;
inline constexpr std::size_t kMostRunsWanted = 99;

enum class Verdict
{
    kFaster,        // the difference is significant, in the candidate's favour
    kSlower,        // significant, against it
    kEquivalent,    // the 90 % interval lies within the margin, significant or not (two one-sided tests at 5 %)
    kInconclusive,  // neither could be shown
};
std::string_view textOf(Verdict verdict);

struct ComparisonOptions
{
    double marginPercent = kDefaultMarginPercent;  // > 0: ratios from 1 / (1 + m) to 1 + m are as good as 1
    std::vector<std::string> metrics;              // empty: the usual ones
};

struct MetricComparison
{
    std::string name;  // as in report.json: "interval_ms.p99", "gpu_draw_ms.mean", "fps_average"
    std::string unit;  // "ms" or "fps"
    bool higherIsBetter = false;
    std::vector<double> baselineRuns, candidateRuns;  // the metric of each run
    double baseline = 0, candidate = 0;               // geometric means of those
    double ratio = 1;                                 // candidate / baseline
    std::optional<Interval> interval95, interval90;   // of the ratio; none with one run on a side
    std::optional<double> p, pHolm;
    double spread = 0;  // standard deviation of a pair's, without pairs of a run's logarithm
    Verdict verdict = Verdict::kInconclusive;
    // Pairs, or runs a side, with which a verdict is likely (runsWanted()); empty where there is one, and where not
    // even kMostRunsWanted suffice.
    std::optional<std::size_t> runsWanted;
};

struct ComparedSide
{
    std::vector<std::string> folders;
    std::size_t runs = 0;
    std::string settingsHash, workHash;
    std::optional<double> leavesMean, trianglesMean;
};

struct SettingDifference
{
    std::string key, baseline, candidate;  // "none" where a side does not have the key
};

struct Comparison
{
    ComparedSide baseline, candidate;
    std::size_t frames = 0;  // measured frames of every run
    double marginPercent = kDefaultMarginPercent;
    std::size_t pairs = 0;  // of runs that took turns; 0: the runs are no pairs
    std::string method;     // "paired t interval", "Welch's t interval", "hierarchical bootstrap"; "none": too few runs
    std::vector<SettingDifference> settings;
    std::optional<double> leavesRatio, trianglesRatio;  // candidate / baseline
    std::vector<MetricComparison> metrics;
    std::vector<std::string> notes;  // one line each: what was left out, what else differs
    std::vector<std::string> noise;  // one line each: what made runs differ that should be equal

    bool anySlower() const;
    // By which the sides are told apart first: the mean of the interval where it was compared.  Null without metrics.
    const MetricComparison* first() const;
    bool decidable() const { return method != "none"; }
};

// Texts for people have one number for a difference: the change of time, "+12.3 %" where the candidate takes longer.  A
// rate is shown as the change of the time behind it.
double timeRatio(const MetricComparison& metric, double ratio);  // the candidate's time over the baseline's
std::string changeText(double timeRatio);                        // "+12.3 %", "-0.45 %"
std::string changeText(const MetricComparison& metric);
// The change by which what is equivalent stays within the margin: "-2.0 % to +2.0 %".
std::string marginText(double marginPercent);

// The interval that the verdict goes by, of timeRatio(): of 90 % where it is equivalent, else of 95 %.
struct ShownInterval
{
    int percent = 95;
    Interval timeRatio;
};
std::optional<ShownInterval> shownInterval(const MetricComparison& metric);  // none with one run on a side
std::string textOf(const ShownInterval& interval);                           // "-1.2 % to +7.4 %"

// The comparison in one sentence: "slower: mean frame time +131 % (95 % interval +84.0 % to +189 %), 3 runs a side";
// "inconclusive: mean frame time +3.0 % (95 % interval -1.2 % to +7.4 %), 4 pairs; about 5 more pairs would decide".
std::string sentenceOf(const Comparison& comparison);

// The names that ComparisonOptions::metrics may hold, and those that are compared when it is empty.
std::vector<std::string> allMetricNames();
std::vector<std::string> usualMetricNames();

// Errors: kInput where the sides are not comparable, with the reason and both folders; kUsage for a metric that does
// not exist; kInput for one that was asked for and not measured.
Result<Comparison> compareCaptures(std::span<const Capture> baseline, std::span<const Capture> candidate,
                                   const ComparisonOptions& options = {});

std::string comparisonToJson(const Comparison& comparison, double milliseconds);
std::string comparisonToHtml(const Comparison& comparison, std::span<const Capture> baseline,
                             std::span<const Capture> candidate);

}  // namespace orogen
