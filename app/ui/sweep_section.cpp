// Sweep section of the Capture panel: measures the cost of accuracy over depths and thresholds.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/base/progress.h"
#include "app/ui/format.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

// Returns a grid around the current settings: two depths, and three thresholds a factor of two apart.
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

// Returns "depth 20 and 24, split 3.5, 7 and 14 px".
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
    ImGui::ProgressBar(float(at.fraction), {-1, 0});
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
            ImGui::SetTooltip("Depth %d, lod.%s %s%s: a click takes these settings.", point.depth,
                              std::string(keyOf(plan.threshold)).c_str(), fmt::format("{}", point.pixels).c_str(),
                              point.pareto == true ? ", on the Pareto front" : "");
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

}  // namespace

void drawSweepSection(const Panel& panel)
{
    const SweepController* sweeps = panel.model.sweeps;
    if (!sweeps) return;
    section(panel, "sweep");
    if (panel.model.sweep)
        progress(panel, *panel.model.sweep);
    else
    {
        SweepRequest request = smallGrid(panel);
        const std::uint64_t points = request.depths.size() * request.pixels.size();
        textLine(panel.theme.dim, fmt::format("{} flights: {}", points, gridText(request)), true);
        textLine(panel.theme.dim, estimateText(panel.model, points * (kSweepWarmup + request.frames)), true);
        ImGui::BeginDisabled(!panel.model.terrain || panel.model.loading || panel.model.captures->running());
        if (button(panel, "sweep",
                   "Flies the path once for each depth with each threshold, around the settings as they are, to see "
                   "what accuracy costs in time and triangles.",
                   buttonWidth(panel, 1)))
        {
            request.folder = newSweepFolder();
            panel.actions.sweep = request;
        }
        ImGui::EndDisabled();
    }
    if (sweeps->points().empty()) return;
    if (!panel.model.sweep) textLine(panel.theme.dim, sweeps->folder() + "/sweep.html", true);
    pointList(panel, sweeps->plan(), sweeps->points());
}

}  // namespace orogen::app
