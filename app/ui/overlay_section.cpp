// Section of the Terrain panel: overlays on the ground.
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"

namespace orogen::app {

void drawOverlaySection(const Panel& panel)
{
    const Fold fold{panel, "overlays", "tracks and points", false};
    if (!fold) return;
    OverlayActions& actions = panel.actions.tools.overlays;
    beginRow(panel, "overlay_file");
    const bool entered = ImGui::InputTextWithHint("##path", "GPX or GeoJSON", &panel.state.overlayFile,
                                                  ImGuiInputTextFlags_EnterReturnsTrue);
    endItem(
        panel, "overlay_file",
        "A file of tracks, lines, polygons or points to draw on the ground; Enter opens it. Files can be dropped on "
        "the window. (--overlay)");
    if (entered && !panel.state.overlayFile.empty()) actions.open.push_back(panel.state.overlayFile);
    const std::vector<OverlayState>& overlays = panel.model.tools.overlays;
    if (overlays.empty()) textLine(panel.theme.dim, "none is open");
    for (std::size_t i = 0; i < overlays.size(); ++i)
    {
        const OverlayState& overlay = overlays[i];
        const auto item = [i](const char* name) { return fmt::format("overlay_{}/{}", i + 1, name); };
        ImGui::PushID(int(i));
        bool visible = overlay.visible;
        ImGui::PushID("visible");
        if (ImGui::Checkbox("##visible", &visible)) actions.show = {i, visible};
        endItem(panel, item("visible"), "Shows this overlay.");
        ImGui::SameLine();
        glm::vec3 colour = overlay.colour;
        ImGui::PushID("colour");
        if (ImGui::ColorEdit3("##colour", &colour.x, ImGuiColorEditFlags_NoInputs | ImGuiColorEditFlags_NoTooltip))
            actions.colour = {i, colour};
        endItem(panel, item("colour"), "Its colour.");
        ImGui::SameLine();
        textLine(visible ? panel.theme.text : panel.theme.dim, overlay.name);
        const auto counted = [](std::size_t count, const char* what) {
            return fmt::format("{} {}{}", grouped(std::uint64_t(count)), what, count == 1 ? "" : "s");
        };
        std::string holds;
        if (overlay.lines > 0)
            holds = fmt::format("{} of {} vertices", counted(overlay.lines, "line"),
                                grouped(std::uint64_t(overlay.vertices)));
        if (overlay.points > 0) holds += (holds.empty() ? "" : ", ") + counted(overlay.points, "point");
        textLine(panel.theme.dim, holds);
        const float half = buttonWidth(panel, 2);
        if (button(panel, item("show"), "Moves the camera to it.", half, "Go to")) actions.goTo = i;
        ImGui::SameLine();
        if (button(panel, item("remove"), "Closes it; the file stays.", half, "Remove")) actions.remove = i;
        ImGui::PopID();
    }
}

}  // namespace orogen::app
