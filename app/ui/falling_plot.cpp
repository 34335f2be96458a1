// A curve that comes down to a goal, on a logarithmic axis.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/widgets.h"

namespace orogen::app {

namespace {

constexpr float kPlotHeight = 72;         // pixels at scale 1
constexpr std::size_t kMostPoints = 400;  // of the curve; more than it is wide
constexpr double kLeastValue = 1e-300;    // that has a logarithm

struct Axes
{
    ImVec2 min, max;
    double low, high;  // powers of ten at the bottom and at the top

    float y(double value) const
    {
        const double power = std::clamp(std::log10(std::max(value, kLeastValue)), low, high);
        return max.y - float((power - low) / (high - low)) * (max.y - min.y);
    }
};

void grid(const Panel& panel, const Axes& axes, float labelLeft, double goal)
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
    if (goal <= 0) return;
    const float y = std::round(axes.y(goal));
    list.AddLine({axes.min.x, y}, {axes.max.x, y}, panel.theme.colour(panel.theme.good));
}

// The power of ten below the goal, or below the least value where there is none.
double lowestPower(std::span<const double> values, double goal)
{
    double least = goal;
    if (goal <= 0)
        for (const double value : values)
            if (value > 0 && (least <= 0 || value < least)) least = value;
    return std::floor(std::log10(std::max(least, kLeastValue))) - 1;
}

}  // namespace

void fallingPlot(const Panel& panel, const char* name, std::span<const double> values, double goal,
                 const std::string& tooltip)
{
    if (values.size() < 2) return;
    const float scale = panel.theme.scale;
    const ImVec2 origin = ImGui::GetCursorScreenPos(), size(buttonWidth(panel, 1), kPlotHeight * scale);
    ImGui::PushID(name);
    ImGui::InvisibleButton("##plot", size);
    endItem(panel, name, tooltip);
    const float half = ImGui::GetFontSize() / 2;
    const Axes axes = {.min = {origin.x + ImGui::CalcTextSize("1e-09").x + 4 * scale, origin.y + half},
                       .max = {origin.x + size.x, origin.y + size.y - half},
                       .low = lowestPower(values, goal),
                       .high = std::ceil(std::log10(std::ranges::max(values) + kLeastValue))};
    if (!(axes.high > axes.low)) return;
    grid(panel, axes, origin.x, goal);
    const std::size_t stride = (values.size() + kMostPoints - 1) / kMostPoints;
    std::vector<ImVec2> points;
    for (std::size_t i = 0; i < values.size(); i += stride)
    {
        const float part = float(double(i) / double(values.size() - 1));
        points.push_back({axes.min.x + part * (axes.max.x - axes.min.x), axes.y(values[i])});
    }
    ImGui::GetWindowDrawList()->AddPolyline(points.data(), int(points.size()), panel.theme.colour(panel.theme.accent),
                                            ImDrawFlags_None, 1.5f * scale);
}

}  // namespace orogen::app
