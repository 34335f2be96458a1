#include "app/ui/dock_columns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>

#include "app/ui/panels.h"
#include "compute/modules.h"

namespace orogen::app {

namespace {

// ---- titles ----

constexpr float kTitle = 24, kButton = 18;  // height of a title and side of its buttons (pixels at scale 1)
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

// Returns the number of open panels above a panel in its column, not counting the panel `without`.
std::size_t placeOf(const Dock& dock, const DockPlace& place, std::string_view without = {})
{
    std::vector<std::string> side = dock.openOn(place.side);
    if (place.panel != without) std::erase(side, without);
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

// Place where a dragged panel would go: the side, the number of open panels above it, and the marker's rectangle.
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
    bool first = true;  // panels above the first section are scrolled out of view
    for (const auto& [name, rect] : state.dockView.sections)
    {
        const DockPlace& place = *state.dock.find(name);
        if (!layout.narrow && place.side != drop.side) continue;
        const bool above = name != state.dockView.dragged && (rect.min.y + rect.max.y) / 2 < mouse.y;
        if (std::exchange(first, false) || above)
            drop = {place.side, placeOf(state.dock, place, state.dockView.dragged) + std::size_t(above), {}};
        if (above) y = rect.max.y + 3 * scale;
    }
    y = std::clamp(y, column.min.y, column.max.y);
    drop.line = {{column.min.x, y - 1.5f * scale}, {column.max.x, y + 1.5f * scale}};
    return drop;
}

float titleHeight(const Theme& theme) { return std::round(kTitle * theme.scale); }

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
    const DropPlace drop = dropPlace(state, layout, mouse, theme.scale);
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

// ---- columns ----

// Heights in pixels at scale 1.
constexpr float kSectionGap = 6;        // gap between two sections
constexpr float kLeastShare = 190;      // minimum height of a section that scrolls by itself, without its title
constexpr float kUnknownContent = 400;  // assumed height of a panel that was never drawn
constexpr float kHidesFrom = 0.7f;      // share of a column's height: if panels cover it, the column hides the picture

constexpr ImGuiWindowFlags kColumnFlags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoCollapse |
                                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                          ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground;

struct Column
{
    const char* window;
    std::vector<std::string> panels;
    PanelRect rect;
};

const DockedPanel* findDocked(std::string_view name)
{
    const auto found = std::ranges::find(dockedPanels(), name, &DockedPanel::name);
    return found == dockedPanels().end() ? nullptr : &*found;
}

Panel named(const Panel& base, std::string_view name)
{
    Panel panel = base;
    panel.name = name;
    return panel;
}

// Returns the height of a section, with its title.
float neededHeight(const Panel& base, const std::string& name)
{
    const float title = titleHeight(base.theme);
    if (base.state.dock.find(name)->collapsed) return title;
    const auto known = base.state.contentHeight.find(name);
    return title + (known == base.state.contentHeight.end() ? kUnknownContent * base.theme.scale : known->second);
}

// `onDesk`: the column hides the picture, so Theme::desk is drawn behind it already.
void drawBackground(const Theme& theme, const PanelRect& rect, bool onDesk)
{
    const float rounding = ImGui::GetStyle().WindowRounding;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (!onDesk) list.AddRectFilled(rect.min, rect.max, ImGui::GetColorU32(ImGuiCol_WindowBg), rounding);
    const ImVec2 titleEnd{rect.max.x, rect.min.y + titleHeight(theme)};
    const bool titleAlone = titleEnd.y >= rect.max.y - 1;
    list.AddRectFilled(rect.min, titleEnd, ImGui::GetColorU32(ImGuiCol_TitleBg), rounding,
                       titleAlone ? ImDrawFlags_RoundCornersAll : ImDrawFlags_RoundCornersTop);
    list.AddRect(rect.min, rect.max, ImGui::GetColorU32(ImGuiCol_Border), rounding);
}

// Draws one panel of a column at `rect`, clipped to `visible`.  `whole`: the panel is as high as its content.
void drawSection(const Panel& base, const std::string& name, const PanelRect& rect, const PanelRect& visible,
                 bool whole, bool onDesk)
{
    const PanelRect shown{{std::max(rect.min.x, visible.min.x), std::max(rect.min.y, visible.min.y)},
                          {std::min(rect.max.x, visible.max.x), std::min(rect.max.y, visible.max.y)}};
    if (shown.height() <= 0 || shown.width() <= 0) return;
    const DockedPanel& docked = *findDocked(name);
    Panel panel = named(base, docked.name);
    panel.docked = whole ? DockFrame::kWhole : DockFrame::kScrolling;
    base.state.dockView.sections.push_back({name, rect});
    base.state.dockView.shown.push_back({name, shown});
    drawBackground(base.theme, rect, onDesk);
    drawTitle(panel, rect);
    const PanelRect body{{rect.min.x, rect.min.y + titleHeight(base.theme)}, rect.max};
    if (base.state.dock.shows(name) && body.max.y > visible.min.y && body.min.y < visible.max.y)
        docked.draw(panel, body);
}

// Scrolls to the panel named by DockView::reveal, in each frame until the height of that panel's content is known.
void followReveal(UiState& state, const Column& column, const std::vector<float>& heights, float gap)
{
    const auto found = std::ranges::find(column.panels, state.dockView.reveal);
    if (found == column.panels.end()) return;
    const auto above = heights.begin() + (found - column.panels.begin());
    const float y = std::accumulate(heights.begin(), above, gap * float(above - heights.begin()));
    const float room = column.rect.height(), scroll = ImGui::GetScrollY();
    const bool fits = y >= scroll && y + std::min(*above, room) <= scroll + room;
    if (!fits) ImGui::SetScrollY(y);
    if (state.contentHeight.contains(state.dockView.reveal) || state.dock.find(state.dockView.reveal)->collapsed)
        state.dockView.reveal.clear();
}

// Draws a column.  Returns whether the column hides the picture (kHidesFrom).
bool drawColumn(const Panel& base, const Column& column)
{
    if (column.panels.empty() || column.rect.width() <= 0) return false;
    const float scale = base.theme.scale, gap = kSectionGap * scale;
    std::vector<float> heights;
    for (const std::string& name : column.panels)
        heights.push_back(neededHeight(base, name));
    const std::vector<float> shared =
        sharedHeights(heights, column.rect.height(), gap, kLeastShare * scale + titleHeight(base.theme));
    const bool whole = shared.empty();
    if (!whole) heights = shared;
    const float total = std::accumulate(heights.begin(), heights.end(), gap * float(heights.size() - 1));

    ImGui::SetNextWindowPos(column.rect.min);
    ImGui::SetNextWindowSize({column.rect.width(), std::max(std::min(total, column.rect.height()), 1.0f)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    const ImGuiWindowFlags scrolling = whole ? ImGuiWindowFlags_AlwaysVerticalScrollbar
                                             : ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::Begin(column.window, nullptr, kColumnFlags | scrolling);
    ImGui::PopStyleVar(2);
    const bool fills = total >= kHidesFrom * column.rect.height();
    followReveal(base.state, column, heights, gap);
    // Leaves a gap between the panels and the scroll bar.
    const float width = ImGui::GetContentRegionAvail().x - (whole ? 2 * scale : 0);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    float y = origin.y;
    for (std::size_t i = 0; i < column.panels.size(); ++i)
    {
        drawSection(base, column.panels[i], {{origin.x, y}, {origin.x + width, y + heights[i]}}, column.rect, whole,
                    fills);
        y += heights[i] + gap;
    }
    ImGui::SetCursorScreenPos({origin.x, y - gap - 1});
    ImGui::Dummy({1, 1});
    ImGui::End();
    return fills;
}

// Draws the strip at a column's inner edge: a drag resizes the column, a double click restores the default width.
void drawSplitter(const Panel& base, const char* name, const PanelRect& column, bool left, float& width)
{
    const float scale = base.theme.scale, strip = std::floor(8 * scale);
    const float x = std::floor(left ? column.max.x : column.min.x - strip), height = std::floor(column.height());
    ImGui::SetNextWindowPos({x, column.min.y});
    ImGui::SetNextWindowSize({strip, std::max(height, 1.0f)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin(fmt::format("##splitter {}", name).c_str(), nullptr, kColumnFlags | ImGuiWindowFlags_NoScrollbar);
    ImGui::PopStyleVar(3);
    const Panel panel = named(base, "Layout");
    ImGui::PushID(name);
    ImGui::InvisibleButton("##strip", {strip, std::max(height, 1.0f)});
    const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    if (held || hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (held && ImGui::IsMouseDragging(ImGuiMouseButton_Left, 1))
    {
        const float mouse = ImGui::GetIO().MousePos.x;
        width = columnWidth(left ? mouse - strip / 2 - column.min.x : column.max.x - mouse - strip / 2, scale);
    }
    if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) width = 0;
    if (held || hovered)
        ImGui::GetWindowDrawList()->AddRectFilled({x + strip / 2 - scale, column.min.y},
                                                  {x + strip / 2 + scale, column.max.y},
                                                  base.theme.colour(base.theme.accent, held ? 0.9f : 0.5f));
    endItem(panel, name, "Drag: the column's width.\nDouble click: the usual one.");
    ImGui::End();
}

// Opens, unfolds and scrolls to the panel with the item that a script looks for.  For an item of a title, only scrolls.
void followScripts(const Panel& base)
{
    const std::string& wanted = base.items.wanted();
    const std::string_view panel = std::string_view(wanted).substr(0, wanted.find('/'));
    DockPlace* place = base.state.dock.find(panel);
    if (!place || wanted.size() == panel.size()) return;
    const std::string_view item = std::string_view(wanted).substr(panel.size() + 1);
    const bool ofTitle = item == "title" || item == "close" || item.starts_with("menu");
    const bool visible =
        std::ranges::find(base.state.dockView.shown, panel, &std::pair<std::string, PanelRect>::first) !=
        base.state.dockView.shown.end();
    if (!ofTitle) place->collapsed = false;
    if (!ofTitle || visible) place->open = true;
    if (!visible || !base.items.find(wanted)) base.state.dockView.reveal = panel;
}

}  // namespace

void resetLayout(UiState& state)
{
    state.dock = defaultDock(dockedPlaces());
    state.folds.clear();
    state.dockView.reveal.clear();
}

const std::vector<DockedPanel>& dockedPanels()
{
    static const std::vector<DockedPanel> all = [] {
        std::vector<DockedPanel> panels = {
            {"Terrain", "The terrain that is open, and how it is drawn.", drawTerrainPanel},
            {"View", "The camera, and its paths.", drawViewPanel},
            {"Capture", "Frame-time reports, and their comparison.", drawCapturePanel, Side::kRight, false}};
        for (const compute::Module* module : compute::modules())
            panels.push_back(
                {module->description().panel, module->description().title, drawModulePanel, Side::kRight, false, true});
        panels.push_back({"Laboratory", "The tree's algorithms, measured on this machine", drawLaboratoryPanel,
                          Side::kRight, false, true});
        panels.push_back(
            {"Model", "A terrain that ages, and brushes that change it", drawModelPanel, Side::kRight, false, true});
        panels.push_back({"Performance", "Times, work and memory.", drawPerformancePanel, Side::kRight});
        return panels;
    }();
    return all;
}

const std::vector<DockPlace>& dockedPlaces()
{
    static const std::vector<DockPlace> all = [] {
        std::vector<DockPlace> places;
        for (const DockedPanel& panel : dockedPanels())
            places.push_back({.panel = std::string(panel.name), .side = panel.side, .open = panel.open});
        return places;
    }();
    return all;
}

void showPanel(UiState& state, std::string_view panel)
{
    DockPlace* place = state.dock.find(panel);
    if (!place) return;
    place->open = true;
    place->collapsed = false;
    state.dockView.reveal = panel;
}

void togglePanel(UiState& state, std::string_view panel)
{
    DockPlace* place = state.dock.find(panel);
    if (place && place->open)
        place->open = false;
    else
        showPanel(state, panel);
}

LayoutRequest layoutRequest(const UiState& state, ImVec2 display, float scale, float barHeight)
{
    return {.display = display,
            .scale = scale,
            .left = state.panelsShown && state.dock.holds(Side::kLeft),
            .right = state.panelsShown && state.dock.holds(Side::kRight),
            .leftWidth = state.dock.leftWidth,
            .rightWidth = state.dock.rightWidth,
            .barHeight = state.panelsShown ? barHeight : 0};
}

void drawColumns(const Panel& base, const Layout& layout)
{
    UiState& state = base.state;
    followScripts(base);
    state.dockView.sections.clear();
    state.dockView.shown.clear();
    Column left{"##left column", state.dock.openOn(Side::kLeft), layout.left};
    Column right{"##right column", state.dock.openOn(Side::kRight), layout.right};
    if (layout.narrow) left.panels.insert(left.panels.end(), right.panels.begin(), right.panels.end());
    state.dockView.fillsLeft = drawColumn(base, left);
    state.dockView.fillsRight = !layout.narrow && drawColumn(base, right);
    if (!left.panels.empty()) drawSplitter(base, "left", layout.left, true, state.dock.leftWidth);
    if (layout.right.width() > 0) drawSplitter(base, "right", layout.right, false, state.dock.rightWidth);
    dragTitle(base, layout);
}

float beginDockedPanel(const Panel& panel, const PanelRect& rect, ImGuiWindowFlags flags)
{
    const bool whole = panel.docked == DockFrame::kWhole;
    if (whole) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
    ImGui::SetCursorScreenPos(rect.min);
    ImGui::BeginChild(std::string(panel.name).c_str(), {rect.width(), std::max(rect.height(), 1.0f)}, false,
                      flags | ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoNav);
    return rect.height();
}

void endDockedPanel() { ImGui::EndChild(); }

std::vector<float> sharedHeights(const std::vector<float>& needed, float room, float gap, float least)
{
    room -= gap * float(needed.size() - 1);
    std::vector<float> heights;
    for (const float need : needed)
        heights.push_back(std::min(need, least));
    if (std::accumulate(heights.begin(), heights.end(), 0.0f) > room) return {};
    // A section whose share would be less than its minimum height gets the minimum.  The others share the rest.
    float left = room, all = std::accumulate(needed.begin(), needed.end(), 0.0f);
    std::vector<bool> parted(needed.size(), true);
    for (bool changed = true; changed;)
    {
        changed = false;
        for (std::size_t i = 0; i < needed.size(); ++i)
        {
            if (!parted[i] || needed[i] * left >= heights[i] * all) continue;
            parted[i] = false, changed = true;
            left -= heights[i], all -= needed[i];
        }
    }
    for (std::size_t i = 0; i < needed.size(); ++i)
        heights[i] = std::floor(parted[i] && all > 0 ? needed[i] * std::min(left / all, 1.0f) : heights[i]);
    return heights;
}

}  // namespace orogen::app
