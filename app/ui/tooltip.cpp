#include "app/ui/tooltip.h"

#include <algorithm>

#include <imgui.h>

namespace orogen::app {

namespace {

constexpr float kWidthInEms = 24;
constexpr float kGap = 6;  // pixels at scale 1

}  // namespace

bool draggingAnything()
{
    return ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Right) ||
           ImGui::IsMouseDown(ImGuiMouseButton_Middle);
}

ImVec2 tooltipPlace(const Layout& layout, ImVec2 display, const PanelRect& item, ImVec2 size, float gap)
{
    const ImVec2 middle{(item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2};
    // Below the whole bar, so that its further rows stay visible.
    const float below = layout.bar.contains(middle) ? layout.bar.max.y : item.max.y;
    ImVec2 at{item.min.x, below + gap};
    if (layout.left.contains(middle))
        at = {layout.left.max.x + gap, item.min.y};
    else if (layout.right.contains(middle))
        at = {layout.right.min.x - gap - size.x, item.min.y};
    else if (at.y + size.y > display.y)
        at.y = item.min.y - gap - size.y;
    return {std::clamp(at.x, 0.0f, std::max(display.x - size.x, 0.0f)),
            std::clamp(at.y, 0.0f, std::max(display.y - size.y, 0.0f))};
}

void showTooltip(const Panel& panel, std::string_view text)
{
    const bool overHelp = panel.state.helpOpen && panel.name != "Help";
    if (overHelp || (panel.state.pathsOffered && panel.name != "Paths")) return;
    const float wrap = ImGui::GetFontSize() * kWidthInEms;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 content = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, wrap);
    ImGui::SetNextWindowPos(
        tooltipPlace(panel.state.layout, ImGui::GetIO().DisplaySize, {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()},
                     {content.x + 2 * padding.x, content.y + 2 * padding.y}, kGap * panel.theme.scale));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(wrap + padding.x);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace orogen::app
