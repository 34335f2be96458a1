// orogen baseline: stores captures, compares a capture with the newest stored one, and draws the trend of all.
#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/output.h"
#include "app/base/process.h"
#include "app/cli/command.h"
#include "core/base/atomic_file.h"
#include "core/base/clock.h"
#include "core/base/folder_listing.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/frames/baseline/baseline_store.h"
#include "core/frames/pages/html_text.h"
#include "core/frames/statistics/statistics.h"

namespace orogen::app {
namespace {

struct BaselineOptions
{
    std::string folder;  // folder of the capture
    std::string name, store;
    std::uint64_t keep = 10;
    std::string html;
    bool json = false;
    ComparisonOptions comparison;
    VerdictOutput output;
};

Result<std::string> storeOf(const BaselineOptions& options)
{
    if (!options.store.empty()) return options.store;
    const std::string data = defaultDataFolder();
    if (data.empty())
        return Error{ExitCode::kUsage, "baseline: found no data folder (XDG_DATA_HOME, HOME), expected --store DIR"};
    return data + "/baselines";
}

Json toJson(const Baseline& baseline)
{
    const FrameReport& report = baseline.capture.report;
    const std::vector<TrendPoint> trend = trendOf(std::span(&baseline, 1));
    return {{"file", baseline.file},
            {"name", baseline.series.name},
            {"machine", baseline.series.machine},
            {"scene", baseline.series.scene},
            {"commit", report.metadata.commit ? Json(*report.metadata.commit) : Json()},
            {"created", report.metadata.created},
            {"runs", report.runs.size()},
            {"median_ms", trend.empty() ? Json() : Json(trend.front().median)}};
}

std::string lineOf(const Baseline& baseline)
{
    const FrameReport& report = baseline.capture.report;
    const ReportMetadata& m = report.metadata;
    const std::vector<TrendPoint> trend = trendOf(std::span(&baseline, 1));
    return printable(fmt::format("{}  {} {}  {}  {}  {} run{}  {}  {}, {}", baseline.series.name,
                                 baseline.series.machine, baseline.series.scene,
                                 m.commit.value_or("unknown").substr(0, 8), m.created, report.runs.size(),
                                 report.runs.size() == 1 ? "" : "s",
                                 trend.empty() ? "no median" : figureText(trend.front().median) + " ms", m.heightmap,
                                 m.pathName.value_or("unknown path"))) +
           '\n';
}

Result<ExitCode> runAdd(const BaselineOptions& options)
{
    const Result<std::string> store = storeOf(options);
    if (!store) return store.error();
    const Result<Capture> capture = readCapture(options.folder);
    if (!capture) return capture.error();
    const Result<std::string> file = addBaseline(*store, options.name, *capture);
    if (!file) return file.error();
    const BaselineSeries series = seriesOf(options.name, capture->report);
    const Json json = {{"file", *file},
                       {"series", {{"name", series.name}, {"machine", series.machine}, {"scene", series.scene}}}};
    print(options.json ? json.dump(2) + '\n' : printable(*file) + '\n');
    return ExitCode::kDone;
}

Result<ExitCode> runList(const BaselineOptions& options)
{
    const Result<std::string> store = storeOf(options);
    if (!store) return store.error();
    if (!options.html.empty())
        if (Status s = checkOutputFile(options.html, std::vector{*store}, Existing::kReplace); !s) return s.error();
    const Result<std::vector<Baseline>> baselines = readBaselines(*store, {.name = options.name}, interrupted);
    if (const std::optional<Error> stop = interruption()) return *stop;
    if (!baselines) return baselines.error();
    if (!options.html.empty())
        if (Status s = writeFileAtomically(options.html, trendPage(*baselines)); !s) return s.error();
    Json list = Json::array();
    std::string text;
    for (const Baseline& baseline : *baselines)
    {
        list.push_back(toJson(baseline));
        text += lineOf(baseline);
    }
    if (baselines->empty())
        tell(fmt::format("{}: found no baseline{}", *store, options.name.empty() ? "" : " of " + options.name));
    const Json json = {{"baselines", list}};
    print(options.json ? json.dump(2) + '\n' : text);
    return ExitCode::kDone;
}

// Returns the page of the comparison with the trend, which ends with the candidate.
std::string pageOf(const ComparedFolders& compared, std::vector<Baseline> series, const Capture& candidate)
{
    series.push_back({candidate.folder, series.front().series, candidate});
    std::string page = compared.html();
    const std::size_t end = page.rfind("</body>");
    return end == page.npos ? page : page.insert(end, trendSection(series));
}

Result<ExitCode> runBaselineCompare(const BaselineOptions& options)
{
    const Clock::time_point start = Clock::now();
    const Result<std::string> store = storeOf(options);
    if (!store) return store.error();
    if (Status s = checkVerdictFiles(options.output, {*store, options.folder}); !s) return s.error();
    Result<Capture> candidate = readCapture(options.folder);
    if (!candidate) return candidate.error();
    const BaselineSeries wanted = seriesOf(options.name, candidate->report);
    Result<std::vector<Baseline>> series =
        readBaselines(*store, {wanted.name, wanted.machine, wanted.scene}, interrupted);
    if (const std::optional<Error> stop = interruption()) return *stop;
    if (!series) return series.error();
    std::erase_if(*series, [&](const Baseline& b) { return sameCapture(b.capture, *candidate); });
    if (series->empty())
        return Error{ExitCode::kInput,
                     fmt::format("{}: found no other baseline of {} for machine {} and scene {}, expected one (orogen "
                                 "baseline add)",
                                 *store, wanted.name, wanted.machine, wanted.scene)};
    ComparedFolders compared;
    compared.baseline.push_back(series->back().capture);
    compared.candidate.push_back(std::move(*candidate));
    Result<Comparison> comparison = compareCaptures(compared.baseline, compared.candidate, options.comparison);
    if (!comparison) return comparison.error();
    compared.comparison = std::move(*comparison);
    const std::string page =
        options.output.html.empty() ? std::string() : pageOf(compared, *series, compared.candidate.front());
    if (Status s = writeVerdict(options.output, compared, millisecondsSince(start), page); !s) return s.error();
    return compared.comparison.anySlower() ? ExitCode::kNo : ExitCode::kDone;
}

Result<ExitCode> runPrune(const BaselineOptions& options)
{
    const Result<std::string> store = storeOf(options);
    if (!store) return store.error();
    const Result<std::vector<std::string>> removed = pruneBaselines(*store, {.name = options.name}, options.keep);
    if (!removed) return removed.error();
    const Json json = {{"removed", *removed}};
    std::string text;
    for (const std::string& file : *removed)
        text += printable(file) + '\n';
    print(options.json ? json.dump(2) + '\n' : text);
    return ExitCode::kDone;
}

// Adds a command with --store and --name.  `named`: --name is required.
CLI::App* addOne(CLI::App& root, const char* name, const char* what, BaselineOptions& options, bool named)
{
    CLI::App* command = root.add_subcommand(name, what);
    command->add_option("--store", options.store, "the store (baselines in the data folder)")->type_name("DIR");
    CLI::Option* option =
        command->add_option("--name", options.name, named ? "name of the series" : "one name alone (all)");
    option->type_name("NAME")->check(CLI::Validator(
        [](const std::string& text) {
            return isBaselineName(text) ? std::string()
                                        : fmt::format("found '{}', expected 1 to {} letters, digits, '.', '_' or '-', "
                                                      "the first a letter or a digit",
                                                      printable(text), kLongestBaselineName);
        },
        ""));
    if (named) option->required();
    return command;
}

}  // namespace

void addBaselineCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("baseline", "captures in a store, to compare later ones with");
    command->require_subcommand(1);
    const auto add = std::make_shared<BaselineOptions>(), list = std::make_shared<BaselineOptions>(),
               compare = std::make_shared<BaselineOptions>(), prune = std::make_shared<BaselineOptions>();

    CLI::App* one = addOne(*command, "add", "copy a capture into the store", *add, true);
    one->add_option("DIR", add->folder, "the capture")->required();
    one->add_flag("--json", add->json, "one JSON object");
    one->callback([add, &chosen] { chosen = [add] { return runAdd(*add); }; });

    one = addOne(*command, "list", "list the store, and draw its trend", *list, false);
    one->add_option("--html", list->html, "write the trend as a page")->type_name("FILE");
    one->add_flag("--json", list->json, "one JSON object");
    one->callback([list, &chosen] { chosen = [list] { return runList(*list); }; });

    one = addOne(*command, "compare", "compare a capture with the newest baseline", *compare, true);
    one->add_option("DIR", compare->folder, "the capture")->required();
    addVerdictOptions(*one, compare->comparison, compare->output);
    one->callback([compare, &chosen] { chosen = [compare] { return runBaselineCompare(*compare); }; });

    one = addOne(*command, "prune", "remove older captures from the store", *prune, false);
    one->add_option("--keep", prune->keep, "newest files of each series to leave (10)")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(100'000)))
        ->type_name("K");
    one->add_flag("--json", prune->json, "one JSON object");
    one->callback([prune, &chosen] { chosen = [prune] { return runPrune(*prune); }; });
}

}  // namespace orogen::app
