#include "app/ui/panels.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <imgui.h>
#include <imgui_internal.h>

#include "app/ui/dock_columns.h"

namespace orogen::app {

namespace {

constexpr float kBorder = 3;     // space above and below a row (pixels at scale 1)
constexpr float kGroupGap = 14;  // space between groups of buttons (pixels at scale 1)
constexpr const char* kCompute = "compute";
constexpr float kArrowEms = 0.9f;  // width of a menu button's arrow, in font heights

struct BarButton
{
    std::string_view item;
    std::string label;
    std::string_view tooltip;
    bool newGroup = false;                      // separated from the previous button
    bool panel = false;                         // toggles a panel
    bool PictureToolsActions::*tool = nullptr;  // toggles a picture tool
};

std::string shortName(const std::string& file)
{
    constexpr std::size_t kMost = 24;  // bytes
    const std::string name = std::filesystem::path(file).filename().string();
    if (name.size() <= kMost) return name;
    const auto insideLetter = [&](std::size_t at) { return (static_cast<unsigned char>(name[at]) & 0xc0u) == 0x80u; };
    std::size_t head = kMost - 6, tail = name.size() - 3;
    while (head > 0 && insideLetter(head))
        --head;
    while (tail < name.size() && insideLetter(tail))
        ++tail;
    return name.substr(0, head) + "..." + name.substr(tail);
}

std::vector<BarButton> buttonsOf(const Panel& panel)
{
    std::vector<BarButton> buttons = {{"open", "Open\u2026", "Opens a terrain. (Ctrl+O)"}};
    for (const bool open : {true, false})  // panels that are open by default come first
    {
        bool first = true;
        for (const DockedPanel& docked : dockedPanels())
            if (docked.open == open && !docked.underCompute)
                buttons.push_back(
                    {docked.name, std::string(docked.name), docked.tooltip, std::exchange(first, false), true});
    }
    buttons.push_back({kCompute, "Compute", "Arithmetic, linear algebra and the tree's algorithms, on CPU and GPU."});
    buttons.push_back(
        {"info", "Info",
         "What lies under the cursor: height, slope, place, and the leaf of the tree with its outline. (I; "
         "C copies it)",
         true, false, &PictureToolsActions::toggleInfo});
    buttons.push_back({"measure", "Measure",
                       "A line over the ground: click its points. Distances, slope and the profile of heights. (M)",
                       false, false, &PictureToolsActions::toggleMeasure});
    buttons.push_back({"top_view", "Top view", "The triangulation from above, with what the camera sees of it. (T)",
                       false, false, &PictureToolsActions::toggleTop});
    buttons.push_back({"layout", "Layout", "Columns and panels: back to their places, or hidden.", true});
    // This button comes last, so that no other button moves when it disappears.
    if (!panel.model.files.reopen.empty())
        buttons.push_back({"reopen", "Reopen " + shortName(panel.model.files.reopen),
                           "Opens the newest of your own terrains of earlier sessions.", true});
    return buttons;
}

float widthOf(const BarButton& button)
{
    const float arrow = button.item == kCompute ? kArrowEms * ImGui::GetFontSize() : 0;
    return std::ceil(ImGui::CalcTextSize(button.label.c_str()).x + arrow + 2 * ImGui::GetStyle().FramePadding.x);
}

// Returns the buttons' positions (pixels) relative to the upper left corner inside the bar's padding.  Breaks rows at
// `width`, and sets `rows` to their number.
std::vector<ImVec2> placesOf(const std::vector<BarButton>& buttons, float width, float scale, float& rows)
{
    const ImGuiStyle& style = ImGui::GetStyle();
    const float rowHeight = ImGui::GetFrameHeight() + kBorder * scale;
    std::vector<ImVec2> places;
    ImVec2 at{0, 0};
    for (const BarButton& button : buttons)
    {
        const float size = widthOf(button);
        if (at.x > 0 && button.newGroup) at.x += kGroupGap * scale - style.ItemSpacing.x;
        if (at.x > 0 && at.x + size > width) at = {0, at.y + rowHeight};
        places.push_back(at);
        at.x += size + style.ItemSpacing.x;
    }
    rows = 1 + at.y / rowHeight;
    return places;
}

float innerWidth(float width) { return width - 2 * ImGui::GetStyle().WindowPadding.x; }

bool isOn(const Panel& panel, const BarButton& described)
{
    const PictureToolsState& tools = panel.model.tools;
    if (described.tool == &PictureToolsActions::toggleInfo) return tools.pick.on;
    if (described.tool == &PictureToolsActions::toggleMeasure) return tools.measure.open;
    if (described.tool == &PictureToolsActions::toggleTop) return tools.top.open;
    if (described.item == kCompute)
        return std::ranges::any_of(dockedPanels(), [&](const DockedPanel& docked) {
            return docked.underCompute && panel.state.dock.find(docked.name)->open;
        });
    return described.panel && panel.state.dock.find(described.item)->open;
}

bool barButton(const Panel& panel, const BarButton& described)
{
    const bool open = isOn(panel, described);
    ImGui::PushID(described.item.data(), described.item.data() + described.item.size());
    if (open) ImGui::PushStyleColor(ImGuiCol_Text, panel.theme.accent);
    ImGui::PushStyleColor(ImGuiCol_Button, open ? ImGui::GetStyleColorVec4(ImGuiCol_Header) : ImVec4(0, 0, 0, 0));
    const bool menu = described.item == kCompute;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (menu) ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0, 0.5f});
    const bool pressed = ImGui::Button(described.label.c_str(), {widthOf(described), 0});
    if (menu)
    {
        ImGui::PopStyleVar();
        const float em = ImGui::GetFontSize();
        const ImVec2 arrow{at.x + widthOf(described) - ImGui::GetStyle().FramePadding.x - 0.7f * em,
                           at.y + ImGui::GetStyle().FramePadding.y + 0.15f * em};
        ImGui::RenderArrow(ImGui::GetWindowDrawList(), arrow, ImGui::GetColorU32(ImGuiCol_Text), ImGuiDir_Down, 0.7f);
    }
    ImGui::PopStyleColor(1 + int(open));
    endItem(panel, described.item, described.tooltip);
    return pressed;
}

// Draws the menu of compute panels.  Opens it, too, if a script looks for one of the panels.  `button`: upper left
// corner of the menu's button.
void computeMenu(const Panel& panel, ImVec2 button)
{
    for (const DockedPanel& docked : dockedPanels())
        if (docked.underCompute && panel.items.wanted() == "Tools/" + std::string(docked.name))
            ImGui::OpenPopup(kCompute);
    const float gap = kBorder * panel.theme.scale;
    ImGui::SetNextWindowPos({button.x, panel.state.layout.bar.max.y + gap});
    if (!ImGui::BeginPopup(kCompute)) return;
    for (const DockedPanel& docked : dockedPanels())
    {
        if (!docked.underCompute) continue;
        const std::string name(docked.name), what(docked.tooltip);
        if (ImGui::MenuItem(name.c_str(), what.c_str(), panel.state.dock.find(docked.name)->open))
            togglePanel(panel.state, docked.name);
        panel.items.add(panel.name, docked.name);
    }
    ImGui::EndPopup();
}

void layoutMenu(const Panel& panel)
{
    if (!ImGui::BeginPopup("layout")) return;
    if (ImGui::MenuItem("Reset the layout")) resetLayout(panel.state);
    panel.items.add(panel.name, "layout/reset");
    if (ImGui::MenuItem("Hide all panels", "F2")) panel.state.panelsShown = false;
    panel.items.add(panel.name, "layout/hide");
    ImGui::EndPopup();
}

}  // namespace

float toolBarHeight(const Panel& panel, float width)
{
    float rows = 1;
    placesOf(buttonsOf(panel), innerWidth(width), panel.theme.scale, rows);
    const float border = kBorder * panel.theme.scale;
    return rows * (ImGui::GetFrameHeight() + border) + border;
}

void drawToolBar(const Panel& panel, const PanelRect& rect)
{
    const float border = kBorder * panel.theme.scale;
    ImGui::SetNextWindowPos(rect.min);
    ImGui::SetNextWindowSize({rect.width(), rect.height()});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ImGui::GetStyle().WindowPadding.x, border});
    const DockView& docks = panel.state.dockView;
    ImGui::Begin("Tools", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                     (docks.fillsLeft || docks.fillsRight ? ImGuiWindowFlags_NoBackground : 0));
    ImGui::PopStyleVar();
    const std::vector<BarButton> buttons = buttonsOf(panel);
    float rows = 1;
    const std::vector<ImVec2> places = placesOf(buttons, innerWidth(rect.width()), panel.theme.scale, rows);
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i < buttons.size(); ++i)
    {
        ImGui::SetCursorScreenPos({origin.x + places[i].x, origin.y + places[i].y});
        if (!barButton(panel, buttons[i])) continue;
        if (buttons[i].tool)
            panel.actions.tools.*buttons[i].tool = true;
        else if (buttons[i].panel)
            togglePanel(panel.state, buttons[i].item);
        else if (buttons[i].item == "open")
            browseTerrains(panel.state, panel.actions);
        else if (buttons[i].item == "reopen")
            panel.actions.open = panel.model.files.reopen;
        else if (buttons[i].item == "layout")
            ImGui::OpenPopup("layout");
        else if (buttons[i].item == kCompute)
            ImGui::OpenPopup(kCompute);
    }
    const auto compute = std::ranges::find(buttons, kCompute, &BarButton::item);
    computeMenu(panel, {origin.x + places[std::size_t(compute - buttons.begin())].x, origin.y});
    layoutMenu(panel);
    ImGui::End();
}

}  // namespace orogen::app
