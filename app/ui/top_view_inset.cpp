// The triangulation from above, at the right of the picture, with what the camera sees of it and the colours of depths.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/picture_tools.h"

namespace orogen::app {

namespace {

constexpr int kLegendDepths = 10;

// As shaders/lod_colour.glsl has them.
ImU32 depthColour(int depth)
{
    const auto fraction = [](float x) { return x - std::floor(x); };
    const float hue = fraction(float(depth) * 0.1373f), shade = depth % 2 == 0 ? 0.98f : 0.78f;
    float rgb[3];
    for (int i = 0; i < 3; ++i)
    {
        const float offset = i == 0 ? 0.0f : i == 1 ? 2.0f / 3 : 1.0f / 3;
        const float c = std::clamp(std::abs(fraction(hue + offset) * 6 - 3) - 1, 0.0f, 1.0f);
        rgb[i] = (0.52f + (c - 0.52f) * 0.55f) * shade;
    }
    return ImGui::ColorConvertFloat4ToU32({rgb[0], rgb[1], rgb[2], 1});
}

// The deepest depths, from coarse to fine.
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
        list.AddRectFilled({x, at.y}, {x + each, at.y + bar}, depthColour(first + i));
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

}  // namespace

void drawTopView(const Panel& panel, const PanelRect& rect)
{
    const Panel own{"TopView", panel.model, panel.actions, panel.state, panel.items, panel.theme};
    const TopState& top = panel.model.tools.top;
    PictureToolsActions& tools = panel.actions.tools;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float chrome =
        2 * ImGui::GetFrameHeightWithSpacing() + 3.4f * ImGui::GetFontSize() + 2 * style.WindowPadding.y;
    const float wanted = (top.large ? 460.0f : 220.0f) * panel.theme.scale;
    const float size =
        std::max(std::min({wanted, rect.width() - 2 * style.WindowPadding.x, rect.height() - chrome}), 60.0f);
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
    tools.resizeTop |= button(own, top.large ? "smaller" : "larger", "Of the view from above.");
    ImGui::SameLine();
    if (button(own, "closer", "The mouse wheel, too.")) tools.zoomTop = 1;
    ImGui::SameLine();
    ImGui::BeginDisabled(top.zoom == 0);
    if (button(own, "farther", "The mouse wheel, too.")) tools.zoomTop = -1;
    ImGui::EndDisabled();
    endPanel(own);
}

}  // namespace orogen::app
