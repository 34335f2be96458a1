// The Laboratory panel: runs experiments with the concurrent binary tree (paper 002 in
// assets/docs/understand/papers.md), and plots results as they arrive.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/model/format.h"
#include "app/ui/panels.h"
#include "app/ui/plot.h"
#include "app/ui/words.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

constexpr float kLeastPlot = 140, kMostPlot = 340, kUsualPlot = 260;  // heights of the plot (pixels at scale 1)

// Returns the plot's height (pixels at scale 1).  In a column section that scrolls by itself, the plot fills the space
// below the cursor, within kLeastPlot and kMostPlot.
float plotHeight(const Panel& panel, const PanelRect& rect)
{
    if (panel.docked != DockFrame::kScrolling) return kUsualPlot;
    const float left = rect.height() - ImGui::GetCursorPosY() - ImGui::GetStyle().WindowPadding.y;
    return std::clamp(left / panel.theme.scale, kLeastPlot, kMostPlot);
}

void experimentRow(const Panel& panel, LabRequest& draft)
{
    const float run = buttonWidth(panel, 4);
    ImGui::SetNextItemWidth(buttonWidth(panel, 1) - run - ImGui::GetStyle().ItemSpacing.x);
    ImGui::PushID("experiment");
    if (ImGui::BeginCombo("##value", inWords(draft.experiment).c_str(), ImGuiComboFlags_HeightLargest))
    {
        for (const Experiment& experiment : experiments())
        {
            if (ImGui::Selectable(inWords(experiment.name).c_str(), experiment.name == draft.experiment))
                draft.experiment = experiment.name;
            panel.items.add(panel.name, "experiment/" + experiment.name);
        }
        ImGui::EndCombo();
    }
    const auto chosen = std::ranges::find(experiments(), draft.experiment, &Experiment::name);
    endItem(panel, "experiment", chosen->about);
    ImGui::SameLine();
    if (button(panel, "run",
               "Measures every variant at every depth. The CPU's part has a thread of its own; the GPU's is done in "
               "slices between the frames.",
               run))
        panel.actions.runExperiment = draft;
}

void depthControl(const Panel& panel, const char* name, int& depth, float width, std::string_view tooltip)
{
    constexpr int kLeast = 10, kMost = 30;
    ImGui::SetNextItemWidth(width);
    ImGui::PushID(name);
    ImGui::DragInt("##value", &depth, 0.15f, kLeast, kMost, "%d", ImGuiSliderFlags_AlwaysClamp);
    endItem(panel, name, fmt::format("{}\n\nFrom {} to {}. Ctrl+click: type a value.", tooltip, kLeast, kMost));
}

void depthRow(const Panel& panel, LabOptions& options)
{
    const float width = buttonWidth(panel, 4);
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.text, "Depths, from and to");
    const float start = ImGui::GetWindowContentRegionMax().x - 2 * width - ImGui::GetStyle().ItemSpacing.x;
    if (ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x < start)  // otherwise in a row of their own
        ImGui::SameLine(start);
    else
        ImGui::SetCursorPosX(start);
    depthControl(panel, "from_depth", options.leastDepth, width, "The smallest tree that is measured.");
    ImGui::SameLine();
    depthControl(panel, "to_depth", options.mostDepth, width,
                 "The largest tree that is measured. The packed layout takes 2^(D - 1) bytes.");
    options.mostDepth = std::max(options.mostDepth, options.leastDepth);
}

void fields(const Panel& panel, LabRequest& draft)
{
    experimentRow(panel, draft);
    depthRow(panel, draft.options);
}

void progress(const Panel& panel, const LaboratoryState& laboratory)
{
    percentBar(laboratory.fraction);
    textLine(panel.theme.dim, laboratory.now, true);
    panel.actions.cancelExperiment |=
        button(panel, "cancel", "Stops here; what was measured stays.", buttonWidth(panel, 1));
}

std::string timeText(double ms) { return ms < 1 ? significant(1000 * ms, 3) + " µs" : significant(ms, 3) + " ms"; }

// Returns a line's name without the unit, which the axis shows.
std::string lineName(const bench::FigureData& data, std::size_t line)
{
    std::string name = data.names[line];
    if (constexpr std::string_view kUnit = " (ms)"; name.ends_with(kUnit)) name.resize(name.size() - kUnit.size());
    return name;
}

void drawTimes(const Panel& panel, const PanelRect& rect, const bench::FigureData& data)
{
    if (data.rows.empty()) return;
    Plot plot{
        .item = "figure",
        .x = {.name = "depth D of the tree", .whole = true, .low = data.rows.front().x, .high = data.rows.back().x},
        .y = {.name = "time", .unit = "ms", .logarithmic = true}};
    for (std::size_t line = 0; line < data.names.size(); ++line)
    {
        PlotSeries series{.name = lineName(data, line), .dots = true};
        for (const bench::FigureRow& row : data.rows)
            if (row.values[line]) series.points.push_back({row.x, *row.values[line]});
        plot.series.push_back(std::move(series));
    }
    plot.readOut = [&plot](std::size_t line, std::size_t point) {
        const PlotPoint& at = plot.series[line].points[point];
        return fmt::format("{}\n{} at D = {:g}", plot.series[line].name, timeText(at.y), at.x);
    };
    legendLines(panel, plot.series);
    plot.height = plotHeight(panel, rect);
    drawPlot(panel, plot);
}

// Shows each line's newest value beside its name.
void newest(const Panel& panel, const bench::FigureData& data)
{
    for (std::size_t line = 0; line < data.names.size(); ++line)
    {
        std::string value = panel.theme.notMeasured;
        for (const bench::FigureRow& row : data.rows)
            if (row.values[line]) value = fmt::format("{} at D = {:g}", timeText(*row.values[line]), row.x);
        legendRow(panel, plotColour(line), lineName(data, line), value);
    }
}

}  // namespace

float drawLaboratoryPanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    LabRequest& draft = panel.state.laboratory;
    const std::optional<LaboratoryState>& laboratory = panel.model.laboratory;
    if (!laboratory)
    {
        endPanel(panel);
        return height;
    }
    laboratory->running ? progress(panel, *laboratory) : fields(panel, draft);
    if (!laboratory->error.empty()) textLine(panel.theme.error, laboratory->error, true);
    if (laboratory->data)
    {
        if (laboratory->experiment->name != draft.experiment)  // otherwise the list shows the name
            section(panel, inWords(laboratory->experiment->name).c_str());
        drawTimes(panel, rect, *laboratory->data);
        newest(panel, *laboratory->data);
        for (const std::string& note : laboratory->data->notes)
            textLine(panel.theme.dim, note, true);
        if (!laboratory->running)
            panel.actions.saveExperiment |=
                button(panel, "save", "Writes it as CSV and SVG to orogen-laboratory.", buttonWidth(panel, 1));
    }
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
