// orogen compare: whether one side's captures are slower than the other's.
#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/statistics/statistics.h"

namespace orogen::app {
namespace {

std::string ratioText(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.4f}", *ratio) : "unknown"; }

std::string runs(std::size_t count) { return fmt::format("{} run{}", count, count == 1 ? "" : "s"); }

std::string sideText(const char* name, const ComparedSide& side)
{
    return fmt::format("{}{} ({})\n", name, printable(fmt::format("{}", fmt::join(side.folders, ", "))),
                       runs(side.runs));
}

using Row = std::array<std::string, 9>;

Row rowOf(const MetricComparison& metric, const Comparison& all)
{
    const std::optional<ShownInterval> interval = shownInterval(metric);
    return {metric.name,
            std::string(textOf(metric.verdict)),
            changeText(metric),
            interval ? fmt::format("{} ({} %)", textOf(*interval), interval->percent) : "one run a side",
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

using Clock = std::chrono::steady_clock;
using Folders = std::vector<std::string>;

struct CompareOptions
{
    Folders baseline, candidate;
    ComparisonOptions comparison;
    std::string html;             // page beside the output; empty: none
    std::string format = "text";  // the output's
    std::string out;              // output file; empty: standard output
    bool json = false;
};

// Rejects duplicates: a run counted twice would make a side look more certain than it is.
Status checkDistinct(const char* option, const Folders& folders)
{
    std::set<std::filesystem::path> seen;
    for (const std::string& folder : folders)
    {
        std::error_code ignored;
        if (seen.insert(std::filesystem::weakly_canonical(folder, ignored)).second) continue;
        return Error{ExitCode::kUsage, fmt::format("{}: found {} twice, expected each capture once", option, folder)};
    }
    return Status::ok();
}

std::string formatted(const std::string& format, const ComparedFolders& compared, double milliseconds)
{
    const Comparison& comparison = compared.comparison;
    if (format == "html") return compared.html();
    if (format == "json") return comparisonToJson(comparison, milliseconds);
    if (format == "markdown") return comparisonToMarkdown(comparison);
    if (format == "junit") return comparisonToJunit(comparison);
    if (format == "github") return comparisonToGithub(comparison);
    return comparisonText(comparison);
}

Result<ExitCode> runCompare(const CompareOptions& options)
{
    const Clock::time_point start = Clock::now();
    // An output must not replace a file of a compared capture.
    Folders read = options.baseline;
    read.insert(read.end(), options.candidate.begin(), options.candidate.end());
    for (const std::string& file : {options.html, options.out})
        if (!file.empty())
            if (Status s = checkOutputFile(file, read, Existing::kReplace); !s) return s.error();
    if (!options.out.empty() && options.out == options.html)
        return Error{ExitCode::kUsage, "--out and --html: found one file for both, expected two"};
    if (Status status = checkDistinct("--baseline", options.baseline); !status) return status.error();
    if (Status status = checkDistinct("--candidate", options.candidate); !status) return status.error();
    const Result<ComparedFolders> compared =
        compareFolders(options.baseline, options.candidate, options.comparison, interrupted);
    if (const std::optional<Error> stop = interruption()) return *stop;
    if (!compared) return compared.error();
    if (!options.html.empty())
        if (Status status = writeFileAtomically(options.html, compared->html()); !status) return status.error();
    const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    const std::string text = formatted(options.json ? "json" : options.format, *compared, milliseconds);
    if (options.out.empty())
        print(text);
    else if (Status status = writeFileAtomically(options.out, text); !status)
        return status.error();
    return compared->comparison.anySlower() ? ExitCode::kNo : ExitCode::kDone;
}

std::string checkMetric(const std::string& name)
{
    if (Metric::named(name)) return {};
    return fmt::format("{}: expected one of {}", name, fmt::join(Metric::allNames(), ", "));
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
    for (const SectionComparison& section : c.sections)
        text += fmt::format("\nsection    {}: {}\n{}",
                            printable(section.name.empty() ? "before the first mark" : section.name),
                            printable(sentenceOf(section.comparison)), table(section.comparison));
    if (!c.settings.empty() || !c.notes.empty()) text += '\n';
    for (const SettingDifference& d : c.settings)
        text += printable(fmt::format("setting    {}: {} and {}", d.key, d.baseline, d.candidate)) + '\n';
    for (const std::string& note : c.notes)
        text += printable("note       " + note) + '\n';
    return text;
}

void addCompareCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("compare", "whether one side's captures are slower than the other's");
    const auto options = std::make_shared<CompareOptions>();
    command->add_option("--baseline", options->baseline, "captures to compare with")->required()->type_name("DIR");
    command->add_option("--candidate", options->candidate, "captures to judge")->required()->type_name("DIR");
    command->add_option("--html", options->html, "write the comparison as a page")->type_name("FILE");
    command
        ->add_option("--metric", options->comparison.metrics,
                     fmt::format("what to compare; may be repeated ({})", fmt::join(usualMetricNames(), ", ")))
        ->allow_extra_args(false)
        ->check(CLI::Validator(checkMetric, ""))
        ->type_name("NAME");
    command
        ->add_option("--margin", options->comparison.marginPercent,
                     fmt::format("ratios within this much of 1 are equivalent ({:g})", kDefaultMarginPercent))
        ->check(realIn(0.01, 100))
        ->type_name("PERCENT");
    CLI::Option* format = command
                              ->add_option("--format", options->format,
                                           "format of the output: text, html, json, markdown, junit, github (text)")
                              ->check(CLI::IsMember({"text", "html", "json", "markdown", "junit", "github"}));
    command->add_option("--out", options->out, "write the output to a file")->type_name("FILE");
    command->add_flag("--json", options->json, "one JSON object: --format json")->excludes(format);
    command->callback([options, &chosen] { chosen = [options] { return runCompare(*options); }; });
}

}  // namespace orogen::app
