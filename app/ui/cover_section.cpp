#include "app/ui/cover_section.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/fold.h"

namespace orogen::app {
namespace {

// Relief as a share of the terrain's longer side.  Below kLowRelief a view of the whole terrain looks flat: the shipped
// mountains have 3 %, the San Gabriel Mountains 6 %, a coast and a plain below 1 %.
constexpr double kLowRelief = 0.015, kGoodRelief = 0.03;

}  // namespace

void drawImageSection(const Panel& panel)
{
    const Fold fold{panel, "image", "draped image", false};
    if (!fold) return;
    const CoverState& cover = panel.model.cover;
    const bool any = !cover.image.empty();
    beginRow(panel, "image_file");
    const std::string& hint = any ? cover.image : std::string("PNG or TIFF");
    const bool entered =
        ImGui::InputTextWithHint("##path", hint.c_str(), &panel.state.imageFile, ImGuiInputTextFlags_EnterReturnsTrue);
    endItem(panel, "image_file",
            "A picture to drape over the terrain. A GeoTIFF or a picture with a world file keeps its coordinates, any "
            "other is stretched over the terrain.");
    const float half = buttonWidth(panel, 2);
    ImGui::BeginDisabled(panel.state.imageFile.empty());
    const bool pressed = button(panel, "drape", "Lays the picture over the terrain.", half);
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!any);
    panel.actions.cover.dropImage |= button(panel, "take_away", "Shows the ground's own colours again.", half);
    ImGui::EndDisabled();
    if ((entered || pressed) && !panel.state.imageFile.empty()) panel.actions.cover.openImage = panel.state.imageFile;
    if (cover.imageOnItsWay) textLine(panel.theme.accent, fmt::format("reading: {:.0f} %", 100 * *cover.imageOnItsWay));
}

std::optional<int> exaggerationFor(const TerrainInfo& terrain)
{
    const double side = std::max((terrain.width - 1) * terrain.pixelWidth, (terrain.height - 1) * terrain.pixelHeight);
    const double relief = terrain.maxHeight - terrain.minHeight;
    if (!(relief > 0) || !(side > 0) || relief >= kLowRelief * side) return std::nullopt;
    for (const int factor : {2, 3, 5})
        if (relief * factor >= kGoodRelief * side) return factor;
    return 10;
}

void drawReliefOffer(const Panel& panel)
{
    if (!panel.model.terrain || panel.actions.settings.terrain.heightScale != 1.0f) return;
    const std::optional<int> factor = exaggerationFor(*panel.model.terrain);
    if (!factor) return;
    textLine(panel.theme.dim, fmt::format("Low relief: {} times as high it would show.", *factor), true);
    if (button(panel, "exaggerate_heights",
               fmt::format("Draws every height {} times as high. The setting terrain.height_scale shows and resets it.",
                           *factor),
               buttonWidth(panel, 1)))
        applySetting(panel, "terrain.height_scale", std::to_string(*factor));
}

}  // namespace orogen::app
