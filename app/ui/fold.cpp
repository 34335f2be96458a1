#include "app/ui/fold.h"

#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "app/ui/words.h"

namespace orogen::app {
namespace {

constexpr float kArrow = 0.7f;  // share of the font's height

void drawHeading(const Theme& theme, ImVec2 min, ImVec2 max, const std::string& title, bool open, bool hovered)
{
    const float em = ImGui::GetFontSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::RenderArrow(&list, {min.x, min.y + em * (1 - kArrow) / 2}, theme.colour(hovered ? theme.text : theme.dim),
                       open ? ImGuiDir_Down : ImGuiDir_Right, kArrow);
    const ImVec2 text{min.x + em, min.y};
    list.AddText(text, theme.colour(hovered ? theme.text : theme.accent), title.c_str());
    const float x = text.x + ImGui::CalcTextSize(title.c_str()).x + 6 * theme.scale, y = std::round(min.y + em / 2);
    if (x < max.x) list.AddLine({x, y}, {max.x, y}, ImGui::GetColorU32(ImGuiCol_Separator));
}

}  // namespace

Fold::Fold(const Panel& panel, std::string_view id, const std::string& title, bool open)
    : panel_(panel), key_(fmt::format("{}/{}", panel.name, id))
{
    const auto chosen = panel.state.folds.find(key_);
    bool shown = chosen == panel.state.folds.end() ? open : chosen->second;
    ImGui::Dummy({0, 1 * panel.theme.scale});
    const std::string item = fmt::format("fold/{}", id);
    ImGui::PushID(item.c_str());
    if (ImGui::InvisibleButton("##heading", {buttonWidth(panel, 1), ImGui::GetFontSize()}))
        panel.state.folds.insert_or_assign(key_, shown = !shown);
    drawHeading(panel.theme, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), capitalised(title), shown,
                ImGui::IsItemHovered());
    endItem(panel, item, {});
    const std::string& wanted = panel.items.wanted();
    peeks_ = !shown && wanted.starts_with(fmt::format("{}/", panel.name));
    drawn_ = shown || peeks_;
    if (!peeks_) return;
    panel.items.beginPeek();
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    cursor_ = window->DC.CursorPos;
    extent_ = window->DC.CursorMaxPos;
    ImGui::PushClipRect(cursor_, cursor_, false);
}

Fold::~Fold()
{
    if (!peeks_) return;
    ImGui::PopClipRect();
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    window->DC.CursorPos = cursor_;
    window->DC.CursorMaxPos = extent_;
    if (panel_.items.endPeek()) panel_.state.folds.insert_or_assign(key_, true);
}

}  // namespace orogen::app
