// orogen capture: writes a frame-time report for one side (a set of settings), or for two sides whose runs alternate
// and are compared.  orogen report finishes the report of a capture that was killed.
#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/base/process.h"
#include "app/cli/command.h"
#include "app/session/captures/capture_controller.h"
#include "app/session/session_options.h"
#include "app/viewer.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/config_file.h"
#include "core/frames/capture/capture_files.h"
#include "core/frames/capture/capture_recorder.h"
#include "core/frames/report/report.h"
#include "core/frames/report/report_json.h"

namespace orogen::app {
namespace {

struct CaptureOptions
{
    SessionOptions view;
    CaptureRequest request;
    std::vector<std::string> interleave;  // settings files of both sides; empty: one side
    bool pathGiven = false;
    bool json = false;
};

// Returns the settings of each side: `base`, changed by the side's file.
Result<std::vector<CaptureSide>> sidesOf(const std::vector<std::string>& files, const Settings& base)
{
    std::vector<CaptureSide> sides;
    for (const std::string& file : files)
    {
        CaptureSide side{sides.empty() ? "a" : "b", base};
        const Result<std::string> text = readSettingsFile(file, interrupted);
        if (!text) return text.error();
        std::vector<std::string> notices;
        if (Status s = settingsFromJson(side.settings, *text, file, &notices); !s) return s.error();
        for (const std::string& notice : notices)
            tell(notice);
        if (Status s = checkSettings(side.settings); !s) return s.error();
        sides.push_back(std::move(side));
    }
    return sides;
}

// Returns the summary of a capture.  `alone`: the capture has no second side.  With two sides, their comparison reports
// the noise instead.
std::string textOf(const FinishedCapture& capture, bool alone)
{
    const FrameReport& report = capture.report;
    std::string text = printable(capture.folder) + "/report.html\n";
    for (const ReportFigure& figure : figuresOf(report))
        text += fmt::format("  {:18} {}{}\n", figure.name, figure.value,
                            figure.reason.empty() ? "" : "  (" + figure.reason + ')');
    for (const std::string& warning : alone ? noiseWarnings(report) : std::vector<std::string>())
        text += "  noisy: " + printable(warning) + '\n';
    if (alone && report.runsPlanned == 1)
        text += "  one run: no comparison can give a verdict with it; two runs can, eight are usual (--runs 8)\n";
    if (report.conforming) text += fmt::format("  {:18} {}\n", "Conforming", *report.conforming ? "yes" : "NO");
    if (report.interrupted) text += "  interrupted: frames or runs are missing\n";
    if (report.unsettled) text += "  unsettled: warm-up ended before the tree was stable\n";
    if (const std::string until = untilSentence(report); !until.empty()) text += "  until: " + until + '\n';
    if (report.discardedRuns > 0) text += "  discarded: " + counted(report.discardedRuns, "throttled run") + '\n';
    if (const std::string throttle = throttleSentence(report.statistics); !throttle.empty())
        text += "  throttled: " + throttle + '\n';
    if (const std::string tiles = tilesSentence(report); !tiles.empty()) text += "  tiles: " + tiles + '\n';
    if (report.panels) text += "  panels: drawn in every frame, and part of its times\n";
    if (report.metadata.gpuTimer != GpuTimer::kHardware)
        text += fmt::format("  {:18} {}: {}\n", "GPU timer", textOf(report.metadata.gpuTimer),
                            meaningOf(report.metadata.gpuTimer));
    return text;
}

std::string jsonOf(const std::vector<FinishedCapture>& captures, const std::optional<ShownComparison>& comparison)
{
    if (captures.size() == 1) return reportToJson(captures.front().report);
    Json both;
    for (std::size_t i = 0; i < captures.size(); ++i)
        both[i == 0 ? "a" : "b"] = Json::parse(reportToJson(captures[i].report));
    if (comparison && comparison->comparison)
        both["comparison"] = Json::parse(comparisonToJson(*comparison->comparison, 0));
    return both.dump(2) + '\n';
}

void printText(const std::vector<FinishedCapture>& captures, const std::optional<ShownComparison>& comparison)
{
    if (comparison && comparison->comparison)
        print(comparisonText(*comparison->comparison) + '\n' + printable(comparison->request.page) + "\n\n");
    else if (comparison)
        print("not compared: " + printable(comparison->error) + "\n\n");
    for (const FinishedCapture& capture : captures)
        print(textOf(capture, captures.size() == 1));
}

Result<ExitCode> runCapture(CaptureOptions options)
{
    if (!options.request.force)  // early, before any work; checked again when the capture begins
        if (const Status status = capture_files::checkFolder(options.request.folder); !status) return status.error();
    if (Status status = openScene(options.view); !status) return status.error();
    if (options.view.scenePath && !options.pathGiven) options.request.path.clear();  // empty: use the scene's own path
    Result<std::unique_ptr<Viewer>> viewer = Viewer::create(options.view);
    if (!viewer) return viewer.error();
    Result<std::vector<CaptureSide>> sides = sidesOf(options.interleave, (*viewer)->settings());
    if (!sides) return sides.error();
    options.request.sides = std::move(*sides);
    const Result<std::vector<FinishedCapture>> captures = (*viewer)->capture(options.request);
    if (!captures) return captures.error();
    const std::optional<ShownComparison>& comparison = (*viewer)->comparison();
    if (options.json)
        print(jsonOf(*captures, comparison));
    else
        printText(*captures, comparison);
    // Both captures are on disk already, whatever the comparison finds.  A slower side is not an error, but failing to
    // write the comparison is one.
    if (comparison && comparison->comparison && !comparison->error.empty())
        return Error{ExitCode::kOutput, comparison->error};
    const bool broken = std::ranges::any_of(*captures, [](const FinishedCapture& c) {
        const bool throttled = c.report.discardedRuns > 0 && c.report.interrupted;  // too few runs were left
        return throttled || c.report.conforming == std::optional(false);
    });
    return broken ? ExitCode::kNo : ExitCode::kDone;
}

CLI::Validator countIn(std::uint64_t low, std::uint64_t high)
{
    return CLI::Range(std::int64_t(low), std::int64_t(high));
}

void addPlanOptions(CLI::App& command, CaptureOptions& options)
{
    CaptureRequest& request = options.request;
    command.add_option("--out", request.folder, "folder that gets the report")->type_name("DIR")->required();
    command
        .add_option("--path", request.path,
                    "camera path: overview, ridge, spot or a file (the scene's, else overview; of the Earth: "
                    "around)")
        ->type_name("FILE");
    command.add_option("--frames", request.frames, "measured frames a run (1200)")
        ->check(countIn(1, kMostCaptureFrames))
        ->type_name("N");
    command.add_option("--warmup", request.warmup, "minimum frames before; until the tree is stable (60)")
        ->check(countIn(0, kMostCaptureFrames))
        ->type_name("N");
    command.add_option("--runs", request.runs, "runs, of each side (1)")
        ->check(countIn(1, kMostCaptureRuns))
        ->type_name("K");
    command
        .add_option("--until", request.untilPercent,
                    "go on until the 95 % interval of the median is within this much; --runs: the least number (5)")
        ->check(realIn(0.1, 50))
        ->type_name("PERCENT");
    command
        .add_option("--max-runs", request.maxRuns, "most runs of each side, with --until or --discard-throttled (20)")
        ->check(countIn(1, kMostCaptureRuns))
        ->type_name("K");
    command.add_flag("--discard-throttled", request.discardThrottled, "repeat runs in which a clock was lowered");
    CLI::Option* interleave =
        command
            .add_option(
                "--interleave", options.interleave,
                "two settings files: two sides in DIR/a and DIR/b, whose runs take turns A B B A; they are compared, "
                "in DIR/compare.html")
            ->expected(2)
            ->type_name("A.json B.json");
    command
        .add_option_function<std::vector<std::string>>(
            "--export",
            [&request](const std::vector<std::string>& tools) {
                request.mangohud = std::ranges::find(tools, "mangohud") != tools.end();
                request.presentmon = std::ranges::find(tools, "presentmon") != tools.end();
            },
            "also write each run for other tools: mangohud or presentmon; may be repeated")
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"mangohud", "presentmon"}))
        ->type_name("mangohud/presentmon");
    command.add_option("--trace", request.trace, "write a trace of all runs (Chrome's Trace Event Format)")
        ->type_name("FILE");
    command
        .add_option(
            "--margin", request.marginPercent,
            fmt::format("with --interleave: ratios within this much of 1 are equivalent ({:g})", kDefaultMarginPercent))
        ->check(realIn(0.01, 100))
        ->needs(interleave)
        ->type_name("PERCENT");
    command.add_flag("--force", request.force, "allow a folder that holds more than an earlier capture");
    command.add_flag("--settled", request.settled,
                     "of a terrain in tiles: wait for each frame's tiles, outside the measured time");
    command.add_flag("--panels", request.panels, "draw the panels, too: they become part of every frame's time");
    command.add_flag("--validate", request.validate, "validate every frame's mesh on the GPU");
}

void addViewerOptions(CLI::App& command, CaptureOptions& options)
{
    SessionOptions& view = options.view;
    addFlightInputs(command, view);
    CLI::Option* headless = command.add_flag("--headless", view.headless, "no window (where there is no display)");
    command.add_flag("--window", options.view.needsWindow, "fail without a window")->excludes(headless);
    command.add_flag("--json", options.json, "one JSON object: what report.json holds");
}

// ---- report ---------------------------------------------------------------------------------------------------------

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

// Returns the unfinished sides of `capture --interleave` in a folder, and the folder itself if it is unfinished or has
// no such side.
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
        text += fmt::format("  {}: {} of {}{}\n", run.file, counted(run.statistics.frames, "measured frame"),
                            grouped(recovered.report.framesPlanned), run.interrupted ? ", interrupted" : "");
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
    print(options.json ? json.dump(2) + '\n' : text);
    return ExitCode::kDone;
}

}  // namespace

void addCaptureCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("capture", "write a frame-time report along a camera path");
    const auto options = std::make_shared<CaptureOptions>();
    options->view.capture = true;
    options->view.vsync = false;
    addPlanOptions(*command, *options);
    addViewerOptions(*command, *options);
    command->callback([options, command, &chosen] {
        options->view.sizeGiven = command->count("--size") > 0;
        options->pathGiven = command->count("--path") > 0;
        CaptureRequest& request = options->request;
        const bool runsGiven = command->count("--runs") > 0;
        if (request.untilPercent > 0 && !runsGiven) request.runs = kLeastUntilRuns;
        const bool mostGiven = command->count("--max-runs") > 0;
        if (mostGiven && request.untilPercent == 0 && !request.discardThrottled)
            throw CLI::RequiresError("--max-runs", "--until or --discard-throttled");
        if ((request.untilPercent > 0 || request.discardThrottled) && request.maxRuns < request.runs)
            throw CLI::ValidationError("--max-runs",
                                       fmt::format("{} {}, expected at least the {} of {}",
                                                   mostGiven ? "found" : "the default is", request.maxRuns,
                                                   request.runs, runsGiven ? "--runs" : "--until"));
        if (!options->pathGiven && options->view.world() == World::kEarth) options->request.path = kEarthPath;
        chosen = [options] { return runCapture(*options); };
    });
}

void addReportCommand(CLI::App& root, Command& chosen)
{
    CLI::App* command = root.add_subcommand("report", "finishes the report of a capture that was killed");
    const auto options = std::make_shared<ReportOptions>();
    command->add_option("--recover", options->recover, "the capture's folder")->required()->type_name("DIR");
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &chosen] { chosen = [options] { return runRecover(*options); }; });
}

}  // namespace orogen::app
