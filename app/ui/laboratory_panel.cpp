// The laboratory: paper 002's experiments, run here and plotted while they run.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

constexpr float kPlotHeight = 220;  // pixels at scale 1

// Colours that colour-blind people tell apart (Okabe and Ito), for a dark ground.
constexpr std::array<ImU32, 7> kLineColours = {
    IM_COL32(86, 180, 233, 255),  IM_COL32(230, 159, 0, 255),  IM_COL32(0, 200, 140, 255),
    IM_COL32(240, 228, 66, 255),  IM_COL32(236, 120, 60, 255), IM_COL32(204, 121, 167, 255),
    IM_COL32(190, 190, 190, 255),
};
ImU32 colourOf(std::size_t line) { return kLineColours[line % kLineColours.size()]; }

void experimentRow(const Panel& panel, LabRequest& draft)
{
    beginRow(panel, "experiment");
    if (ImGui::BeginCombo("##value", draft.experiment.c_str(), ImGuiComboFlags_HeightLargest))
    {
        for (const Experiment& experiment : experiments())
        {
            if (ImGui::Selectable(experiment.name.c_str(), experiment.name == draft.experiment))
                draft.experiment = experiment.name;
            panel.items.add(panel.name, "experiment/" + experiment.name);
        }
        ImGui::EndCombo();
    }
    const auto chosen = std::ranges::find(experiments(), draft.experiment, &Experiment::name);
    endItem(panel, "experiment", chosen->about);
}

void depthRow(const Panel& panel, std::string_view name, int& depth, std::string_view tooltip)
{
    std::uint64_t value = std::uint64_t(depth);
    if (countRow(panel, name, value, 10, 30, tooltip)) depth = int(value);
}

void fields(const Panel& panel, LabRequest& draft)
{
    experimentRow(panel, draft);
    depthRow(panel, "from_depth", draft.options.leastDepth, "The smallest tree that is measured.");
    depthRow(panel, "to_depth", draft.options.mostDepth,
             "The largest tree that is measured. The packed layout takes 2^(D - 1) bytes.");
    draft.options.mostDepth = std::max(draft.options.mostDepth, draft.options.leastDepth);
    if (button(panel, "run",
               "Measures every variant at every depth. The CPU's part has a thread of its own; the GPU's is done in "
               "slices between the frames.",
               buttonWidth(panel, 1)))
        panel.actions.runExperiment = draft;
}

void progress(const Panel& panel, const LaboratorySession& laboratory)
{
    ImGui::ProgressBar(float(laboratory.fraction()), {-1, 0});
    textLine(panel.theme.dim, laboratory.now(), true);
    panel.actions.cancelExperiment |=
        button(panel, "cancel", "Stops here; what was measured stays.", buttonWidth(panel, 1));
}

struct Area
{
    ImVec2 min, max;
    double leastDepth, mostDepth;
    double low, high;  // powers of ten, of milliseconds

    ImVec2 at(double depth, double ms) const
    {
        const double x = (depth - leastDepth) / std::max(mostDepth - leastDepth, 1.0);
        const double y = (std::log10(ms) - low) / (high - low);
        return {min.x + float(x) * (max.x - min.x), max.y - float(y) * (max.y - min.y)};
    }
};

void grid(const Panel& panel, const Area& area, float labelLeft)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 faint = panel.theme.colour(panel.theme.dim, 0.22f), dim = panel.theme.colour(panel.theme.dim);
    list.AddRectFilled(area.min, area.max, IM_COL32(0, 0, 0, 90));
    const int decades = std::max(1, int(std::ceil((area.high - area.low) / 5)));
    for (double power = area.low; power <= area.high; power += decades)
    {
        const float y = std::round(area.at(area.leastDepth, std::pow(10.0, power)).y);
        list.AddLine({area.min.x, y}, {area.max.x, y}, faint);
        list.AddText({labelLeft, y - ImGui::GetFontSize() / 2}, dim,
                     fmt::format("{:g}", std::pow(10.0, power)).c_str());
    }
    const int step = area.mostDepth - area.leastDepth > 8 ? 4 : area.mostDepth - area.leastDepth > 4 ? 2 : 1;
    for (int depth = int(area.leastDepth); depth <= int(area.mostDepth); depth += step)
    {
        const std::string label = std::to_string(depth);
        const float x = area.at(depth, std::pow(10.0, area.low)).x;
        list.AddLine({x, area.min.y}, {x, area.max.y}, faint);
        list.AddText(
            {std::min(x - ImGui::CalcTextSize(label.c_str()).x / 2, area.max.x - ImGui::CalcTextSize(label.c_str()).x),
             area.max.y + 2 * panel.theme.scale},
            dim, label.c_str());
    }
}

void lines(const Panel& panel, const Area& area, const bench::FigureData& data)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float scale = panel.theme.scale;
    for (std::size_t line = 0; line < data.names.size(); ++line)
    {
        std::optional<ImVec2> before;
        for (const bench::FigureRow& row : data.rows)
        {
            if (!row.values[line]) continue;
            const ImVec2 point = area.at(row.x, *row.values[line]);
            if (before) list.AddLine(*before, point, colourOf(line), 1.5f * scale);
            list.AddCircleFilled(point, 2.5f * scale, colourOf(line));
            before = point;
        }
    }
}

std::string timeText(double ms) { return ms < 1 ? fmt::format("{:.3g} µs", 1000 * ms) : fmt::format("{:.3g} ms", ms); }

std::optional<std::pair<double, double>> rangeOf(const bench::FigureData& data)
{
    std::optional<std::pair<double, double>> range;
    for (const bench::FigureRow& row : data.rows)
        for (const std::optional<double>& value : row.values)
        {
            if (!value || *value <= 0) continue;
            range = range ? std::pair{std::min(range->first, *value), std::max(range->second, *value)}
                          : std::pair{*value, *value};
        }
    return range;
}

void plot(const Panel& panel, const bench::FigureData& data)
{
    const auto range = rangeOf(data);
    if (!range) return;
    const float scale = panel.theme.scale, half = ImGui::GetFontSize() / 2;
    textLine(panel.theme.dim, "ms, against the depth D");
    const ImVec2 origin = ImGui::GetCursorScreenPos(), size(buttonWidth(panel, 1), kPlotHeight * scale);
    ImGui::PushID("figure");
    ImGui::InvisibleButton("##plot", size);
    endItem(panel, "figure", {});
    const Area area = {{origin.x + ImGui::CalcTextSize("0.0001").x + 4 * scale, origin.y + half},
                       {origin.x + size.x - half, origin.y + size.y - 2 * half - 4 * scale},
                       data.rows.front().x,
                       std::max(data.rows.back().x, data.rows.front().x + 1),
                       std::floor(std::log10(range->first)),
                       std::ceil(std::log10(range->second) + 1e-9)};
    grid(panel, area, origin.x);
    lines(panel, area, data);
}

// The newest row in which a line has a value is what its name stands with.
void legend(const Panel& panel, const bench::FigureData& data)
{
    for (std::size_t line = 0; line < data.names.size(); ++line)
    {
        std::string value = panel.theme.notMeasured;
        for (const bench::FigureRow& row : data.rows)
            if (row.values[line]) value = fmt::format("{} at D = {:g}", timeText(*row.values[line]), row.x);
        std::string name = data.names[line];
        name.resize(name.size() - std::string_view(" (ms)").size());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float side = ImGui::GetFontSize() * 0.55f, top = at.y + (ImGui::GetFontSize() - side) / 2;
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, colourOf(line));
        ImGui::Indent(side + 6 * panel.theme.scale);
        textLine(panel.theme.text, name, true);
        textLine(panel.theme.dim, value, true);
        ImGui::Unindent(side + 6 * panel.theme.scale);
    }
}

}  // namespace

float drawLaboratoryPanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    LabRequest& draft = panel.state.laboratory;
    const LaboratorySession* laboratory = panel.model.laboratory;
    if (!laboratory)
    {
        endPanel(panel);
        return height;
    }
    laboratory->running() ? progress(panel, *laboratory) : fields(panel, draft);
    if (!laboratory->error().empty()) textLine(panel.theme.error, laboratory->error(), true);
    if (laboratory->data())
    {
        section(panel, laboratory->experiment()->name.c_str());
        plot(panel, *laboratory->data());
        legend(panel, *laboratory->data());
        for (const std::string& note : laboratory->data()->notes)
            textLine(panel.theme.dim, note, true);
        if (!laboratory->running())
            panel.actions.saveExperiment |=
                button(panel, "save", "Writes it as CSV and SVG to orogen-laboratory.", buttonWidth(panel, 1));
    }
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
