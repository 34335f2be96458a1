// Whether two sides of runs differ in time, and by how much: the candidate against the baseline.
//
// The run is the unit.  Each metric of each run is one number; what is compared are the means of its logarithms, so
// that a difference is a ratio.  With fewer than kRunsForBootstrap runs on a side: Welch's t interval; from there on a
// hierarchical bootstrap.  Holm's adjustment over all metrics that are compared.
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
    Verdict verdict = Verdict::kInconclusive;
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
    std::string method;  // "Welch's t interval" or "hierarchical bootstrap"; "none" with one run on a side
    std::vector<SettingDifference> settings;
    std::optional<double> leavesRatio, trianglesRatio;  // candidate / baseline
    std::vector<MetricComparison> metrics;
    std::vector<std::string> notes;  // one line each: what was left out, what else differs

    bool anySlower() const;
};

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
