// Filling the open terrain's voids: a part of the Terrain panel.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

constexpr float kPlotHeight = 72;          // pixels at scale 1
constexpr std::size_t kMostPoints = 400;   // of the curve; more than it is wide
constexpr double kLeastResidual = 1e-300;  // that has a logarithm

void progress(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    const float cancel = ImGui::CalcTextSize("cancel_fill").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::ProgressBar(float(std::clamp(voids.fraction, 0.0, 1.0)), {-cancel - ImGui::GetStyle().ItemSpacing.x, 0},
                       fmt::format("{:.1f} s", voids.seconds).c_str());
    ImGui::SameLine();
    panel.actions.cancelFill |= button(panel, "cancel_fill", "Leaves the terrain as it is shown.");
    textLine(panel.theme.dim, voids.phase, true);
}

void buttons(const Panel& panel)
{
    const float half = buttonWidth(panel, 2);
    ImGui::BeginDisabled(panel.model.terrain->voids == 0);
    panel.actions.fillVoids |= button(panel, "fill_voids",
                                      "Makes each void the mean of its neighbours, by conjugate gradients on a thread "
                                      "of its own; the terrain keeps moving.",
                                      half);
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(panel.model.voids.filled == 0);
    panel.actions.undoFill |= button(panel, "undo_fill", "Makes them voids again.", half);
    ImGui::EndDisabled();
}

struct Axes
{
    ImVec2 min, max;
    double low, high;  // powers of ten at the bottom and at the top

    float y(double residual) const
    {
        const double power = std::clamp(std::log10(std::max(residual, kLeastResidual)), low, high);
        return max.y - float((power - low) / (high - low)) * (max.y - min.y);
    }
};

void grid(const Panel& panel, const Axes& axes, float labelLeft)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(axes.min, axes.max, IM_COL32(0, 0, 0, 90));
    for (double power = axes.low; power <= axes.high; ++power)
    {
        const float y = std::round(axes.y(std::pow(10.0, power)));
        list.AddLine({axes.min.x, y}, {axes.max.x, y}, panel.theme.colour(panel.theme.dim, 0.22f));
        if (power != axes.low && power != axes.high) continue;
        list.AddText({labelLeft, y - ImGui::GetFontSize() / 2}, panel.theme.colour(panel.theme.dim),
                     fmt::format("{:g}", std::pow(10.0, power)).c_str());
    }
    const float goal = std::round(axes.y(panel.model.voids.tolerance));
    list.AddLine({axes.min.x, goal}, {axes.max.x, goal}, panel.theme.colour(panel.theme.good));
}

// The residual on a logarithmic axis, one point an iteration, with the tolerance as a line.
void plot(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    const std::vector<double>& history = voids.history;
    if (history.size() < 2) return;
    const float scale = panel.theme.scale;
    const ImVec2 origin = ImGui::GetCursorScreenPos(), size(buttonWidth(panel, 1), kPlotHeight * scale);
    ImGui::PushID("residual");
    ImGui::InvisibleButton("##plot", size);
    endItem(panel, "residual",
            fmt::format("{} iterations, relative residual {:.2g}", grouped(history.size() - 1), history.back()));
    const float half = ImGui::GetFontSize() / 2;
    const Axes axes = {.min = {origin.x + ImGui::CalcTextSize("1e-09").x + 4 * scale, origin.y + half},
                       .max = {origin.x + size.x, origin.y + size.y - half},
                       .low = std::floor(std::log10(voids.tolerance)) - 1,
                       .high = std::ceil(std::log10(std::ranges::max(history) + kLeastResidual))};
    if (axes.high <= axes.low) return;
    grid(panel, axes, origin.x);
    const std::size_t stride = (history.size() + kMostPoints - 1) / kMostPoints;
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < history.size(); i += stride)
    {
        const float part = float(double(i) / double(history.size() - 1));
        points.push_back({axes.min.x + part * (axes.max.x - axes.min.x), axes.y(history[i])});
    }
    ImGui::GetWindowDrawList()->AddPolyline(points.data(), int(points.size()), panel.theme.colour(panel.theme.accent),
                                            ImDrawFlags_None, 1.5f * scale);
}

}  // namespace

void drawVoidSection(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    if (voids.filled > 0) textLine(panel.theme.dim, fmt::format("{} voids filled", grouped(voids.filled)), true);
    voids.running ? progress(panel) : buttons(panel);
    plot(panel);
}

}  // namespace orogen::app
