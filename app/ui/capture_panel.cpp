// The Capture panel (frame-time captures, sweeps, comparisons of reports), and the View panel's section for films.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/base/output.h"
#include "app/model/format.h"
#include "app/ui/dock_columns.h"
#include "app/ui/panels.h"
#include "app/ui/words.h"
#include "core/base/text.h"
#include "core/frames/report/report.h"
#include "core/frames/statistics/statistics.h"

namespace orogen::app {
namespace {

// Returns why no capture can begin; empty if one can.
std::string_view whyNoCapture(const UiModel& model)
{
    if (!model.captures) return "Captures are not available here.";
    return model.captures->running ? "A capture is running." : whyNoTerrain(model);
}

// ---- sweep ----

// Returns a small sweep around the current settings: up to two depths, and up to three thresholds at factors of two.
SweepRequest smallGrid(const Panel& panel)
{
    const Settings& settings = panel.actions.settings;
    const bool byError = settings.lod.criterion == LodCriterion::kError;
    const SettingInfo& depth = *findSetting(depthKey(settings.world));
    const SettingInfo& pixels = *findSetting(byError ? "lod.error_pixels" : "lod.split_pixels");
    SweepRequest request;
    request.path = panel.state.capture.request.path;
    request.threshold = byError ? SweptThreshold::kErrorPixels : SweptThreshold::kSplitPixels;
    request.depths = {std::max(settings.treeDepth() - 4, int(depth.minimum)), settings.treeDepth()};
    const double middle = double(byError ? settings.lod.errorPixels : settings.lod.splitPixels);
    for (const double factor : {0.5, 1.0, 2.0})
        request.pixels.push_back(std::clamp(std::round(100 * middle * factor) / 100, pixels.minimum, pixels.maximum));
    const auto once = [](auto& values) { values.erase(std::unique(values.begin(), values.end()), values.end()); };
    once(request.depths);
    once(request.pixels);
    return request;
}

// Describes the points of a sweep: "depth 20 and 24, split 3.5, 7 and 14 px".
std::string gridText(const SweepRequest& request)
{
    const auto listed = [](const auto& values) {
        std::string text;
        for (std::size_t i = 0; i < values.size(); ++i)
            text += fmt::format("{}{}", i == 0 ? "" : i + 1 == values.size() ? " and " : ", ", values[i]);
        return text;
    };
    const bool byError = request.threshold == SweptThreshold::kErrorPixels;
    return fmt::format("depth {}, {} {} px", listed(request.depths), byError ? "error" : "split",
                       listed(request.pixels));
}

void progress(const Panel& panel, const SweepProgress& at)
{
    textLine(panel.theme.dim, at.folder, true);
    valueRow(panel, fmt::format("point {} of {}", std::min(at.done + 1, at.todo), at.todo), at.point);
    percentBar(at.fraction);
    if (at.secondsLeft) valueRow(panel, "time left", durationText(*at.secondsLeft));
    panel.actions.stopSweep |=
        button(panel, "stop_sweep", "Ends it now. Points that are done are kept: orogen sweep goes on with them.",
               buttonWidth(panel, 1));
}

void load(const Panel& panel, const SweepPlan& plan, const SweepPoint& point)
{
    for (const std::string& setting : settingsOf(plan, point))
        applySetting(panel, setting.substr(0, setting.find('=')), setting.substr(setting.find('=') + 1));
}

std::string figure(const std::optional<double>& value, int decimals, const std::string& none)
{
    return value ? fmt::format("{:.{}f}", *value, decimals) : none;
}

void pointList(const Panel& panel, const SweepPlan& plan, const std::vector<SweepPoint>& points)
{
    if (!ImGui::BeginTable("points", 4)) return;
    for (const char* name : {"Point", "ms", "Triangles", "p99 px"})
        ImGui::TableSetupColumn(name, ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableHeadersRow();
    for (const SweepPoint& point : points)
    {
        if (!point.frameMsP50) continue;
        const std::string name = pointName(plan, point).substr(6);  // strips "point-"
        ImGui::TableNextColumn();
        if (point.pareto == true) ImGui::PushStyleColor(ImGuiCol_Text, panel.theme.good);
        if (ImGui::Selectable(name.c_str())) load(panel, plan, point);
        if (point.pareto == true) ImGui::PopStyleColor();
        panel.items.add(panel.name, "points/" + name);
        if (ImGui::IsItemHovered())
            noteHover(panel, "points/" + name,
                      fmt::format("Depth {}, lod.{} {}{}: a click takes these settings.", point.depth,
                                  keyOf(plan.threshold), point.pixels,
                                  point.pareto == true ? ", on the Pareto front" : ""));
        for (const std::string& value :
             {figure(point.frameMsP50, 2, panel.theme.notMeasured),
              point.trianglesMean ? grouped(std::uint64_t(std::llround(*point.trianglesMean)))
                                  : panel.theme.notMeasured,
              figure(point.errorPxP99, 2, panel.theme.notMeasured)})
        {
            ImGui::TableNextColumn();
            textLine(panel.theme.text, value);
        }
    }
    ImGui::EndTable();
}

void drawSweepSection(const Panel& panel)
{
    const std::optional<SweepState>& sweeps = panel.model.sweeps;
    if (!sweeps) return;
    section(panel, "sweep");
    if (panel.model.sweep)
        progress(panel, *panel.model.sweep);
    else
    {
        SweepRequest request = smallGrid(panel);
        const std::uint64_t points = request.depths.size() * request.pixels.size();
        textLine(panel.theme.dim, counted(points, "flight") + ": " + gridText(request), true);
        textLine(panel.theme.dim, estimateText(panel.model, points * (kSweepWarmup + request.frames)), true);
        const Disabled disabled(panel, whyNoCapture(panel.model));
        if (button(panel, "sweep",
                   "Flies the path once for each depth with each threshold, around the settings as they are, to see "
                   "what accuracy costs in time and triangles.",
                   buttonWidth(panel, 1)))
        {
            request.folder = newSweepFolder();
            panel.actions.sweep = request;
        }
    }
    if (sweeps->points->empty()) return;
    if (!panel.model.sweep) textLine(panel.theme.dim, sweeps->folder + "/sweep.html", true);
    pointList(panel, *sweeps->plan, *sweeps->points);
}

// ---- capture ----

constexpr const char* kOwnPath = "current";  // scripts' name for the path of the View panel

void pathRow(const Panel& panel)
{
    std::string& path = panel.state.capture.request.path;
    const PathState& own = panel.model.path;
    beginRow(panel, "path");
    const auto shown = [&own](const std::string& name) {
        return !name.empty() ? inWords(name) : own.name.empty() ? "The one in View" : own.name;
    };
    const std::string flown = pathIn(panel.actions.settings.world, path);
    if (ImGui::BeginCombo("##value", shown(flown).c_str()))
    {
        for (const std::string& name : own.shipped)
        {
            if (ImGui::Selectable(shown(name).c_str(), name == flown)) path = name;
            panel.items.add(panel.name, "path/" + name);
        }
        if (own.present)
        {
            if (ImGui::Selectable(shown("").c_str(), path.empty())) path.clear();
            panel.items.add(panel.name, std::string("path/") + kOwnPath);
        }
        ImGui::EndCombo();
    }
    endItem(panel, "path",
            "The camera path, repeated as often as the frames need. The one that was recorded or loaded "
            "in the View panel can be chosen, too.");
}

// Returns a line for each setting, except the camera's, that differs between side A and side B (the current settings).
std::vector<std::string> differences(const Settings& a, const Settings& b)
{
    std::vector<std::string> lines;
    for (const SettingInfo& info : settingTable())
    {
        if (info.key.starts_with("view.")) continue;
        if (settingText(a, info.key) == settingText(b, info.key)) continue;
        lines.push_back(fmt::format("{}: A {}, B {}", settingLabel(info), valueWords(info, a), valueWords(info, b)));
    }
    return lines;
}

void sideRows(const Panel& panel)
{
    std::optional<Settings>& sideA = panel.state.capture.sideA;
    if (button(panel, sideA ? "forget_a" : "hold_a",
               sideA ? "Forgets side A: one side is captured, with the settings as they are."
                     : "Keeps the settings as they are as side A. Change some, and capture: runs with A "
                       "and with the changed settings, B, take turns and are compared.",
               buttonWidth(panel, 1)))
    {
        if (sideA)
            sideA.reset();
        else
            sideA = panel.actions.settings;
    }
    if (!sideA) return;
    const std::vector<std::string> lines = differences(*sideA, panel.actions.settings);
    if (lines.empty()) textLine(panel.theme.dim, "A is held; nothing differs yet", true);
    for (const std::string& line : lines)
        textLine(panel.theme.text, line, true);
    if (button(panel, "show_both", "Shows A and B side by side, with a divider that can be dragged.",
               buttonWidth(panel, 1)))
        panel.actions.split.open = *sideA;
}

void fields(const Panel& panel)
{
    CaptureRequest& request = panel.state.capture.request;
    pathRow(panel);
    countRow(panel, "frames", request.frames, 1, kMostCaptureFrames,
             "Measured frames of a run (--frames; default 1,200).");
    countRow(panel, "warmup", request.warmup, 0, 100'000,
             "Least number of frames before the measured ones; more follow until the tree is stable (--warmup; "
             "default 60).");
    countRow(panel, "runs", request.runs, 1, kMostCaptureRuns,
             "Runs of each side (--runs; default 1). A verdict needs several: the run is the unit that is compared.");
    if (request.runs == 1)
        textLine(panel.state.capture.sideA ? panel.theme.warning : panel.theme.dim,
                 "One run can never give a verdict: two of each side can, eight are usual", true);
    sideRows(panel);
    if (const Disabled disabled(panel, whyNoCapture(panel.model));
        button(panel, "start", "Captures. Settings, view and terrain stay as they are until it is done. (F8)",
               buttonWidth(panel, 1)))
        toggleCapture(panel.state, panel.model, panel.actions);
    const std::uint64_t sides = panel.state.capture.sideA ? 2 : 1;
    textLine(panel.theme.dim, estimateText(panel.model, sides * request.runs * (request.warmup + request.frames)),
             true);
}

void progress(const Panel& panel, const CaptureProgress& at)
{
    textLine(panel.theme.dim, at.folder, true);
    const std::string side = at.side.empty() ? "" : fmt::format(", side {}", at.side == "a" ? "A" : "B");
    valueRow(panel, fmt::format("run {} of {}{}", at.run, at.runs, side),
             at.warmingUp ? fmt::format("warm-up {}", at.warmupFrames) : fmt::format("{} of {}", at.frame, at.frames));
    // All rows exist from the first frame on: panels are rarely redrawn during a capture, and Stop must not move.
    const std::string& unknown = panel.theme.notMeasured;
    valueRow(panel, "rate", at.framesASecond ? fmt::format("{:.1f} fps", *at.framesASecond) : unknown);
    valueRow(panel, "time left", at.secondsLeft ? durationText(*at.secondsLeft) : unknown);
    percentBar(at.fraction());
    if (!panel.model.captures->panels)
        textLine(panel.theme.dim, "Captured frames have no panels: this one is redrawn rarely, the window title often",
                 true);
    panel.actions.stopCapture |=
        button(panel, "stop", "Ends it now; the report holds what was captured. (F8)", buttonWidth(panel, 1));
}

void unfinished(const Panel& panel)
{
    const std::vector<std::string>& folders = *panel.model.captures->unfinished;
    if (folders.empty()) return;
    section(panel, "not finished");
    textLine(panel.theme.warning,
             folders.size() == 1 ? "A capture was cut off:" : fmt::format("{} captures were cut off:", folders.size()),
             true);
    textLine(panel.theme.text, folders.front(), true);
    if (button(panel, "recover", "Makes the report from the frames that reached the disk.", buttonWidth(panel, 1)))
        panel.actions.recover = folders.front();
}

void result(const Panel& panel, const FinishedCapture& capture)
{
    const FrameReport& report = capture.report;
    section(panel, "newest report");
    for (const ReportFigure& figure : figuresOf(report))
        valueRow(panel, figure.name, figure.value == kNoFigure ? panel.theme.notMeasured : figure.value, std::nullopt,
                 sentenceText(figure.reason));
    if (report.interrupted) textLine(panel.theme.warning, "Interrupted: frames or runs are missing", true);
    if (report.unsettled) textLine(panel.theme.warning, "Unsettled: the tree was not stable after the warm-up", true);
    for (const std::string& warning : noiseWarnings(report))
        textLine(panel.theme.warning, "Noisy: " + warning, true);
    if (report.metadata.gpuTimer == GpuTimer::kSoftware)
        textLine(panel.theme.warning, "No GPU timer in software: use the frame time", true);
    textLine(panel.theme.dim, capture.folder + "/report.html", true);
    if (button(panel, "copy", "Copies the path of the report's page.", buttonWidth(panel, 1), "Copy the page's path"))
        copyText(panel, absoluteDem(capture.folder + "/report.html"), "the page's path");
}

std::string leaf(const std::string& folder)
{
    const auto slash = folder.rfind('/');
    if (slash == folder.npos) return folder;
    const std::string last = folder.substr(slash + 1);
    if (last != "a" && last != "b") return last;
    return leaf(folder.substr(0, slash)) + '/' + last;
}

void baselineRow(const Panel& panel, const std::vector<FinishedCapture>& finished)
{
    int& chosen = panel.state.capture.baseline;
    const int last = int(finished.size()) - 2;
    if (chosen < 0 || chosen > last) chosen = last;
    beginRow(panel, "baseline");
    if (ImGui::BeginCombo("##value", leaf(finished[std::size_t(chosen)].folder).c_str()))
    {
        for (int i = 0; i <= last; ++i)
        {
            const std::string name = leaf(finished[std::size_t(i)].folder);
            if (ImGui::Selectable(name.c_str(), i == chosen)) chosen = i;
            panel.items.add(panel.name, "baseline/" + name);
        }
        ImGui::EndCombo();
    }
    endItem(panel, "baseline", "The capture that the newest one is compared with.");
    if (button(panel, "compare", "Compares the newest report with the baseline.", buttonWidth(panel, 1)))
        panel.actions.compare =
            ComparisonRequest{{finished[std::size_t(chosen)].folder}, {finished.back().folder}, kDefaultMarginPercent};
}

ImVec4 colourOf(const Theme& theme, Verdict verdict)
{
    switch (verdict)
    {
    case Verdict::kFaster:
        return theme.good;
    case Verdict::kSlower:
        return theme.error;
    case Verdict::kEquivalent:
        return theme.text;
    default:
        return theme.dim;
    }
}

std::string intervalText(const MetricComparison& metric)
{
    const std::optional<ShownInterval> interval = shownInterval(metric);
    return interval ? fmt::format("{} % interval of the change: {}", interval->percent, textOf(*interval))
                    : "one run a side: no interval";
}

void verdicts(const Panel& panel, const Comparison& comparison)
{
    if (!ImGui::BeginTable("verdicts", 3)) return;
    ImGui::TableSetupColumn("metric", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("change of time", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("verdict", ImGuiTableColumnFlags_WidthFixed);
    for (const MetricComparison& metric : comparison.metrics)
    {
        ImGui::TableNextColumn();
        textLine(panel.theme.dim, capitalised(metric.name));
        if (ImGui::IsItemHovered())
            noteHover(panel, metric.name,
                      fmt::format("{} and {} {}\n{}", figureText(metric.baseline), figureText(metric.candidate),
                                  metric.unit, intervalText(metric)));
        ImGui::TableNextColumn();
        textLine(panel.theme.text, changeText(metric));
        ImGui::TableNextColumn();
        textLine(colourOf(panel.theme, metric.verdict), std::string(textOf(metric.verdict)));
    }
    ImGui::EndTable();
}

void comparison(const Panel& panel, const ShownComparison& shown)
{
    section(panel, "compared");
    textLine(panel.theme.dim, leaf(shown.request.baseline.front()) + " and " + leaf(shown.request.candidate.front()),
             true);
    if (!shown.comparison)
    {
        textLine(panel.theme.error, shown.error, true);
        return;
    }
    const Comparison& c = *shown.comparison;
    textLine(c.first() ? colourOf(panel.theme, c.first()->verdict) : panel.theme.dim, sentenceOf(c), true);
    for (const std::string& line : c.noise)
        textLine(panel.theme.warning, "Noisy: " + line, true);
    if (!shown.error.empty()) textLine(panel.theme.error, shown.error, true);
    verdicts(panel, c);
    for (const SettingDifference& setting : c.settings)
        textLine(panel.theme.dim, fmt::format("{}: {} and {}", setting.key, setting.baseline, setting.candidate), true);
    if (c.trianglesRatio) valueRow(panel, "triangles, ratio", fmt::format("{:.4f}", *c.trianglesRatio));
    for (const std::string& note : c.notes)
        textLine(panel.theme.warning, sentenceText(note), true);
}

void results(const Panel& panel)
{
    const CapturesState& captures = *panel.model.captures;
    unfinished(panel);
    if (!captures.finished->empty()) result(panel, captures.finished->back());
    if (captures.finished->size() > 1) baselineRow(panel, *captures.finished);
    if (captures.comparing) textLine(panel.theme.accent, "Comparing ...");
    if (captures.comparison) comparison(panel, *captures.comparison);
}

}  // namespace

std::string_view whyNoTerrain(const UiModel& model)
{
    if (!model.loading) return model.terrain ? "" : "No terrain is open.";
    return model.loading->fraction ? "A terrain is being read." : "The first picture is not complete yet.";
}

std::string estimateText(const UiModel& model, std::uint64_t frames)
{
    const std::optional<Spread> spread = intervalSpread(model.history);
    const double ms = spread ? spread->median.value_or(0) : 0;
    const std::string count = counted(frames, "frame");
    if (!(ms > 0)) return count + ", how long is not known yet";
    return fmt::format("{}, about {} at {:.1f} fps", count, durationText(double(frames) * ms / 1000), 1000 / ms);
}

void toggleCapture(UiState& state, const UiModel& model, UiActions& actions)
{
    showPanel(state, "Capture");
    if (model.captures && model.captures->running)
    {
        actions.stopCapture = true;
        return;
    }
    if (!whyNoCapture(model).empty()) return;
    CaptureRequest request = state.capture.request;
    request.folder = newCaptureFolder();
    if (state.capture.sideA) request.sides = {{"a", *state.capture.sideA}, {"b", actions.settings}};
    actions.capture = std::move(request);
}

float drawCapturePanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    const bool running = panel.model.captures && panel.model.captures->running;
    if (running && !panel.model.sweep) progress(panel, *panel.model.captures->running);
    if (!running) fields(panel);
    if (!running || panel.model.sweep) drawSweepSection(panel);
    if (panel.model.captures) results(panel);
    endPanel(panel);
    return height;
}

// Section of the View panel that records films.

namespace {

constexpr double kStandingSeconds = 10;  // length of a film without a camera path

void checkRow(const Panel& panel, std::string_view name, bool& on, std::string_view tooltip)
{
    ImGui::PushID(name.data());
    beginRow(panel, name);
    ImGui::Checkbox("##on", &on);
    endItem(panel, name, tooltip);
    ImGui::PopID();
}

void progress(const Panel& panel, const RecordProgress& at)
{
    textLine(panel.theme.dim, at.out, true);
    valueRow(panel, "frame", fmt::format("{} of {}", grouped(at.frame), grouped(at.frames)));
    valueRow(panel, "time left", at.secondsLeft ? durationText(*at.secondsLeft) : panel.theme.notMeasured);
    percentBar(at.fraction());
    panel.actions.stopFilm |=
        button(panel, "stop_film", "Ends the film after the last whole frame.", buttonWidth(panel, 1));
}

}  // namespace

void drawFilmSection(const Panel& panel)
{
    const std::optional<RecordProgress>& running = panel.model.film;
    const Fold fold{panel, "film", running ? "film: recording" : "film", running.has_value()};
    if (!fold) return;
    if (running) return progress(panel, *running);
    RecordRequest& film = panel.state.film;
    beginRow(panel, "film_file");
    ImGui::InputTextWithHint("##file", "flight.mp4", &film.out);
    endItem(
        panel, "film_file",
        "The film: .mp4 or .webm, by the program ffmpeg; or pictures, as frames/%05d.png. It goes where pictures go, "
        "and does not replace a file.");
    std::uint64_t rate = std::uint64_t(std::lround(film.fps));
    if (countRow(panel, "film_rate", rate, 1, std::uint64_t(kMostFilmRate),
                 "Frames of a second of the flight (--fps)."))
        film.fps = double(rate);
    checkRow(panel, "film_settled", film.settled,
             "Draws each frame until nothing in it changes any more: tiles, triangles, fades.");
    checkRow(panel, "film_panels", film.panels, "Panels and their numbers are in the film.");
    const PathState& path = panel.model.path;
    const bool flies = path.present && path.duration > 0;
    const double seconds = flies ? path.duration : kStandingSeconds;
    textLine(panel.theme.dim,
             fmt::format("{}: {}", flies ? "Along the camera path" : "No path: the camera stands still",
                         counted(std::uint64_t(std::ceil(seconds * film.fps - 1e-6)), "frame")),
             true);
    const bool captures = panel.model.captures && panel.model.captures->running;
    const Disabled disabled(panel, captures ? "A capture is running." : whyNoTerrain(panel.model));
    if (button(panel, "record_film", "Records the flight from its beginning, in the picture's size.",
               buttonWidth(panel, 1)))
    {
        RecordRequest request = film;
        if (request.out.empty()) request.out = "flight.mp4";
        if (!flies) request.frames = std::uint64_t(std::ceil(kStandingSeconds * film.fps));
        panel.actions.film = request;
    }
}

}  // namespace orogen::app
