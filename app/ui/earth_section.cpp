// Earth controls: insets, places to go to, bookmarks, and the scale bar over the picture.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/fold.h"
#include "app/ui/format.h"
#include "app/ui/panels.h"
#include "core/planet/place_text.h"
#include "core/view/earth_view.h"

namespace orogen::app {

namespace {

void insetRow(const Panel& panel, const Inset& inset, std::size_t number)
{
    EarthActions& actions = panel.actions.earth;
    textLine(panel.theme.text, inset.name, true);
    textLine(panel.theme.dim,
             fmt::format("{} a sample · {:.3f} to {:.3f}° E, {:.3f} to {:.3f}° N · {}", metresText(inset.spacing),
                         inset.extent.west, inset.extent.east, inset.extent.south, inset.extent.north, inset.note),
             true);
    const float half = buttonWidth(panel, 2);
    if (button(panel, fmt::format("inset_{}/show", number + 1), "Goes to it.", half, "Go to"))
        actions.showInset = number;
    ImGui::SameLine();
    if (button(panel, fmt::format("inset_{}/remove", number + 1), "Takes it out of the Earth.", half, "Remove"))
        actions.dropInset = number;
}

// Draws the field for "LAT,LON,HEIGHT"; Enter or the button goes there.
void goToRow(const Panel& panel)
{
    std::string& text = panel.state.goTo;
    const float go = ImGui::CalcTextSize("Go").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::PushID("goto");
    ImGui::SetNextItemWidth(-go - ImGui::GetStyle().ItemSpacing.x);
    const bool entered =
        ImGui::InputTextWithHint("##place", "latitude, longitude, height", &text, ImGuiInputTextFlags_EnterReturnsTrue);
    endItem(panel, "goto",
            "Degrees north and east, metres above the sea: 46.55,7.98,4000. North up; straight down from 100 km on. "
            "(--goto)");
    ImGui::SameLine();
    const bool pressed = button(panel, "go", "Goes there.", go, "Go");
    if ((!entered && !pressed) || text.empty()) return;
    if (const Result<Geodetic> place = placeIn(text))
        panel.actions.earth.goTo = *place;
    else
        panel.actions.refused.push_back(place.error().message);
}

void bookmarkRow(const Panel& panel, const EarthState& earth)
{
    const float width = buttonWidth(panel, 2 * kBookmarks);
    for (int number = 1; number <= kBookmarks; ++number)
    {
        if (number > 1) ImGui::SameLine();
        const bool kept = earth.bookmarks[std::size_t(number - 1)];
        ImGui::BeginDisabled(!kept);
        if (button(panel, fmt::format("bookmark_{}", number),
                   kept ? fmt::format("Goes to bookmark {0}. ({0})", number)
                        : fmt::format("Bookmark {0} keeps no view yet: Ctrl+{0} keeps this one.", number),
                   width, fmt::format("{}", number)))
            panel.actions.earth.goToBookmark = number;
        ImGui::EndDisabled();
        ImGui::SameLine();
        if (button(panel, fmt::format("keep_{}", number),
                   fmt::format("Keeps this view as bookmark {0}. (Ctrl+{0})", number), width, "Keep"))
            panel.actions.earth.setBookmark = number;
    }
}

}  // namespace

void drawInsetsSection(const Panel& panel)
{
    const std::optional<EarthState>& earth = panel.model.tools.earth;
    if (!earth) return;
    const Fold fold{panel, "insets", "in the earth"};
    if (!fold) return;
    if (earth->insets.empty())
        textLine(panel.theme.dim, "The relief alone: drop elevation models on the window to lay them in", true);
    for (std::size_t i = 0; i < earth->insets.size(); ++i)
        insetRow(panel, earth->insets[i], i);
}

void drawPlaceSection(const Panel& panel)
{
    const Fold fold{panel, "places", "places", panel.model.tools.earth.has_value()};
    if (!fold) return;
    goToRow(panel);
    const std::optional<EarthState>& earth = panel.model.tools.earth;
    if (!earth) return;
    bookmarkRow(panel, *earth);
}

void drawScaleBar(const Panel& panel, const PanelRect& rect)
{
    const std::optional<EarthState>& earth = panel.model.tools.earth;
    if (!earth || earth->bar.metres <= 0) return;
    const Theme& theme = panel.theme;
    const std::string text = metresText(earth->bar.metres);
    const float length = float(earth->bar.pixels), tick = 5 * theme.scale, margin = 12 * theme.scale;
    if (rect.width() < length + 2 * margin || rect.height() < 4 * margin) return;
    const ImVec2 right(rect.max.x - margin, rect.max.y - margin), left(right.x - length, right.y);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const auto draw = [&](ImU32 colour, float width) {
        const ImVec2 line[] = {{left.x, left.y - tick}, left, right, {right.x, right.y - tick}};
        list.AddPolyline(line, 4, colour, 0, width);
    };
    draw(IM_COL32(0, 0, 0, 160), 3.5f * theme.scale);
    draw(IM_COL32(255, 255, 255, 230), 1.5f * theme.scale);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const ImVec2 at((left.x + right.x - size.x) / 2, left.y - tick - size.y);
    list.AddText({at.x + 1, at.y + 1}, IM_COL32(0, 0, 0, 200), text.c_str());
    list.AddText(at, IM_COL32(255, 255, 255, 240), text.c_str());
    panel.items.addRect("Picture/scale", {.min = {left.x, at.y},
                                          .max = right,
                                          .visibleMin = {left.x, at.y},
                                          .visibleMax = right,
                                          .handle = at,
                                          .window = "Picture"});
}

}  // namespace orogen::app
