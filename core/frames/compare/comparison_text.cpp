#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/report/report.h"

namespace orogen {
namespace {

constexpr double kMostTold = 100;  // largest time ratio shown; a larger one is not meaningful

// Returns "4 pairs of runs", "3 runs a side", "2 and 5 runs".
std::string amountOf(const Comparison& c)
{
    if (c.pairs > 0) return counted(c.pairs, "pair") + " of runs";
    if (c.baseline.runs == c.candidate.runs) return counted(c.baseline.runs, "run") + " a side";
    return fmt::format("{} and {} runs", c.baseline.runs, c.candidate.runs);
}

std::string subjectOf(const MetricComparison& metric)
{
    if (metric.name == "interval_ms.mean") return "mean frame time";
    return metric.higherIsBetter ? "time by " + metric.name : metric.name;
}

// Returns "mean frame time +3.0 % (95 % interval -1.2 % to +7.4 %)".
std::string changeOf(const MetricComparison& metric)
{
    const std::optional<ShownInterval> interval = shownInterval(metric);
    return fmt::format("{} {}{}", subjectOf(metric), changeText(metric),
                       interval ? fmt::format(" ({} % interval {})", interval->percent, textOf(*interval))
                                : std::string());
}

// Lists metrics that are slower or faster while Comparison::first() is not.
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
    return fmt::format("; about {}{} would decide", counted(more, std::string("more ") + what), side);
}

}  // namespace

double timeRatio(const MetricComparison& metric, double ratio) { return metric.higherIsBetter ? 1 / ratio : ratio; }

std::string changeText(double timeRatio)
{
    if (timeRatio > kMostTold) return fmt::format("over {:+.0f} %", 100 * (kMostTold - 1));
    const double percent = 100 * (timeRatio - 1);
    if (std::abs(percent) < 0.005) return "0.00 %";
    return fmt::format("{:+.{}f} %", percent, std::abs(percent) < 1 ? 2 : std::abs(percent) < 100 ? 1 : 0);
}

std::string changeText(const MetricComparison& metric) { return changeText(timeRatio(metric, metric.ratio)); }

std::string marginText(double marginPercent)
{
    const double margin = 1 + marginPercent / 100;
    return changeText(1 / margin) + " to " + changeText(margin);
}

std::optional<ShownInterval> shownInterval(const MetricComparison& metric)
{
    const bool equivalent = metric.verdict == Verdict::kEquivalent;
    const std::optional<Interval>& ratio = equivalent ? metric.interval90 : metric.interval95;
    if (!ratio) return std::nullopt;
    const double a = timeRatio(metric, ratio->low), b = timeRatio(metric, ratio->high);
    return ShownInterval{equivalent ? 90 : 95, {std::min(a, b), std::max(a, b)}};
}

std::string textOf(const ShownInterval& interval)
{
    return changeText(interval.timeRatio.low) + " to " + changeText(interval.timeRatio.high);
}

std::string sentenceOf(const Comparison& c)
{
    const MetricComparison* metric = c.first();
    if (!metric) return "inconclusive: no metric was measured on both sides";
    if (!c.decidable())
        return fmt::format(
            "inconclusive: one run of a side can never give a verdict, two can, eight are usual ({}; {})", amountOf(c),
            changeOf(*metric));
    const std::string found = fmt::format("{}, {}", changeOf(*metric), amountOf(c));
    switch (metric->verdict)
    {
    case Verdict::kFaster:
    case Verdict::kSlower:
        return fmt::format("{}: {}{}", textOf(metric->verdict), found, othersOf(c));
    case Verdict::kEquivalent:
        return fmt::format("equivalent within {:g} %: {}{}", c.marginPercent, found, othersOf(c));
    case Verdict::kInconclusive:
        break;
    }
    return fmt::format("inconclusive: {}{}{}", found, furtherRuns(c, *metric), othersOf(c));
}

// ---- JSON ----

namespace {

Json rounded(double value) { return std::isfinite(value) ? Json(std::round(value * 1e7) / 1e7) : Json(nullptr); }
Json orNull(const std::optional<double>& value) { return value ? rounded(*value) : Json(nullptr); }
Json orNull(const std::optional<Interval>& interval)
{
    return interval ? Json::array({rounded(interval->low), rounded(interval->high)}) : Json(nullptr);
}

Json numbers(const std::vector<double>& values)
{
    Json array = Json::array();
    for (const double value : values)
        array.push_back(rounded(value));
    return array;
}

Json toJson(const ComparedSide& side)
{
    return {{"folders", side.folders},
            {"runs", side.runs},
            {"settings_hash", side.settingsHash},
            {"work_hash", side.workHash},
            {"leaves_mean", orNull(side.leavesMean)},
            {"triangles_mean", orNull(side.trianglesMean)}};
}

Json toJson(const MetricComparison& metric, const Comparison& all)
{
    return {{"name", metric.name},
            {"unit", metric.unit},
            {"better", metric.higherIsBetter ? "higher" : "lower"},
            {"verdict", textOf(metric.verdict)},
            {"baseline", rounded(metric.baseline)},
            {"candidate", rounded(metric.candidate)},
            {"ratio", rounded(metric.ratio)},
            {"interval_95", orNull(metric.interval95)},
            {"interval_90", orNull(metric.interval90)},
            {"p", orNull(metric.p)},
            {"p_holm", orNull(metric.pHolm)},
            {"runs_wanted", metric.runsWanted ? Json(*metric.runsWanted) : Json()},
            {"leaves_ratio", orNull(all.leavesRatio)},
            {"triangles_ratio", orNull(all.trianglesRatio)},
            {"baseline_runs", numbers(metric.baselineRuns)},
            {"candidate_runs", numbers(metric.candidateRuns)}};
}

}  // namespace

std::string comparisonToJson(const Comparison& c, double milliseconds)
{
    Json settings = Json::array();
    for (const SettingDifference& difference : c.settings)
        settings.push_back(
            {{"key", difference.key}, {"baseline", difference.baseline}, {"candidate", difference.candidate}});
    Json metrics = Json::array();
    for (const MetricComparison& metric : c.metrics)
        metrics.push_back(toJson(metric, c));
    Json sections = Json::array();
    for (const SectionComparison& section : c.sections)
    {
        Json compared = Json::array();
        for (const MetricComparison& metric : section.comparison.metrics)
            compared.push_back(toJson(metric, section.comparison));
        sections.push_back({{"name", section.name},
                            {"frames", section.comparison.frames},
                            {"sentence", sentenceOf(section.comparison)},
                            {"metrics", compared}});
    }
    const Json json = {{"algorithm", c.method},
                       {"backend", "cpu"},
                       {"time_ms", {{"total", rounded(milliseconds)}}},
                       {"sentence", sentenceOf(c)},
                       {"comparable", true},
                       {"pairs", c.pairs},
                       {"slower", c.anySlower()},
                       {"margin_percent", rounded(c.marginPercent)},
                       {"frames", c.frames},
                       {"baseline", toJson(c.baseline)},
                       {"candidate", toJson(c.candidate)},
                       {"settings_differ", !c.settings.empty()},
                       {"settings", settings},
                       {"leaves_ratio", orNull(c.leavesRatio)},
                       {"triangles_ratio", orNull(c.trianglesRatio)},
                       {"metrics", metrics},
                       {"sections", sections},
                       {"noise", c.noise},
                       {"notes", c.notes}};
    return json.dump(2) + '\n';
}

// Comparison by sections of the camera path: each section's frames are compared as captures of their own.

namespace {

using Captures = std::span<const Capture>;

bool hasSection(const Capture& capture, const std::string& name)
{
    return std::ranges::find(capture.report.sections, name, &SectionStatistics::name) != capture.report.sections.end();
}

// Returns the sections that all captures have, in the order of the first capture.
std::vector<std::string> commonSections(Captures baseline, Captures candidate)
{
    std::vector<std::string> names;
    const auto has = [&](const std::string& name) {
        return [&name](const Capture& capture) { return hasSection(capture, name); };
    };
    for (const SectionStatistics& section : baseline.front().report.sections)
        if (std::ranges::all_of(baseline, has(section.name)) && std::ranges::all_of(candidate, has(section.name)))
            names.push_back(section.name);
    return names;
}

// Returns the captures with the frames of one section alone, without the section's name.
std::vector<Capture> onlySection(Captures captures, const std::string& name)
{
    std::vector<Capture> only;
    for (const Capture& capture : captures)
    {
        Capture& part = only.emplace_back(Capture{capture.folder, capture.report, {}});
        part.report.sections.clear();
        for (std::size_t run = 0; run < capture.rows.size(); ++run)
        {
            std::vector<FrameSample>& rows = part.rows.emplace_back();
            std::ranges::copy_if(capture.rows[run], std::back_inserter(rows),
                                 [&](const FrameSample& row) { return row.measured() && row.section == name; });
            for (FrameSample& row : rows)
                row.section.clear();
            summarize(part.report.runs[run], rows, part.report.statistics.budgetMs);
        }
    }
    return only;
}

}  // namespace

void addSections(Comparison& to, Captures baseline, Captures candidate, const ComparisonOptions& options)
{
    const std::vector<std::string> names = commonSections(baseline, candidate);
    ComparisonOptions each = options;
    each.among = options.among * names.size();
    for (const std::string& name : names)
    {
        Result<Comparison> compared = compareCaptures(onlySection(baseline, name), onlySection(candidate, name), each);
        if (compared)
            to.sections.push_back({name, std::move(*compared)});
        else
            to.notes.push_back(fmt::format("section {} is left out: {}", name.empty() ? "before the first mark" : name,
                                           compared.error().message));
    }
}

std::string sidesToJson(const ComparedSides& sides, double milliseconds)
{
    Json list = Json::array();
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
    {
        Json side = {{"name", sides.names[i + 1]}};
        const Json comparison = Json::parse(comparisonToJson(sides.comparisons[i], milliseconds));
        for (const auto& [key, value] : comparison.members())
            side[key] = value;
        list.push_back(side);
    }
    const Json json = {{"baseline", sides.names.front()}, {"slower", sides.anySlower()}, {"sides", list}};
    return json.dump(2) + '\n';
}

}  // namespace orogen
