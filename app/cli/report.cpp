#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "core/base/terminal_text.h"
#include "core/frames/capture/capture_recorder.h"

namespace orogen::app {
namespace {

using Json = nlohmann::ordered_json;

struct ReportOptions
{
    std::string recover;
    bool json = false;
};

struct Recovered
{
    std::string folder;
    FrameReport report;
};

// Returns the folder itself, or the unfinished sides of `capture --interleave` in it.
std::vector<std::string> capturesToRecover(const std::string& folder)
{
    std::vector<std::string> sides;
    for (const char* side : {"/a", "/b"})
        if (isUnfinished(folder + side)) sides.push_back(folder + side);
    if (sides.empty() || isUnfinished(folder)) sides.insert(sides.begin(), folder);
    return sides;
}

Json toJson(const Recovered& recovered)
{
    Json runs = Json::array();
    for (const ReportRun& run : recovered.report.runs)
        runs.push_back({{"file", run.file},
                        {"rows", run.rows},
                        {"frames", run.statistics.frames},
                        {"interrupted", run.interrupted}});
    return {{"folder", recovered.folder},
            {"report", recovered.folder + "/report.json"},
            {"frames", recovered.report.statistics.frames},
            {"frames_planned", recovered.report.framesPlanned},
            {"runs_planned", recovered.report.runsPlanned},
            {"interrupted", recovered.report.interrupted},
            {"runs", runs}};
}

std::string textOf(const Recovered& recovered)
{
    std::string text = printable(recovered.folder) + ": finished\n";
    for (const ReportRun& run : recovered.report.runs)
        text += fmt::format("  {}: {} measured frames of {}{}\n", run.file, run.statistics.frames,
                            recovered.report.framesPlanned, run.interrupted ? ", interrupted" : "");
    if (recovered.report.runs.empty()) text += "  no frame was kept\n";
    return text + printable(fmt::format("  {}/report.html", recovered.folder)) + '\n';
}

Result<ExitCode> runRecover(const ReportOptions& options)
{
    Json captures = Json::array();
    std::string text;
    for (const std::string& folder : capturesToRecover(options.recover))
    {
        Result<FrameReport> report = recoverCapture(folder);
        if (!report) return report.error();
        const Recovered recovered = {folder, std::move(*report)};
        captures.push_back(toJson(recovered));
        text += textOf(recovered);
    }
    const Json json = {{"captures", captures}};
    print(options.json ? json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n' : text);
    return ExitCode::kDone;
}

}  // namespace

void addReportCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("report", "finishes the report of a capture that was killed");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("--recover", options->recover, "the capture's folder")->required()->type_name("DIR");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runRecover(*options); }; });
}

}  // namespace orogen::app
