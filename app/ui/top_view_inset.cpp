// Top view of the triangulation, at the right of the picture, with the camera's footprint and the depth colours.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/legend.h"
#include "app/ui/picture_tools.h"

namespace orogen::app {

namespace {

constexpr int kLegendDepths = 10;
constexpr float kLeastSize = 60;  // pixels; with less room the view is hidden

// Draws the colours of the deepest levels, coarse to fine.
void drawDepthLegend(const Panel& panel, float width)
{
    const int deepest = panel.model.tools.top.deepest, first = std::max(1, deepest - kLegendDepths + 1);
    const int count = deepest - first + 1;
    if (count < 1) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float font = ImGui::GetFontSize(), each = width / float(count), bar = 0.7f * font;
    for (int i = 0; i < count; ++i)
    {
        const float x = at.x + each * float(i);
        list.AddRectFilled({x, at.y}, {x + each, at.y + bar},
                           panel.theme.colour(depthColour(first + i, World::kPlane)));
        const std::string label = std::to_string(first + i);
        const float size = ImGui::CalcTextSize(label.c_str()).x;
        if (size + 2 < each)
            list.AddText({x + (each - size) / 2, at.y + bar}, panel.theme.colour(panel.theme.dim), label.c_str());
    }
    ImGui::Dummy({width, bar + 1.1f * font});
}

void drawCameraFromAbove(const Panel& panel, ImVec2 origin, float size)
{
    const TopState& top = panel.model.tools.top;
    const auto at = [&](const glm::dvec2& place) {
        return ImVec2(origin.x + float((place.x - top.corner.x) / top.side) * size,
                      origin.y + float((top.corner.y - place.y) / top.side) * size);
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(origin, {origin.x + size, origin.y + size}, true);
    const ImU32 white = IM_COL32(255, 255, 255, 230), dark = IM_COL32(0, 0, 0, 150);
    for (const auto& [colour, width] : {std::pair(dark, 3.5f), std::pair(white, 1.5f)})
        for (std::size_t i = 1; i < top.view.size(); ++i)
            list.AddLine(at(top.view[i]), at(top.view[i + 1 < top.view.size() ? i + 1 : 1]), colour,
                         width * panel.theme.scale);
    if (!top.view.empty())
    {
        list.AddCircleFilled(at(top.view.front()), 5 * panel.theme.scale, dark);
        list.AddCircleFilled(at(top.view.front()), 3.5f * panel.theme.scale, white);
    }
    list.PopClipRect();
}

// Returns the height of everything above and below the picture.
float chromeHeight()
{
    const ImGuiStyle& style = ImGui::GetStyle();
    return 2 * ImGui::GetFrameHeightWithSpacing() + 3.4f * ImGui::GetFontSize() + 2 * style.WindowPadding.y;
}

}  // namespace

float topViewLeastHeight() { return chromeHeight() + kLeastSize; }

float topViewWidth(const Panel& panel)
{
    return (panel.model.tools.top.large ? 460.0f : 220.0f) * panel.theme.scale + 2 * ImGui::GetStyle().WindowPadding.x;
}

void drawTopView(const Panel& panel, const PanelRect& rect)
{
    if (rect.height() < topViewLeastHeight()) return;
    const Panel own{"TopView", panel.model, panel.actions, panel.state, panel.items, panel.theme};
    const TopState& top = panel.model.tools.top;
    PictureToolsActions& tools = panel.actions.tools;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float chrome = chromeHeight();
    const float wanted = topViewWidth(panel) - 2 * style.WindowPadding.x;
    const float size =
        std::max(std::min({wanted, rect.width() - 2 * style.WindowPadding.x, rect.height() - chrome}), kLeastSize);
    const auto known = panel.state.contentHeight.find("TopView");
    const float width = size + 2 * style.WindowPadding.x;
    const float height = known == panel.state.contentHeight.end() ? size + chrome : known->second;
    const ImVec2 corner(rect.max.x - width, std::max(rect.max.y - height, rect.min.y));
    beginPanel(own, {corner, {rect.max.x, corner.y + height}}, ImGuiWindowFlags_NoScrollbar, "Top view");
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::PushID("picture");
    if (top.texture != 0)
        ImGui::Image(reinterpret_cast<ImTextureID>(std::intptr_t(top.texture)), {size, size});
    else
        ImGui::Dummy({size, size});
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0)
        tools.zoomTop = ImGui::GetIO().MouseWheel > 0 ? 1 : -1;
    endItem(own, "picture", "The wheel goes closer to the camera's place.");
    drawCameraFromAbove(panel, origin, size);
    textLine(panel.theme.dim, fmt::format("{} across, depths:", metresText(top.side)));
    drawDepthLegend(panel, size);
    tools.resizeTop |= button(own, top.large ? "smaller" : "larger", "Changes the size of the top view.");
    ImGui::SameLine();
    if (button(own, "closer", "The mouse wheel, too.")) tools.zoomTop = 1;
    ImGui::SameLine();
    ImGui::BeginDisabled(top.zoom == 0);
    if (button(own, "farther", "The mouse wheel, too.")) tools.zoomTop = -1;
    ImGui::EndDisabled();
    endPanel(own);
}

}  // namespace orogen::app
