// The View panel: camera position and direction.
#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/command_text.h"
#include "app/ui/fold.h"
#include "app/ui/format.h"
#include "app/ui/panels.h"

namespace orogen::app {

namespace {

// Draws one coordinate of view.position: drag it, or Ctrl+click and type.
void positionRow(const Panel& panel, int axis, std::string_view name, double metresPerPixel)
{
    Settings& settings = panel.actions.settings;
    const auto pending = panel.state.pending.find(name);
    double value = pending != panel.state.pending.end() ? pending->second : settings.view.position[axis];
    const auto apply = [&] {
        glm::dvec3 position = settings.view.position;
        position[axis] = value;
        applySetting(panel, "view.position", fmt::format("{},{},{}", position.x, position.y, position.z));
    };
    beginRow(panel, name);
    const bool changed = withText(
        [&] {
            return ImGui::DragScalar("##value", ImGuiDataType_Double, &value, float(metresPerPixel), nullptr, nullptr,
                                     "%.1f");
        },
        [&] { return grouped(value, 1) + " m"; });
    if (changed && ImGui::GetIO().WantTextInput)
        panel.state.pending.insert_or_assign(std::string(name), value);
    else if (changed)
        apply();
    if (pending != panel.state.pending.end() && !ImGui::IsItemActive())
    {
        apply();
        panel.state.pending.erase(pending);
    }
    endItem(panel, name,
            axis == 2 ? "Metres above the sea.\n\nview.position\nCtrl+click: type a value."
                      : "Metres from the terrain's centre.\n\nview.position\nCtrl+click: type a value.");
}

// Shows the camera's place on the Earth; dashes until the Earth is loaded.
void earthRows(const Panel& panel, const std::optional<EarthState>& earth)
{
    const std::string& dash = panel.theme.notMeasured;
    valueRow(panel, "place", earth ? placeWords(earth->camera, earth->camera.height) : dash, {},
             "Latitude and longitude of the camera.");
    valueRow(panel, "height", earth ? metresText(earth->camera.height) : dash, {},
             "Above the sea, which is the ellipsoid here.");
}

}  // namespace

float drawViewPanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    const UiModel& model = panel.model;
    const bool map = panel.actions.settings.view.mode == ViewMode::kMap;
    const double metresPerPixel = std::max(model.heightAboveGround.value_or(1000.0), 10.0) * 0.002;

    const std::optional<EarthState>& earth = model.tools.earth;
    const bool onEarth = panel.actions.settings.world == World::kEarth;
    settingRow(panel, "view.mode", {.disabled = onEarth});
    if (onEarth) earthRows(panel, earth);
    const std::string& dash = panel.theme.notMeasured;
    const std::string above = model.heightAboveGround ? metresText(*model.heightAboveGround) : dash;
    valueRow(panel, above + " above ground", (model.speed ? metresText(*model.speed) : dash) + "/s");
    valueRow(panel, "synthetic below", model.syntheticBelow ? metresText(*model.syntheticBelow) : dash, {},
             "Ground detail below this size is procedural, not measured.");
    const float third = buttonWidth(panel, 3);
    panel.actions.home |=
        button(panel, "home", earth ? "The whole Earth in view. (Home)" : "The whole terrain in view. (Home)", third);
    ImGui::SameLine();
    if (button(panel, "copy", "Copies this view as options of the command line.", third))
        copyText(panel, viewAsOptions(panel.actions.settings), "the view as options of the command line");
    ImGui::SameLine();
    panel.actions.screenshot |= button(panel, "screenshot", "Writes the picture into a PNG file. (F12)", third);
    if (const Fold fold{panel, "position", "position and direction", false})
    {
        if (!onEarth)
        {
            positionRow(panel, 0, "east", metresPerPixel);
            positionRow(panel, 1, "north", metresPerPixel);
            positionRow(panel, 2, "up", metresPerPixel);
        }
        settingRow(panel, "view.yaw", {.lowest = 0.0, .highest = 360.0, .disabled = map});
        settingRow(panel, "view.pitch", {.disabled = map});
        settingRow(panel, "view.fov", {.lowest = 20.0, .highest = 120.0});
    }
    drawPlaceSection(panel);
    drawPathSection(panel);
    drawInterfaceSection(panel);
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
