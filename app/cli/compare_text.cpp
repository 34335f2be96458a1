#include "app/cli/compare_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/base/terminal_text.h"
#include "core/frames/statistics/figure_text.h"

namespace orogen::app {
namespace {

std::string ratioText(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.4f}", *ratio) : "unknown"; }

std::string intervalText(const MetricComparison& metric)
{
    const std::optional<ShownInterval> interval = shownInterval(metric);
    return interval ? fmt::format("{} ({} %)", textOf(*interval), interval->percent) : "one run a side";
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
            changeText(metric),
            intervalText(metric),
            figureText(metric.baseline),
            fmt::format("{} {}", figureText(metric.candidate), metric.unit),
            metric.pHolm ? fmt::format("{:.4f}", *metric.pHolm) : "-",
            ratioText(all.leavesRatio),
            ratioText(all.trianglesRatio)};
}

std::string table(const Comparison& c)
{
    std::vector<Row> rows = {{"metric", "verdict", "change of time", "interval", "baseline", "candidate", "p (Holm)",
                              "leaves", "triangles"}};
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
    text += fmt::format("method     {}{}, margin {:g} % ({})\n", c.method,
                        c.pairs > 0 ? fmt::format(" of {} pair{}", c.pairs, c.pairs == 1 ? "" : "s")
                                    : ", runs are no pairs",
                        c.marginPercent, marginText(c.marginPercent));
    text += "change     how much longer the candidate takes, with the interval that decides the verdict\n";
    text += "ratios     leaves and triangles, of the candidate to the baseline\n\n";
    text += table(c);
    const std::string rest = differences(c);
    return rest.empty() ? text : text + '\n' + rest;
}

}  // namespace orogen::app
