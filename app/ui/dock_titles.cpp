#include "app/ui/dock_titles.h"

#include <algorithm>
#include <cmath>

#include <imgui.h>
#include <imgui_internal.h>

#include "app/ui/dock_columns.h"

namespace orogen::app {

namespace {

constexpr float kTitle = 24, kButton = 18;  // pixels at scale 1
constexpr float kDragStarts = 5;            // mouse travel that starts a drag (pixels)

bool iconButton(const Panel& panel, const char* name, ImVec2 at, float size, const char* tooltip)
{
    ImGui::SetCursorScreenPos(at);
    ImGui::PushID(name);
    const bool pressed = ImGui::InvisibleButton("##icon", {size, size});
    if (ImGui::IsItemHovered())
        ImGui::GetWindowDrawList()->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                                  ImGui::GetColorU32(ImGuiCol_ButtonHovered), 3 * panel.theme.scale);
    endItem(panel, name, tooltip);
    return pressed;
}

void drawCross(const Theme& theme, ImVec2 centre, float half)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 colour = theme.colour(theme.dim);
    list.AddLine({centre.x - half, centre.y - half}, {centre.x + half, centre.y + half}, colour, 1.3f * theme.scale);
    list.AddLine({centre.x - half, centre.y + half}, {centre.x + half, centre.y - half}, colour, 1.3f * theme.scale);
}

void drawDots(const Theme& theme, ImVec2 centre, float apart)
{
    for (const float dy : {-apart, 0.0f, apart})
        ImGui::GetWindowDrawList()->AddCircleFilled({centre.x, centre.y + dy}, 1.3f * theme.scale,
                                                    theme.colour(theme.dim));
}

std::size_t placeOf(const Dock& dock, const DockPlace& place)
{
    const std::vector<std::string> side = dock.openOn(place.side);
    return std::size_t(std::ranges::find(side, place.panel) - side.begin());
}

void drawMenu(const Panel& panel)
{
    if (!ImGui::BeginPopup("menu")) return;
    Dock& dock = panel.state.dock;
    DockPlace& place = *dock.find(panel.name);
    const std::size_t at = placeOf(dock, place), count = dock.openOn(place.side).size();
    const Side other = place.side == Side::kLeft ? Side::kRight : Side::kLeft;
    const auto row = [&](const char* name, const char* label, bool enabled = true) {
        const bool chosen = ImGui::MenuItem(label, nullptr, false, enabled);
        panel.items.add(panel.name, std::string("menu/") + name);
        return chosen;
    };
    // The branches exclude each other: dock.move() invalidates `place`.
    if (row("up", "Move up", at > 0))
        dock.move(panel.name, place.side, at - 1);
    else if (row("down", "Move down", at + 1 < count))
        dock.move(panel.name, place.side, at + 1);
    else if (row("across", other == Side::kLeft ? "To the left column" : "To the right column"))
        dock.move(panel.name, other, dock.openOn(other).size());
    else if (row("fold", place.collapsed ? "Unfold" : "Fold"))
        place.collapsed = !place.collapsed;
    else if (row("close", "Close"))
        place.open = false;
    ImGui::Separator();
    if (row("reset", "Reset the layout")) resetLayout(panel.state);
    ImGui::EndPopup();
}

// Drop target of a dragged panel: the side, the number of open panels above it, and the rectangle of the marker.
struct DropPlace
{
    Side side = Side::kLeft;
    std::size_t at = 0;
    PanelRect line;
};

DropPlace dropPlace(const UiState& state, const Layout& layout, ImVec2 mouse, float scale)
{
    DropPlace drop;
    const bool onLeft = layout.narrow || mouse.x < (layout.centre.min.x + layout.centre.max.x) / 2;
    drop.side = onLeft ? Side::kLeft : Side::kRight;
    PanelRect column = onLeft ? layout.left : layout.right;
    const float least = 120 * scale;  // width of the marker in an empty column
    if (column.width() <= 0 && onLeft) column.max.x = column.min.x + least;
    if (column.width() <= 0 && !onLeft) column.min.x = column.max.x - least;
    float y = column.min.y;
    for (const auto& [name, rect] : state.dockView.sections)
    {
        const DockPlace& place = *state.dock.find(name);
        if ((!layout.narrow && place.side != drop.side) || name == state.dockView.dragged) continue;
        const bool above = (rect.min.y + rect.max.y) / 2 < mouse.y;
        if (above && place.side != drop.side) drop = {place.side, 0, {}};  // one column shows both sides
        if (above && place.side == drop.side) ++drop.at;
        if (above) y = rect.max.y + 3 * scale;
    }
    y = std::clamp(y, column.min.y, column.max.y);
    drop.line = {{column.min.x, y - 1.5f * scale}, {column.max.x, y + 1.5f * scale}};
    return drop;
}

// Returns how many open panels of a side are scrolled out of view above the column's visible part.
std::size_t scrolledAway(const UiState& state, Side side)
{
    const std::vector<std::string> all = state.dock.openOn(side);
    std::size_t count = 0;
    for (const std::string& name : all)
    {
        if (std::ranges::find(state.dockView.sections, name, &std::pair<std::string, PanelRect>::first) !=
            state.dockView.sections.end())
            break;
        count += std::size_t(name != state.dockView.dragged);
    }
    return count < all.size() ? count : 0;
}

}  // namespace

float titleHeight(const Theme& theme) { return std::round(kTitle * theme.scale); }

void resetLayout(UiState& state)
{
    state.dock = defaultDock(dockedPlaces());
    state.folds.clear();
    state.dockView.reveal.clear();
}

void drawTitle(const Panel& panel, const PanelRect& section)
{
    const Theme& theme = panel.theme;
    const float scale = theme.scale, height = titleHeight(theme), size = kButton * scale, pad = (height - size) / 2;
    DockPlace& place = *panel.state.dock.find(panel.name);
    ImGui::PushID(panel.name.data(), panel.name.data() + panel.name.size());
    ImGui::SetCursorScreenPos(section.min);
    ImGui::PushID("title");
    ImGui::InvisibleButton("##title", {std::max(section.width() - 2 * size - 2 * pad, 1.0f), height});
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, kDragStarts))
        panel.state.dockView.dragged = panel.name;
    const bool clicked = ImGui::IsItemDeactivated() && ImGui::IsItemHovered() && panel.state.dockView.dragged.empty();
    const bool asked = ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    const bool hovered = ImGui::IsItemHovered();
    endItem(panel, "title", "Drag: to another place or column.\nClick: folds or unfolds.  Right click: menu.",
            ImVec2(section.min.x + section.width() / 3, section.min.y + height / 2));

    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float em = ImGui::GetFontSize(), arrow = 0.7f;
    const float textY = section.min.y + std::floor((height - em) / 2);
    ImGui::RenderArrow(&list, {section.min.x + 7 * scale, textY + em * (1 - arrow) / 2},
                       theme.colour(hovered ? theme.accent : theme.dim),
                       place.collapsed ? ImGuiDir_Right : ImGuiDir_Down, arrow);
    const ImVec2 textAt{section.min.x + 10 * scale + em, textY};
    const float right = section.max.x - 2 * size - pad;
    const ImVec4 clip{textAt.x, section.min.y, right, section.min.y + height};
    list.AddText(theme.bold, em, textAt, theme.colour(theme.text), panel.name.data(),
                 panel.name.data() + panel.name.size(), 0, &clip);

    const ImVec2 closeAt{section.max.x - pad - size, section.min.y + pad}, menuAt{closeAt.x - size, closeAt.y};
    const bool menu = iconButton(panel, "menu", menuAt, size, "Moves, folds, closes.");
    if (menu || asked) ImGui::OpenPopup("menu");
    if (iconButton(panel, "close", closeAt, size, "Closes the panel; its button in the bar opens it again."))
        place.open = false;
    drawDots(theme, {menuAt.x + size / 2, menuAt.y + size / 2}, 4 * scale);
    drawCross(theme, {closeAt.x + size / 2, closeAt.y + size / 2}, 3.5f * scale);
    if (clicked) place.collapsed = !place.collapsed;
    drawMenu(panel);
    ImGui::PopID();
}

void dragTitle(const Panel& base, const Layout& layout)
{
    UiState& state = base.state;
    if (state.dockView.dragged.empty()) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Theme& theme = base.theme;
    DropPlace drop = dropPlace(state, layout, mouse, theme.scale);
    drop.at += scrolledAway(state, drop.side);
    if (!ImGui::IsMouseDown(ImGuiMouseButton_Left))
    {
        state.dock.move(state.dockView.dragged, drop.side, drop.at);
        state.dockView.dragged.clear();
        return;
    }
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.AddRectFilled(drop.line.min, drop.line.max, theme.colour(theme.accent), 1.5f * theme.scale);
    const std::string& name = state.dockView.dragged;
    const ImVec2 text = ImGui::CalcTextSize(name.c_str()), pad{8 * theme.scale, 4 * theme.scale};
    const ImVec2 at{mouse.x + 10 * theme.scale, mouse.y - text.y / 2};
    list.AddRectFilled({at.x - pad.x, at.y - pad.y}, {at.x + text.x + pad.x, at.y + text.y + pad.y},
                       ImGui::GetColorU32(ImGuiCol_PopupBg), 4 * theme.scale);
    list.AddText(at, theme.colour(theme.text), name.c_str());
}

}  // namespace orogen::app
