#include "app/cli/compare_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/terminal_text.h"

namespace orogen::app {
namespace {

std::string ratioText(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.4f}", *ratio) : "unknown"; }

std::string intervalText(const std::optional<Interval>& interval)
{
    return interval ? fmt::format("{:.4f} to {:.4f}", interval->low, interval->high) : "one run a side";
}

std::string runs(std::size_t count) { return fmt::format("{} run{}", count, count == 1 ? "" : "s"); }

std::string sideText(const char* name, const ComparedSide& side)
{
    return fmt::format("{}{} ({})\n", name, printable(fmt::format("{}", fmt::join(side.folders, ", "))),
                       runs(side.runs));
}

using Row = std::array<std::string, 9>;

Row rowOf(const MetricComparison& metric, const Comparison& all)
{
    return {metric.name,
            std::string(textOf(metric.verdict)),
            ratioText(metric.ratio),
            intervalText(metric.interval95),
            fmt::format("{:.4f}", metric.baseline),
            fmt::format("{:.4f} {}", metric.candidate, metric.unit),
            metric.pHolm ? fmt::format("{:.4f}", *metric.pHolm) : "-",
            ratioText(all.leavesRatio),
            ratioText(all.trianglesRatio)};
}

std::string table(const Comparison& c)
{
    std::vector<Row> rows = {
        {"metric", "verdict", "ratio", "95 % interval", "baseline", "candidate", "p (Holm)", "leaves", "triangles"}};
    for (const MetricComparison& metric : c.metrics)
        rows.push_back(rowOf(metric, c));
    std::string text;
    for (const Row& row : rows)
    {
        std::string line;
        for (std::size_t column = 0; column < row.size(); ++column)
        {
            std::size_t width = 0;
            for (const Row& other : rows)
                width = std::max(width, other[column].size());
            line += fmt::format("{:<{}}", row[column], width + 2);
        }
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return text;
}

std::string differences(const Comparison& c)
{
    std::string text;
    for (const SettingDifference& d : c.settings)
        text += printable(fmt::format("setting    {}: {} and {}", d.key, d.baseline, d.candidate)) + '\n';
    for (const std::string& note : c.notes)
        text += printable("note       " + note) + '\n';
    return text;
}

}  // namespace

std::string comparisonText(const Comparison& c)
{
    std::string text = printable(sentenceOf(c)) + '\n';
    for (const std::string& line : c.noise)
        text += printable("noisy      " + line) + '\n';
    text += '\n' + sideText("baseline   ", c.baseline) + sideText("candidate  ", c.candidate);
    text += fmt::format("frames     {} measured in each run\n", c.frames);
    text += fmt::format("method     {}{}, margin {:g} %; ratios are candidate to baseline\n\n", c.method,
                        c.pairs > 0 ? fmt::format(" of {} pair{}", c.pairs, c.pairs == 1 ? "" : "s")
                                    : ", runs are no pairs",
                        c.marginPercent);
    text += table(c);
    const std::string rest = differences(c);
    return rest.empty() ? text : text + '\n' + rest;
}

}  // namespace orogen::app
