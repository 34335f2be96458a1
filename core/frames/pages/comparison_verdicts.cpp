// Comparisons in formats for other programs: Markdown, JUnit, GitHub's workflow commands.
#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/compare/comparison_sides.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {
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
        // CommonMark takes a backslash before these two, other parsers do not.
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
    text += fmt::format("\nBaseline: {} ({} runs). Candidate: {} ({} runs). {} frames a run, {}, margin {:g} %.\n",
                        plain(foldersOf(c.baseline)), c.baseline.runs, plain(foldersOf(c.candidate)), c.candidate.runs,
                        c.frames, c.method, c.marginPercent);
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
