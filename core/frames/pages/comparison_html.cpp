#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/compare/comparison_math.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/pages/report_charts.h"
#include "core/frames/pages/report_html.h"
#include "core/frames/pages/svg_chart.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
namespace {

constexpr int kForestWidth = 160, kForestHeight = 22;

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string times(const std::optional<double>& ratio) { return ratio ? fmt::format("× {:.3f}", *ratio) : "unknown"; }

// Returns the value of both sides if equal, else both values.
std::string bothOf(const ReportMetadata& a, const ReportMetadata& b, std::string (*of)(const ReportMetadata&))
{
    const std::string first = of(a), second = of(b);
    return first == second ? first : first + " and " + second;
}

std::string origin(std::span<const Capture> baseline, std::span<const Capture> candidate)
{
    const ReportMetadata &a = baseline.front().report.metadata, &b = candidate.front().report.metadata;
    const auto line = [&](const char* name, std::string (*of)(const ReportMetadata&)) {
        return htmlFact(name, bothOf(a, b, of));
    };
    return "<table class=facts><tbody>\n" + line("Machine", machineText) + line("Terrain", terrainText) +
           line("Camera path", [](const ReportMetadata& m) { return m.pathName.value_or("unknown"); }) +
           line("Picture", [](const ReportMetadata& m) { return fmt::format("{} × {}", m.width, m.height); }) +
           line("Taken", [](const ReportMetadata& m) { return m.created; }) + "</tbody></table>\n";
}

const char* colourOf(Verdict verdict)
{
    return verdict == Verdict::kSlower ? "bad" : verdict == Verdict::kFaster ? "good" : "";
}

std::string header(const Comparison& c, std::span<const Capture> baseline, std::span<const Capture> candidate)
{
    std::string html = fmt::format("<header><h1>Comparison of frame times</h1>\n<p class=\"verdict {}\">{}</p>\n",
                                   c.first() ? colourOf(c.first()->verdict) : "", escapedSentence(sentenceOf(c)));
    for (const std::string& line : c.noise)
        html += "<p class=note>Noisy: " + escapedSentence(line) + "</p>\n";
    html += fmt::format("<p class=soft>Baseline: {} ({}). Candidate: {} ({}). {} a run.</p>\n",
                        escaped(joined(c.baseline.folders)), counted(c.baseline.runs, "run"),
                        escaped(joined(c.candidate.folders)), counted(c.candidate.runs, "run"),
                        counted(c.frames, "measured frame"));
    return html + origin(baseline, candidate) + "</header>\n";
}

std::size_t countOf(const Comparison& c, Verdict verdict)
{
    return std::size_t(std::ranges::count(c.metrics, verdict, &MetricComparison::verdict));
}

std::string tiles(const Comparison& c)
{
    std::string html = "<div class=tiles>";
    for (const Verdict verdict : {Verdict::kSlower, Verdict::kFaster, Verdict::kEquivalent, Verdict::kInconclusive})
        html += htmlTile(sentenceText(textOf(verdict)), fmt::format("{}", countOf(c, verdict)), "",
                         "of " + counted(c.metrics.size(), "metric"));
    html += htmlTile("Leaves", times(c.leavesRatio), "", "candidate to baseline");
    html += htmlTile("Triangles", times(c.trianglesRatio), "", "candidate to baseline");
    return html + "</div>\n";
}

// Returns half the width of the ratio axis, in natural logarithms.  The axis is symmetrical about a ratio of 1.  It
// fits the margin, and all ratios and intervals up to a factor of 10.
double forestReach(const Comparison& c)
{
    double reach = std::log(1 + c.marginPercent / 100);
    for (const MetricComparison& metric : c.metrics)
    {
        reach = std::max(reach, std::abs(std::log(metric.ratio)));
        if (const std::optional<ShownInterval> shown = shownInterval(metric); shown && shown->timeRatio.low > 0)
            reach =
                std::max({reach, std::abs(std::log(shown->timeRatio.low)), std::abs(std::log(shown->timeRatio.high))});
    }
    return std::min(1.15 * reach, std::log(10.0));
}

// Draws a metric's ratio and its interval over a band of the margin's width.
std::string forest(const MetricComparison& metric, double marginPercent, double reach)
{
    const auto x = [reach](double ratio) {
        return (std::clamp(std::log(std::max(ratio, 1e-9)) / reach, -1.0, 1.0) + 1) / 2 * kForestWidth;
    };
    const double margin = 1 + marginPercent / 100;
    std::string svg = fmt::format("<svg class=forest viewBox=\"0 0 {} {}\"><rect class=band x=\"{:.1f}\" y=\"0\" "
                                  "width=\"{:.1f}\" height=\"{}\"/><path class=one d=\"M{} 0v{}\"/>",
                                  kForestWidth, kForestHeight, x(1 / margin), x(margin) - x(1 / margin), kForestHeight,
                                  kForestWidth / 2, kForestHeight);
    if (const std::optional<ShownInterval> shown = shownInterval(metric))
    {
        const double low = x(shown->timeRatio.low), high = x(shown->timeRatio.high);
        svg += fmt::format("<path class=span d=\"M{0:.1f} 11H{1:.1f}M{0:.1f} 6v10M{1:.1f} 6v10\"/>", low, high);
    }
    return svg + fmt::format("<circle cx=\"{:.1f}\" cy=\"11\" r=\"4\"/></svg>", x(timeRatio(metric, metric.ratio)));
}

std::string verdictRow(const MetricComparison& m, const Comparison& c, double reach)
{
    const std::optional<ShownInterval> shown = shownInterval(m);
    const std::string interval = shown ? fmt::format("{} ({} %)", textOf(*shown), shown->percent) : "one run a side";
    return fmt::format("<tr><th>{}</th><td class=\"{}\">{}</td><td class=n>{}</td><td class=n>{}</td><td>{}</td>"
                       "<td class=n>{}</td><td class=n>{} {}</td><td class=n>{}</td>"
                       "<td class=\"soft n\">{}</td><td class=\"soft n\">{}</td></tr>\n",
                       escaped(m.name), colourOf(m.verdict), textOf(m.verdict), changeText(m), interval,
                       forest(m, c.marginPercent, reach), figureText(m.baseline), figureText(m.candidate), m.unit,
                       m.pHolm ? fmt::format("{:.4f}", *m.pHolm) : "–", times(c.leavesRatio), times(c.trianglesRatio));
}

std::string verdictTable(const Comparison& c)
{
    const double reach = forestReach(c);
    std::string rows;
    for (const MetricComparison& metric : c.metrics)
        rows += verdictRow(metric, c, reach);
    return "<div class=scroll><table><thead><tr><th>Metric</th><th>Verdict</th><th class=n>Change</th>"
           "<th class=n>Interval</th><th>Margin</th><th class=n>Baseline</th>"
           "<th class=n>Candidate</th><th class=n>p (Holm)</th><th class=n>Leaves</th>"
           "<th class=n>Triangles</th></tr></thead><tbody>\n" +
           rows + "</tbody></table></div>\n";
}

std::string verdicts(const Comparison& c)
{
    return htmlSection(
        "Verdicts",
        fmt::format(
            "{}<p class=soft>Change: how much longer the candidate takes than the baseline; of a rate, the time behind "
            "it. Interval: that which the verdict goes by. Margin: {:g} %, {}.</p>\n",
            verdictTable(c), c.marginPercent, marginText(c.marginPercent)));
}

std::string sections(const Comparison& c)
{
    std::string body;
    for (const SectionComparison& section : c.sections)
        body += fmt::format("<h3>{}</h3>\n<p class={}>{}.</p>\n{}",
                            escaped(section.name.empty() ? "Before the first mark" : section.name),
                            section.comparison.first() ? colourOf(section.comparison.first()->verdict) : "",
                            escaped(sentenceText(sentenceOf(section.comparison))), verdictTable(section.comparison));
    return body.empty() ? body : htmlSection("Sections of the path", body);
}

std::string eachRun(const Comparison& c)
{
    std::string rows;
    const auto cells = [&](const char* side, const char* key, std::size_t run,
                           std::vector<double> MetricComparison::*values) {
        std::string row = fmt::format("<tr><th><svg class=key viewBox=\"0 0 16 10\"><path class=\"{}\" "
                                      "d=\"M0 0h16v10h-16z\"/></svg>{} {}</th>",
                                      key, side, run + 1);
        for (const MetricComparison& metric : c.metrics)
            row += fmt::format("<td class=n>{}</td>", figureText((metric.*values)[run]));
        rows += row + "</tr>\n";
    };
    for (std::size_t run = 0; run < c.baseline.runs; ++run)
        cells("Baseline", "key-a", run, &MetricComparison::baselineRuns);
    for (std::size_t run = 0; run < c.candidate.runs; ++run)
        cells("Candidate", "key-b", run, &MetricComparison::candidateRuns);
    std::string head;
    for (const MetricComparison& metric : c.metrics)
        head += fmt::format("<th class=n>{}</th>", escaped(metric.name));
    return htmlSection("Each run", "<div class=scroll><table><thead><tr><th>Run</th>" + head +
                                       "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n");
}

IntervalSet intervalSet(const char* name, const char* cssClass, std::span<const Capture> captures)
{
    IntervalSet set{name, cssClass, {}};
    for (const Capture& capture : captures)
    {
        const std::vector<double> sorted = sortedIntervals(capture.rows);
        set.sorted.insert(set.sorted.end(), sorted.begin(), sorted.end());
    }
    std::ranges::sort(set.sorted);
    return set;
}

std::string distributions(std::span<const Capture> baseline, std::span<const Capture> candidate)
{
    const IntervalSet sets[] = {intervalSet("Baseline", "a", baseline), intervalSet("Candidate", "b", candidate)};
    return htmlSection("Distribution of the intervals",
                       legendHtml({{"key-a", "baseline (filled, solid)"}, {"key-b", "candidate (outline, dashed)"}}) +
                           "<div class=two>" + histogramChart(sets) + percentileChart(sets) + "</div>\n");
}

constexpr const char* kSideClasses[] = {"a", "b", "c", "d", "e", "f"};
static_assert(std::size(kSideClasses) == kMostSides);

// Lists for each side: runs, verdict, change, the change's confidence interval as text and drawn over the margin, the
// value of the metric Comparison::first(), and triangles.
std::string sidesTable(const ComparedSides& sides)
{
    double reach = 0;
    for (const Comparison& comparison : sides.comparisons)
        reach = std::max(reach, forestReach(comparison));
    const Comparison& any = sides.comparisons.front();
    std::string rows =
        fmt::format("<tr><th>{}</th><td class=n>{}</td><td>baseline</td><td class=n></td><td class=n></td><td></td>"
                    "<td class=n>{}</td><td class=n>{}</td></tr>\n",
                    escaped(sides.names.front()), any.baseline.runs,
                    any.first() ? figureText(any.first()->baseline) + ' ' + any.first()->unit : std::string(kNoFigure),
                    any.baseline.trianglesMean ? grouped(*any.baseline.trianglesMean, 0) : std::string(kNoFigure));
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
    {
        const Comparison& c = sides.comparisons[i];
        if (!c.first()) continue;
        const MetricComparison& m = *c.first();
        const std::optional<ShownInterval> shown = shownInterval(m);
        rows += fmt::format(
            "<tr><th>{}</th><td class=n>{}</td><td class=\"{}\">{}</td><td class=n>{}</td><td "
            "class=n>{}</td><td>{}</td>"
            "<td class=n>{} {}</td><td class=n>{}</td></tr>\n",
            escaped(sides.names[i + 1]), c.candidate.runs, colourOf(m.verdict), textOf(m.verdict), changeText(m),
            shown ? fmt::format("{} ({} %)", textOf(*shown), shown->percent) : "one run a side",
            forest(m, c.marginPercent, reach), figureText(m.candidate), m.unit,
            c.candidate.trianglesMean ? grouped(*c.candidate.trianglesMean, 0) : std::string(kNoFigure));
    }
    return htmlSection(
        "Sides", fmt::format("<div class=scroll><table><thead><tr><th>Side</th><th class=n>Runs</th><th>Verdict</th>"
                             "<th class=n>Change</th><th class=n>Interval</th><th>Margin</th><th class=n>{}</th>"
                             "<th class=n>Triangles</th></tr></thead><tbody>\n{}</tbody></table></div>\n",
                             any.first() ? escaped(any.first()->name) : "", rows));
}

std::string sidesCurves(const ComparedSides& sides)
{
    std::vector<IntervalSet> sets;
    std::vector<LegendItem> legend;
    for (std::size_t i = 0; i < sides.names.size(); ++i)
    {
        sets.push_back(intervalSet(sides.names[i].c_str(), kSideClasses[i], sides.captures[i]));
        legend.push_back({fmt::format("line-{}", kSideClasses[i]), sides.names[i], true});
    }
    std::erase_if(sets, [](const IntervalSet& set) { return set.sorted.empty(); });
    return sets.empty() ? std::string()
                        : htmlSection("Distribution of the intervals", legendHtml(legend) + percentileChart(sets));
}

// Lists the settings that differ, and the notes.
std::string settingsOf(const Comparison& c)
{
    std::string body;
    if (c.settings.empty())
        body = "<p>The settings are equal, and so is the work: " + escaped(c.baseline.workHash) + ".</p>\n";
    else
    {
        body =
            "<div "
            "class=scroll><table><thead><tr><th>Setting</th><th>Baseline</th><th>Candidate</th></tr></thead><tbody>\n";
        for (const SettingDifference& d : c.settings)
            body += fmt::format("<tr><th>{}</th><td>{}</td><td>{}</td></tr>\n", escaped(d.key), escaped(d.baseline),
                                escaped(d.candidate));
        body += "</tbody></table></div>\n";
    }
    for (const std::string& note : c.notes)
        body += "<p class=note>" + escaped(sentenceText(note)) + "</p>\n";
    return body;
}

std::string differences(const Comparison& c) { return htmlSection("What differs", settingsOf(c)); }

std::string methodText(const Comparison& c)
{
    if (c.pairs > 0)
        return fmt::format("The runs took turns, A B, B A and so on, and are compared as {}: the ratio of each "
                           "pair counts, so that drift common to both runs cancels. The interval is a t interval over "
                           "the pairs, widened for noise that lasts from one run into the next.",
                           counted(c.pairs, "pair"));
    return fmt::format(
        "The runs are not paired (separate captures, not capture --interleave), so drift between the "
        "captures counts as a difference. Method: {}. With fewer than {} runs on a side it is Welch's t "
        "interval; from there on a hierarchical bootstrap, which draws runs within each side and keeps the "
        "frames of a run together.",
        c.method, kRunsForBootstrap);
}

std::string method(const Comparison& c)
{
    return htmlSection(
        "How this was judged",
        fmt::format(
            "<p>The run is the unit: each metric of each run is one number, because frames within a run depend on each "
            "other. What is compared are means of logarithms, so a change is a ratio. {} p is adjusted over all "
            "metrics of this comparison by Holm's method.</p>\n<p><b>equivalent</b>: the 90 % interval, which is "
            "shown then, lies within the margin of {:g} %, {} (two one-sided tests at 5 %). <b>faster</b>, "
            "<b>slower</b>: not that, and the adjusted p is below {:g}; the interval shown is that of 95 %. "
            "<b>inconclusive</b>: neither; more or longer runs may tell. One run on a side is always "
            "inconclusive.</p>\n",
            escaped(methodText(c)), c.marginPercent, marginText(c.marginPercent), kSignificance));
}

}  // namespace

std::string sidesToHtml(const ComparedSides& sides)
{
    const std::vector<Capture>& baseline = sides.captures.front();
    std::string body = "<header><h1>Comparison of frame times</h1>\n";
    std::vector<std::string> noise;
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
    {
        const Comparison& c = sides.comparisons[i];
        body += fmt::format("<p class=\"verdict named {}\">{}: {}</p>\n", c.first() ? colourOf(c.first()->verdict) : "",
                            escaped(sides.names[i + 1]), escapedSentence(sentenceOf(c)));
        for (std::string line : c.noise)
        {
            // Each comparison calls its own side "the candidate", so the side's name is put before the line.
            if (line.find("of the candidate") != line.npos) line = sides.names[i + 1] + ": " + line;
            if (std::ranges::find(noise, line) == noise.end()) noise.push_back(line);
        }
    }
    for (const std::string& line : noise)
        body += "<p class=note>Noisy: " + escapedSentence(line) + "</p>\n";
    body += origin(baseline, sides.captures.back()) + "</header>\n" + sidesTable(sides) + sidesCurves(sides);
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
        body += fmt::format("<section><h2>{} against {}</h2>\n{}</section>\n", escaped(sides.names[i + 1]),
                            escaped(sides.names.front()),
                            verdictTable(sides.comparisons[i]) + settingsOf(sides.comparisons[i]));
    return htmlPage("Comparison of frame times", body + method(sides.comparisons.front()));
}

std::string comparisonToHtml(const Comparison& comparison, std::span<const Capture> baseline,
                             std::span<const Capture> candidate)
{
    return htmlPage("Comparison of frame times", header(comparison, baseline, candidate) + tiles(comparison) +
                                                     verdicts(comparison) + distributions(baseline, candidate) +
                                                     sections(comparison) + differences(comparison) +
                                                     eachRun(comparison) + method(comparison));
}

// Comparisons in formats for other programs: Markdown, JUnit, GitHub's workflow commands.

namespace {

std::string intervalOf(const MetricComparison& metric)
{
    const std::optional<ShownInterval> interval = shownInterval(metric);
    return interval ? fmt::format("{} ({} %)", textOf(*interval), interval->percent) : "one run a side";
}

std::string lineOf(const MetricComparison& metric)
{
    return fmt::format("{}: {} {} to {} {}, change of time {}, interval {}", textOf(metric.verdict),
                       figureText(metric.baseline), metric.unit, figureText(metric.candidate), metric.unit,
                       changeText(metric), intervalOf(metric));
}

std::string foldersOf(const ComparedSide& side) { return fmt::format("{}", fmt::join(side.folders, ", ")); }

// Escapes Markdown's markup characters, and the bars of a table.
std::string plain(std::string_view text)
{
    std::string result;
    for (const char c : printable(text))
    {
        // CommonMark accepts a backslash before these two, other parsers do not.
        if (c == '<' || c == '&')
        {
            result += c == '<' ? "&lt;" : "&amp;";
            continue;
        }
        if (std::string_view("\\`*_{}[]>#|~").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

std::string replaced(std::string text, std::string_view characters)
{
    std::string result;
    for (const char c : text)
        if (characters.find(c) != std::string_view::npos)
            result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        else
            result += c;
    return result;
}

}  // namespace

std::string comparisonToMarkdown(const Comparison& c)
{
    std::string text = "**" + plain(sentenceOf(c)) + "**\n\n";
    text += "| metric | verdict | change of time | interval | baseline | candidate | p (Holm) |\n";
    text += "| --- | --- | ---: | --- | ---: | ---: | ---: |\n";
    for (const MetricComparison& metric : c.metrics)
        text += fmt::format("| `{}` | {} | {} | {} | {} {} | {} {} | {} |\n", metric.name, textOf(metric.verdict),
                            changeText(metric), intervalOf(metric), figureText(metric.baseline), metric.unit,
                            figureText(metric.candidate), metric.unit,
                            metric.pHolm ? fmt::format("{:.4f}", *metric.pHolm) : "–");
    for (const SectionComparison& section : c.sections)
        text += fmt::format("\n- section {}: {}", plain(section.name.empty() ? "before the first mark" : section.name),
                            plain(sentenceOf(section.comparison)));
    if (!c.sections.empty()) text += '\n';
    text += fmt::format("\nBaseline: {} ({}). Candidate: {} ({}). {} a run, {}, margin {:g} %.\n",
                        plain(foldersOf(c.baseline)), counted(c.baseline.runs, "run"), plain(foldersOf(c.candidate)),
                        counted(c.candidate.runs, "run"), counted(c.frames, "frame"), c.method, c.marginPercent);
    if (!c.noise.empty() || !c.settings.empty() || !c.notes.empty()) text += '\n';
    for (const std::string& noise : c.noise)
        text += "- noisy: " + plain(noise) + '\n';
    for (const SettingDifference& d : c.settings)
        text += fmt::format("- setting `{}`: {} and {}\n", d.key, plain(d.baseline), plain(d.candidate));
    for (const std::string& note : c.notes)
        text += "- " + plain(note) + '\n';
    return text;
}

namespace {

// Returns the suite of one comparison.  `name`: name of the candidate; empty if there is only one candidate.
std::string junitSuite(const Comparison& c, const std::string& name)
{
    const std::string title = name.empty() ? "orogen compare" : "orogen compare " + name;
    const std::string kind = name.empty() ? "orogen.compare" : "orogen.compare." + name;
    const auto count = [&](Verdict verdict) {
        return std::ranges::count(c.metrics, verdict, &MetricComparison::verdict);
    };
    std::string text = fmt::format("<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n",
                                   escaped(printable(title)), c.metrics.size(), count(Verdict::kSlower),
                                   count(Verdict::kInconclusive));
    text += fmt::format("<properties>\n<property name=\"baseline\" value=\"{}\"/>\n"
                        "<property name=\"candidate\" value=\"{}\"/>\n<property name=\"method\" value=\"{}\"/>\n"
                        "</properties>\n",
                        escaped(printable(foldersOf(c.baseline))), escaped(printable(foldersOf(c.candidate))),
                        escaped(c.method));
    for (const MetricComparison& metric : c.metrics)
    {
        const std::string line = escaped(lineOf(metric));
        text += fmt::format("<testcase classname=\"{}\" name=\"{}\"", escaped(printable(kind)), escaped(metric.name));
        switch (metric.verdict)
        {
        case Verdict::kSlower:
            text += fmt::format(">\n<failure type=\"slower\" message=\"{}\"/>\n</testcase>\n", line);
            break;
        case Verdict::kInconclusive:
            text += fmt::format(">\n<skipped message=\"{}\"/>\n</testcase>\n", line);
            break;
        default:
            text += fmt::format(">\n<system-out>{}</system-out>\n</testcase>\n", line);
        }
    }
    return text + fmt::format("<system-out>{}</system-out>\n</testsuite>\n", escaped(printable(sentenceOf(c))));
}

std::string junitFile(const std::string& suites)
{
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

}  // namespace

std::string comparisonToJunit(const Comparison& c) { return junitFile(junitSuite(c, {})); }

namespace {

std::string githubLines(const Comparison& c, const std::string& name)
{
    const std::string start = name.empty() ? "orogen " : "orogen " + printable(name) + ' ';
    const auto level = [](Verdict verdict) {
        return verdict == Verdict::kSlower ? "error" : verdict == Verdict::kInconclusive ? "warning" : "notice";
    };
    std::string text;
    for (const MetricComparison& metric : c.metrics)
        text += fmt::format("::{} title={}::{}\n", level(metric.verdict), replaced(start + metric.name, "%\r\n:,"),
                            replaced(lineOf(metric), "%\r\n"));
    for (const std::string& noise : c.noise)
        text += "::warning title=orogen noise::" + replaced(printable(noise), "%\r\n") + '\n';
    return text + replaced(printable((name.empty() ? "" : name + ": ") + sentenceOf(c)), "\r\n") + '\n';
}

}  // namespace

std::string comparisonToGithub(const Comparison& c) { return githubLines(c, {}); }

// ---- several sides ----

std::string sidesToMarkdown(const ComparedSides& sides)
{
    std::string text;
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
        text += fmt::format("{}### {} against {}\n\n{}", i == 0 ? "" : "\n", plain(sides.names[i + 1]),
                            plain(sides.names.front()), comparisonToMarkdown(sides.comparisons[i]));
    return text;
}

std::string sidesToJunit(const ComparedSides& sides)
{
    std::string suites;
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
        suites += junitSuite(sides.comparisons[i], sides.names[i + 1]);
    return junitFile(suites);
}

std::string sidesToGithub(const ComparedSides& sides)
{
    std::string text;
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
        text += githubLines(sides.comparisons[i], sides.names[i + 1]);
    return text;
}

}  // namespace orogen
