// orogen compare: tests whether the captures of one set (side) are slower than those of another.
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <set>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/compare/comparison_math.h"
#include "core/frames/statistics/statistics.h"

namespace orogen::app {
namespace {

std::string ratioText(const std::optional<double>& ratio) { return ratio ? fmt::format("{:.4f}", *ratio) : "unknown"; }

std::string sideText(const char* name, const ComparedSide& side)
{
    return fmt::format("{}{} ({})\n", name, printable(fmt::format("{}", fmt::join(side.folders, ", "))),
                       counted(side.runs, "run"));
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

using Folders = std::vector<std::string>;

struct CompareOptions
{
    Folders baseline, candidate;
    std::vector<NamedFolders> sides;  // --side, in place of baseline and candidate
    ComparisonOptions comparison;
    VerdictOutput output;
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

std::string textOf(const ComparedSides& sides)
{
    std::string text;
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
        text += fmt::format("{}: {}\n", printable(sides.names[i + 1]), printable(sentenceOf(sides.comparisons[i])));
    for (std::size_t i = 0; i < sides.comparisons.size(); ++i)
        text += fmt::format("\n---- {} against {} ----\n\n{}", printable(sides.names[i + 1]),
                            printable(sides.names.front()), comparisonText(sides.comparisons[i]));
    return text;
}

std::string formatted(const std::string& format, const ComparedSides& sides, double milliseconds)
{
    if (format == "html") return sidesToHtml(sides);
    if (format == "json") return sidesToJson(sides, milliseconds);
    if (format == "markdown") return sidesToMarkdown(sides);
    if (format == "junit") return sidesToJunit(sides);
    if (format == "github") return sidesToGithub(sides);
    return textOf(sides);
}

Status writeBoth(const VerdictOutput& output, const std::string& page, const std::string& text)
{
    if (!output.html.empty())
        if (Status status = writeFileAtomically(output.html, page); !status) return status;
    if (!output.out.empty()) return writeFileAtomically(output.out, text);
    print(text);
    return Status::ok();
}

std::string formatOf(const VerdictOutput& output) { return output.json ? "json" : output.format; }

Result<ExitCode> runSides(const CompareOptions& options, Clock::time_point start)
{
    const Result<ComparedSides> sides = compareSides(options.sides, options.comparison, interrupted);
    if (const std::optional<Error> stop = interruption()) return *stop;
    if (!sides) return sides.error();
    const std::string page = options.output.html.empty() ? std::string() : sidesToHtml(*sides);
    if (Status s =
            writeBoth(options.output, page, formatted(formatOf(options.output), *sides, millisecondsSince(start)));
        !s)
        return s.error();
    return sides->anySlower() ? ExitCode::kNo : ExitCode::kDone;
}

Result<ExitCode> runCompare(const CompareOptions& options)
{
    const Clock::time_point start = Clock::now();
    Folders read = options.baseline;
    read.insert(read.end(), options.candidate.begin(), options.candidate.end());
    for (const NamedFolders& side : options.sides)
        read.insert(read.end(), side.folders.begin(), side.folders.end());
    if (Status s = checkVerdictFiles(options.output, read); !s) return s.error();
    for (const NamedFolders& side : options.sides)
        if (Status status = checkDistinct("--side", side.folders); !status) return status.error();
    if (!options.sides.empty()) return runSides(options, start);
    if (Status status = checkDistinct("--baseline", options.baseline); !status) return status.error();
    if (Status status = checkDistinct("--candidate", options.candidate); !status) return status.error();
    const Result<ComparedFolders> compared =
        compareFolders(options.baseline, options.candidate, options.comparison, interrupted);
    if (const std::optional<Error> stop = interruption()) return *stop;
    if (!compared) return compared.error();
    if (Status s = writeVerdict(options.output, *compared, millisecondsSince(start)); !s) return s.error();
    return compared->comparison.anySlower() ? ExitCode::kNo : ExitCode::kDone;
}

// Adds NAME=DIR to the sides.
void addSide(std::vector<NamedFolders>& sides, const std::string& text)
{
    const std::size_t sign = text.find('=');
    if (sign == 0 || sign == text.npos || sign + 1 == text.size())
        throw CLI::ValidationError("--side", fmt::format("found '{}', expected NAME=DIR", printable(text)));
    const std::string name = text.substr(0, sign), folder = text.substr(sign + 1);
    const auto found = std::ranges::find(sides, name, &NamedFolders::name);
    (found == sides.end() ? sides.emplace_back(NamedFolders{name, {}}) : *found).folders.push_back(folder);
}

void checkSideOptions(const CompareOptions& options)
{
    const bool two = !options.baseline.empty() || !options.candidate.empty();
    if (!options.sides.empty() && two) throw CLI::ExcludesError("--side", "--baseline and --candidate");
    if (options.sides.empty() && options.baseline.empty()) throw CLI::RequiredError("--baseline");
    if (options.sides.empty() && options.candidate.empty()) throw CLI::RequiredError("--candidate");
    if (!options.sides.empty() && (options.sides.size() < kLeastSides || options.sides.size() > kMostSides))
        throw CLI::ValidationError("--side", fmt::format("found {} names, expected {} to {}: --baseline and "
                                                         "--candidate compare two",
                                                         options.sides.size(), kLeastSides, kMostSides));
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
                        c.pairs > 0 ? " of " + counted(c.pairs, "pair") : ", runs are no pairs", c.marginPercent,
                        marginText(c.marginPercent));
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

void addVerdictOptions(CLI::App& command, ComparisonOptions& comparison, VerdictOutput& output)
{
    command.add_option("--html", output.html, "write the comparison as a page")->type_name("FILE");
    command
        .add_option("--metric", comparison.metrics,
                    fmt::format("what to compare; may be repeated ({})", fmt::join(usualMetricNames(), ", ")))
        ->allow_extra_args(false)
        ->check(CLI::Validator(checkMetric, ""))
        ->type_name("NAME");
    command
        .add_option("--margin", comparison.marginPercent,
                    fmt::format("ratios within this much of 1 are equivalent ({:g})", kDefaultMarginPercent))
        ->check(realIn(0.01, 100))
        ->type_name("PERCENT");
    CLI::Option* format = command
                              .add_option("--format", output.format,
                                          "format of the output: text, html, json, markdown, junit, github (text)")
                              ->check(CLI::IsMember({"text", "html", "json", "markdown", "junit", "github"}));
    command.add_option("--out", output.out, "write the output to a file")->type_name("FILE");
    command.add_flag("--json", output.json, "one JSON object: --format json")->excludes(format);
}

Status checkVerdictFiles(const VerdictOutput& output, const std::vector<std::string>& read)
{
    for (const std::string& file : {output.html, output.out})
        if (!file.empty())
            if (Status s = checkOutputFile(file, read, Existing::kReplace); !s) return s;
    if (!output.out.empty() && !output.html.empty() && nameOneFile(output.out, output.html))
        return Error{ExitCode::kUsage, "--out and --html: found one file for both, expected two"};
    return Status::ok();
}

Status writeVerdict(const VerdictOutput& output, const ComparedFolders& compared, double milliseconds,
                    const std::string& page)
{
    const std::string own = output.html.empty() || !page.empty() ? page : compared.html();
    return writeBoth(output, own, formatted(formatOf(output), compared, milliseconds));
}

void addCompareCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("compare", "whether one side's captures are slower than the other's");
    const auto options = std::make_shared<CompareOptions>();
    command->add_option("--baseline", options->baseline, "captures to compare with")->type_name("DIR");
    command->add_option("--candidate", options->candidate, "captures to judge")->type_name("DIR");
    command
        ->add_option_function<std::vector<std::string>>(
            "--side",
            [options](const std::vector<std::string>& sides) {
                for (const std::string& side : sides)
                    addSide(options->sides, side);
            },
            "three to six named sides; the first name is the baseline; may be repeated")
        ->allow_extra_args(false)
        ->type_name("NAME=DIR");
    addVerdictOptions(*command, options->comparison, options->output);
    command->callback([options, &chosen] {
        checkSideOptions(*options);
        chosen = [options] { return runCompare(*options); };
    });
}

}  // namespace orogen::app
