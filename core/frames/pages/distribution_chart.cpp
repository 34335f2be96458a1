#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_charts.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/statistics/figure_text.h"

namespace orogen {
namespace {

constexpr int kBins = 80, kCurvePoints = 200;

// Interpolates between neighbours, as the report's percentiles do.
double quantile(const std::vector<double>& sorted, double p)
{
    const double position = p * double(sorted.size() - 1);
    const std::size_t below = std::min(std::size_t(position), sorted.size() - 1);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (position - double(below)) * (sorted[above] - sorted[below]);
}

double lowest(std::span<const IntervalSet> sets)
{
    double low = std::numeric_limits<double>::max();
    for (const IntervalSet& set : sets)
        low = std::min(low, set.sorted.front());
    return low;
}

double highest(std::span<const IntervalSet> sets, double p)
{
    double high = 0;
    for (const IntervalSet& set : sets)
        high = std::max(high, quantile(set.sorted, p));
    return high;
}

// Returns the share of the set in each bin, in percent; the last bin includes its end.
std::vector<double> binShares(const IntervalSet& set, const Axis& axis)
{
    std::vector<double> shares(kBins);
    for (const double ms : set.sorted)
        if (ms >= axis.low && ms <= axis.high)
            shares[std::min(std::size_t(axis.position(ms) * kBins), shares.size() - 1)] +=
                100.0 / double(set.sorted.size());
    return shares;
}

// Returns the outline of the bins; a bin with a single frame stays visible.
SvgPath outline(const Chart& chart, const std::vector<double>& shares, bool filled)
{
    SvgPath path;
    path.move(0, kChartHeight);
    for (std::size_t i = 0; i < shares.size(); ++i)
    {
        const int top = shares[i] > 0 ? std::min(chart.row(shares[i]), kChartHeight - 8) : kChartHeight;
        path.line(int(i) * kChartWidth / kBins, top);
        path.line(int(i + 1) * kChartWidth / kBins, top);
    }
    path.line(kChartWidth, kChartHeight);
    if (filled) path.close();
    return path;
}

std::string beyondText(std::span<const IntervalSet> sets, double end)
{
    std::string text;
    for (const IntervalSet& set : sets)
    {
        const auto beyond = set.sorted.end() - std::ranges::upper_bound(set.sorted, end);
        if (beyond > 0)
            text +=
                fmt::format("{}{} frame{} to the right of this picture, up to {:.2f} ms. ",
                            sets.size() > 1 ? set.name + ": " : "", beyond, beyond == 1 ? "" : "s", set.sorted.back());
    }
    return text;
}

// Returns the number of nines: 0 for p 0, 1 for 90, 2 for 99, 3 for 99.9.
double nines(double p) { return -std::log10(1 - p); }

}  // namespace

std::vector<double> sortedIntervals(std::span<const std::vector<FrameSample>> runs)
{
    std::vector<double> intervals;
    for (const std::vector<FrameSample>& run : runs)
        for (const FrameSample& row : run)
            if (row.measured() && row.intervalMs) intervals.push_back(*row.intervalMs);
    std::ranges::sort(intervals);
    return intervals;
}

std::string histogramChart(std::span<const IntervalSet> sets)
{
    assert(!sets.empty());
    const double low = lowest(sets), high = std::max(highest(sets, 0.995) * 1.02, low + 1e-3);
    const double margin = 0.03 * (high - low);
    Chart chart;
    chart.x = linearAxis(std::max(0.0, low - margin), high + margin, "interval in ms", 7);
    double most = 0;
    for (const IntervalSet& set : sets)
        most = std::max(most, std::ranges::max(binShares(set, chart.x)));
    chart.y = linearAxis(0, most * 1.05, "% of the frames", 4);
    for (const IntervalSet& set : sets)
    {
        const bool filled = set.cssClass != "b";
        SvgPath path = outline(chart, binShares(set, chart.x), filled);
        chart.marks += pathElement("hist-" + set.cssClass, path);
    }
    if (sets.size() == 1)
        for (const std::string_view name : {"p50", "p95", "p99"})
            if (const ShownPercentile& p = shownPercentile(name); sets[0].sorted.size() >= p.framesNeeded())
                chart.up.push_back(
                    {chart.x.position(quantile(sets[0].sorted, p.perMille / 1000.0)), std::string(name)});
    chart.description = "How many frames took how long";
    chart.caption = escaped(beyondText(sets, chart.x.high));
    return chartHtml(chart);
}

std::string percentileChart(std::span<const IntervalSet> sets)
{
    assert(!sets.empty());
    std::size_t frames = 2;
    for (const IntervalSet& set : sets)
        frames = std::max(frames, set.sorted.size());
    const double end = std::max(1.0, nines(1 - 1.0 / double(frames)));
    Chart chart;
    chart.x = {0, end, "percentile", {}};
    for (const auto& [p, label] : {std::pair(0.0, "0"), std::pair(0.5, "50"), std::pair(0.9, "90"),
                                   std::pair(0.99, "99"), std::pair(0.999, "99.9"), std::pair(0.9999, "99.99")})
        if (nines(p) <= end + 1e-9) chart.x.ticks.push_back({nines(p) / end, label});
    const double low = lowest(sets), high = std::max(highest(sets, 1), low + 1e-3);
    chart.y = linearAxis(std::max(0.0, low - 0.05 * (high - low)), high + 0.05 * (high - low), "ms", 4);
    for (const IntervalSet& set : sets)
    {
        SvgPath path;
        for (int i = 0; i <= kCurvePoints; ++i)
        {
            const double at = end * i / kCurvePoints, p = i == kCurvePoints ? 1 : 1 - std::pow(10.0, -at);
            const int x = chart.column(at), y = chart.row(quantile(set.sorted, p));
            if (i == 0) path.move(x, y);
            path.line(x, y);
        }
        chart.marks += pathElement("line-" + set.cssClass, path);
    }
    chart.description = "The interval that a share of the frames does not exceed";
    return chartHtml(chart);
}

}  // namespace orogen
