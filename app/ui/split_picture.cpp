// Split picture: two sets of settings, or two terrains, seen by one camera on the left and the right side.  This file
// draws its section of the View panel, and over the picture the divider and the labels of the sides.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/model/format.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

constexpr float kGrip = 16;  // width of the strip that can be dragged (pixels at scale 1)

std::string sideTime(const Panel& panel, const std::optional<double>& ms)
{
    return ms ? msText(*ms) + " ms" : panel.theme.notMeasured;
}

void label(ImVec2 at, const std::string& text)
{
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const ImVec2 size = ImGui::CalcTextSize(text.c_str()), pad{6, 3};
    list.AddRectFilled({at.x - pad.x, at.y - pad.y}, {at.x + size.x + pad.x, at.y + size.y + pad.y},
                       IM_COL32(14, 18, 24, 190), 3);
    list.AddText(at, IM_COL32(255, 255, 255, 240), text.c_str());
}

// Writes the name and frame time of each side at the top of the picture, beside the divider.  Omits a name that does
// not fit.  If the picture shows the difference of the sides, writes one line for both sides, and a key of the colours.
void labels(const Panel& panel, const SplitState& split, const PanelRect& rect, float divider)
{
    const float gap = 14 * panel.theme.scale, top = rect.min.y + gap;
    const std::string left = split.loading ? "loading" : sideTime(panel, split.leftMs);
    const std::string right = sideTime(panel, split.rightMs);
    if (split.view.difference)
    {
        label({rect.min.x + gap, top},
              fmt::format("Difference: {}  {}, {}  {}", split.names.left, left, split.names.right, right));
        return label({rect.min.x + gap, top + ImGui::GetTextLineHeight() + 8 * panel.theme.scale},
                     "grey 0, blue 1, magenta 16, yellow 255");
    }
    const auto shown = [](const std::string& name, const std::string& time, float room) -> std::string {
        for (const std::string& text : {name + "  " + time, time})
            if (ImGui::CalcTextSize(text.c_str()).x < room) return text;
        return {};
    };
    const std::string before = shown(split.names.left, left, divider - rect.min.x - 2 * gap);
    const std::string after = shown(split.names.right, right, rect.max.x - divider - 2 * gap);
    if (!before.empty()) label({divider - gap - ImGui::CalcTextSize(before.c_str()).x, top}, before);
    if (!after.empty()) label({divider + gap, top}, after);
}

// Draws the divider's handle and moves the divider while the user drags it.  The ImGui window of the handle takes the
// mouse, so that the camera does not turn.
void grip(const Panel& panel, const SplitState& split, const PanelRect& rect, float divider)
{
    const float width = kGrip * panel.theme.scale, display = ImGui::GetIO().DisplaySize.x;
    ImGui::SetNextWindowPos({divider - width / 2, rect.min.y});
    ImGui::SetNextWindowSize({width, rect.height()});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin("##split", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground |
                     ImGuiWindowFlags_NoBringToFrontOnFocus);
    ImGui::PushID("divider");
    ImGui::InvisibleButton("grip", {width, rect.height()});
    const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
    panel.items.add(panel.name, "divider");
    ImGui::PopID();
    if (held || hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const float height = 44 * panel.theme.scale, middle = (rect.min.y + rect.max.y) / 2;
    ImGui::GetWindowDrawList()->AddRectFilled(
        {divider - width / 4, middle - height / 2}, {divider + width / 4, middle + height / 2},
        held || hovered ? IM_COL32(255, 255, 255, 255) : IM_COL32(255, 255, 255, 200), width / 4);
    ImGui::End();
    ImGui::PopStyleVar(2);
    if (!held || display <= 0) return;
    SplitView view = split.view;
    view.divider = double(std::clamp(ImGui::GetIO().MousePos.x, rect.min.x, rect.max.x) / display);
    if (!(view == split.view)) panel.actions.split.view = view;
}

}  // namespace

void drawSplit(const Panel& panel, const PanelRect& rect)
{
    const std::optional<SplitState>& split = panel.model.split;
    if (!split || rect.width() <= 0) return;
    const auto divider = float(std::round(split->view.divider * double(ImGui::GetIO().DisplaySize.x)));
    labels(panel, *split, rect, divider);
    if (!split->view.difference && divider >= rect.min.x && divider <= rect.max.x) grip(panel, *split, rect, divider);
}

void drawSplitSection(const Panel& panel)
{
    const std::optional<SplitState>& split = panel.model.split;
    const Fold fold{panel, "split", "split picture", split.has_value()};
    if (!fold) return;
    SplitActions& actions = panel.actions.split;
    if (!split)
    {
        const Disabled disabled(panel, whyNoTerrain(panel.model));
        if (button(panel, "split",
                   "Keeps the settings as they are for the left side, A. Change some: the right side, B, follows.",
                   buttonWidth(panel, 1)))
            actions.open = panel.actions.settings;
        return;
    }
    valueRow(panel, split->names.left, split->loading ? "loading" : sideTime(panel, split->leftMs), {},
             "Time of a frame of the left side.");
    valueRow(panel, split->names.right, sideTime(panel, split->rightMs), {}, "Time of a frame of the right side.");
    SplitView view = split->view;
    const double low = 0, high = 1;
    beginRow(panel, "split_at");
    ImGui::SliderScalar("##value", ImGuiDataType_Double, &view.divider, &low, &high, "%.2f",
                        ImGuiSliderFlags_AlwaysClamp);
    endItem(panel, "split_at", "Place of the divider. It can be dragged in the picture, too.",
            sliderGrab(view.divider, low, high, false));
    beginRow(panel, "split_difference");
    ImGui::Checkbox("##difference", &view.difference);
    endItem(panel, "split_difference", "Shows in colours where the sides differ, and how much.");
    if (!(view == split->view)) actions.view = view;
    actions.close |=
        button(panel, "close_split", "Shows one picture again, with the settings of B.", buttonWidth(panel, 1));
}

}  // namespace orogen::app
