#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/frames/compare/comparison.h"

namespace orogen {
namespace {

constexpr double kTimesFrom = 1.5;  // ratios from here on are told as "times", smaller ones in percent
constexpr double kMostTold = 100;   // intervals that reach further know nothing

// "4 pairs", "3 runs a side", "2 and 5 runs".
std::string amountOf(const Comparison& c)
{
    if (c.pairs > 0) return fmt::format("{} pair{} of runs", c.pairs, c.pairs == 1 ? "" : "s");
    if (c.baseline.runs == c.candidate.runs)
        return fmt::format("{} run{} a side", c.baseline.runs, c.baseline.runs == 1 ? "" : "s");
    return fmt::format("{} and {} runs", c.baseline.runs, c.candidate.runs);
}

// The candidate's time over the baseline's, of times and of rates.
double timeRatio(const MetricComparison& metric, double ratio) { return metric.higherIsBetter ? 1 / ratio : ratio; }

// The ratio with its interval, in the direction in which it is above 1.
std::string changeOf(const MetricComparison& metric, bool slower)
{
    const auto shown = [&](double ratio) {
        const double time = timeRatio(metric, ratio);
        return slower ? time : 1 / time;
    };
    const double value = shown(metric.ratio);
    const bool times = value >= kTimesFrom;
    const auto text = [times](double ratio) -> std::string {
        if (ratio > kMostTold) return times ? "over 100" : "over 9900 %";
        if (times && ratio < 1 / kMostTold) return "under 0.01";
        return times ? fmt::format("{:.2f}", ratio) : fmt::format("{:.1f} %", 100 * (ratio - 1));
    };
    std::string range;
    if (metric.interval95)
    {
        double low = shown(metric.interval95->low), high = shown(metric.interval95->high);
        if (low > high) std::swap(low, high);
        range = fmt::format(" ({} to {})", text(low), text(high));
    }
    return fmt::format("{}{} {}{}", text(value), times ? " times" : "", slower ? "slower" : "faster", range);
}

bool isSlower(const MetricComparison& metric) { return timeRatio(metric, metric.ratio) > 1; }

// Metrics that say something else than the first one.
std::string othersOf(const Comparison& c)
{
    std::string text;
    for (const Verdict verdict : {Verdict::kSlower, Verdict::kFaster})
    {
        std::vector<std::string> names;
        for (const MetricComparison& metric : c.metrics)
            if (metric.verdict == verdict && c.first()->verdict != verdict) names.push_back(metric.name);
        if (!names.empty()) text += fmt::format("; {}: {}", textOf(verdict), fmt::join(names, ", "));
    }
    return text;
}

std::string furtherRuns(const Comparison& c, const MetricComparison& metric)
{
    const std::size_t done = c.pairs > 0 ? c.pairs : std::min(c.baseline.runs, c.candidate.runs);
    const char* what = c.pairs > 0 ? "pair" : "run";
    const char* side = c.pairs > 0 ? "" : " a side";
    if (!metric.runsWanted)
        return fmt::format("; not even {} {}s{} would decide by a margin of {:g} %", kMostRunsWanted, what, side,
                           c.marginPercent);
    const std::size_t more = *metric.runsWanted - done;
    return fmt::format("; about {} more {}{}{} would decide", more, what, more == 1 ? "" : "s", side);
}

}  // namespace

std::string sentenceOf(const Comparison& c)
{
    const MetricComparison* metric = c.first();
    if (!metric) return "inconclusive: no metric was measured on both sides";
    const bool slower = isSlower(*metric);
    if (!c.decidable())
        return fmt::format(
            "inconclusive: one run of a side can never give a verdict, two can, eight are usual ({}; the "
            "candidate took {:.2f} times as long)",
            amountOf(c), timeRatio(*metric, metric->ratio));
    switch (metric->verdict)
    {
    case Verdict::kFaster:
    case Verdict::kSlower:
        return fmt::format("{}, {}{}", changeOf(*metric, slower), amountOf(c), othersOf(c));
    case Verdict::kEquivalent:
        return fmt::format("equivalent within {:g} %: {}, {}{}", c.marginPercent, changeOf(*metric, slower),
                           amountOf(c), othersOf(c));
    case Verdict::kInconclusive:
        break;
    }
    return fmt::format("inconclusive: {}, {}{}{}", changeOf(*metric, slower), amountOf(c), furtherRuns(c, *metric),
                       othersOf(c));
}

}  // namespace orogen
