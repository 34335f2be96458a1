// The Model panel: a terrain that ages by uplift, rivers, failing slopes and creep, and brushes that change it by hand.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/ui/panels.h"
#include "app/ui/words.h"
#include "core/base/text.h"

namespace orogen::app {
namespace {

// Sets rates at which mountains grow from low hills in a minute of watching.
void usualRates(Settings::Model& model)
{
    model.uplift = 1;
    model.incision = 2e-5;
    model.repose = 35;
    model.creep = 0.01;
    model.stepYears = 20'000;
}

void usualRatesButton(const Panel& panel)
{
    if (button(panel, "usual_rates", "Rates at which mountains grow while one watches. One step for Undo.",
               buttonWidth(panel, 1)))
        usualRates(panel.actions.settings.model);
}

void playButtons(const Panel& panel)
{
    Settings::Model& model = panel.actions.settings.model;
    const TerrainModelState& state = panel.model.terrainModel;
    TerrainModelActions& actions = panel.actions.terrainModel;
    const float quarter = buttonWidth(panel, 4);
    const bool runs = model.play || state.stepsLeft > 0;
    {
        const Disabled disabled(panel, !runs && !anyRate(model) ? "All rates are 0." : "");
        if (button(panel, "play",
                   runs ? "Holds the terrain as it is." : "Lets the terrain age, one step after the other.", quarter,
                   runs ? "Pause" : "Play"))
        {
            model.play = !runs;
            actions.stop = runs;
        }
        ImGui::SameLine();
        if (button(panel, "step", "Computes one step.", quarter)) actions.run = 1;
    }
    ImGui::SameLine();
    if (const Disabled disabled(panel, state.runs == 0 ? "There is no run to take back." : "");
        button(panel, "undo", "Takes the newest run back: all steps since play or step was pressed.", quarter, "Undo"))
    {
        model.play = false;
        actions.undoRun = true;
    }
    ImGui::SameLine();
    if (const Disabled disabled(panel, state.begun ? "" : "Nothing has changed yet.");
        button(panel, "reset", "Returns to the terrain as it was opened.", quarter, "Reset"))
    {
        model.play = false;
        actions.reset = true;
    }
    if (anyRate(panel.model.settings.model)) return;
    textLine(panel.theme.dim, "Nothing would change: all rates are 0.", true);
    usualRatesButton(panel);
}

// Draws the button that toggles between colours by drained area and the lit ground.
void drainageRow(const Panel& panel)
{
    if (panel.model.terrainModel.tiled) return;
    Shading& shading = panel.actions.settings.render.shading;
    const bool shown = shading == Shading::kDrainage;
    if (button(panel, "drainage",
               "Colours the ground by the area that drains through it: rivers are blue. Follows every step.",
               buttonWidth(panel, 1), shown ? "Show sunlight" : "Show drained area"))
        shading = shown ? Shading::kLit : Shading::kDrainage;
}

// Describes the part of a terrain in tiles that changes, and draws the controls that choose another part.
void windowRows(const Panel& panel)
{
    if (!panel.model.terrainModel.tiled) return;
    const std::string& window = panel.model.terrainModel.window;
    valueRow(panel, "changes", window.empty() ? "not chosen yet" : window, {},
             "Samples of a terrain in tiles that the model changes. Around them nothing changes.");
    if (button(panel, "window",
               "Changes the part of the terrain that the camera looks at from now on. Earlier changes stay; only Reset "
               "takes them back.",
               buttonWidth(panel, 1), "Change what is in view"))
        panel.actions.terrainModel.window = true;
    settingRow(panel, "model.level");
}

void saveModelRow(const Panel& panel)
{
    const TerrainModelState& state = panel.model.terrainModel;
    std::string& file = panel.state.modelFile;
    const float third = buttonWidth(panel, 3);
    ImGui::PushID("file");
    ImGui::SetNextItemWidth(2 * third + ImGui::GetStyle().ItemSpacing.x);
    ImGui::InputTextWithHint("##name", "aged.tif", &file);
    endItem(panel, "file", "The GeoTIFF to write: all heights in single precision. An older file is replaced.");
    ImGui::SameLine();
    const Disabled disabled(panel, state.saving   ? "It is being saved."
                                   : file.empty() ? "The field names no file."
                                                  : "");
    if (button(panel, "save", "Writes the terrain as it is now; the viewer opens it like any other.", third,
               state.saving ? "Saving" : "Save"))
        panel.actions.terrainModel.save = file;
}

std::string volumeText(double cubicMetres)
{
    return std::abs(cubicMetres) >= 1e7 ? fmt::format("{:.4g} km\u00b3", 1e-9 * cubicMetres)
                                        : fmt::format("{:.4g} m\u00b3", cubicMetres);
}

// Draws the progress bar of the running work.  Without work, draws an empty bar, so that nothing below the bar moves.
void workBar(const Panel& panel)
{
    const TerrainModelState& state = panel.model.terrainModel;
    const std::string text =
        state.working
            ? capitalised(state.phase) +
                  (state.stepsLeft > 1 ? fmt::format(", {} steps left", grouped(state.stepsLeft)) : std::string())
        : state.begun ? "At rest"
                      : "Not begun";
    ImGui::ProgressBar(state.working ? float(state.fraction) : 0.0f, {-1, 0}, text.c_str());
}

// Draws a row for a figure that is unknown until the first step.
void figureRow(const Panel& panel, const char* name, const std::string& value, const char* tooltip)
{
    const bool stepped = panel.model.terrainModel.all.years > 0;
    valueRow(panel, name, stepped ? value : panel.theme.notMeasured, {}, tooltip);
}

void modelTimeRows(const Panel& panel)
{
    const TerrainModelState& state = panel.model.terrainModel;
    valueRow(panel, "model time", fmt::format("{} years", grouped(state.all.years, 0)), {},
             "Years since the terrain was opened.");
    figureRow(panel, "largest change",
              fmt::format("{:.3g} m, at most {:.2g} px", state.last.largestChange, state.changePixels),
              "Largest change of one height in the newest step, and how far it can have moved in the picture.");
}

void figures(const Panel& panel)
{
    const Fold fold{panel, "balance", "balance and cost"};
    if (!fold) return;
    const TerrainModelState& state = panel.model.terrainModel;
    const compute::ModelBalance& all = state.all;
    const auto row = [&](const char* name, const std::string& value, const char* tooltip) {
        figureRow(panel, name, value, tooltip);
    };
    row("uplifted", volumeText(all.uplifted), "Volume that rose.");
    row("carried away", volumeText(all.cut + all.left), "Volume that rivers cut, and that moved over the border.");
    row("moved downhill", volumeText(all.crept + all.failed), "Volume that crept and failed, from sample to sample.");
    row("imbalance", fmt::format("{:.1e}", all.imbalance()),
        "What these volumes miss of the change of the terrain's volume, relative to all that moved.");
    row("residual",
        state.last.iterations > 0 ? fmt::format("{:.1e} after {}", state.last.residual,
                                                counted(std::uint64_t(state.last.iterations), "iteration"))
                                  : std::string("no creep"),
        "Relative residual of the newest step's creep, which conjugate gradients solve.");
    row("cost of a step",
        fmt::format("{} + {} + {} ms", msText(state.stepMs), msText(state.boundsMs), msText(state.showMs)),
        "Of the model, of the error bounds, and of showing them. The first two are computed beside the frames; the "
        "last "
        "is part of one frame.");
    valueRow(
        panel, "to undo",
        fmt::format("{}, {}, {}", counted(state.runs, "run"), counted(state.strokes, "stroke"),
                    bytesText(state.historyBytes)),
        {}, "Runs and strokes are kept up to 256 MiB each; the oldest go first. A step forgets the strokes before it.");
}

void rates(const Panel& panel)
{
    const Fold fold{panel, "rates", "rates"};
    if (!fold) return;
    settingRow(panel, "model.uplift", {.lowest = 0, .highest = 10});
    settingRow(panel, "model.incision", {.lowest = 0, .highest = 1e-4});
    settingRow(panel, "model.repose");
    settingRow(panel, "model.creep", {.lowest = 0, .highest = 1});
    settingRow(panel, "model.step_years", {.logarithmic = true, .lowest = 10, .highest = 1e6});
    settingRow(panel, "model.backend");
    if (anyRate(panel.model.settings.model)) usualRatesButton(panel);
}

void kindRow(const Panel& panel, BrushChoice& brush)
{
    beginRow(panel, "brush_kind", "Brush");
    const std::string shown = inWords(compute::kBrushNames[std::size_t(brush.kind)]);
    if (ImGui::BeginCombo("##value", shown.c_str(), ImGuiComboFlags_HeightLargest))
    {
        for (std::size_t i = 0; i < compute::kBrushNames.size(); ++i)
        {
            const bool chosen =
                ImGui::Selectable(inWords(compute::kBrushNames[i]).c_str(), std::size_t(brush.kind) == i);
            if (chosen) brush.kind = compute::BrushKind(i);
            panel.items.add(panel.name, fmt::format("brush_kind/{}", compute::kBrushNames[i]));
        }
        ImGui::EndCombo();
    }
    endItem(
        panel, "brush_kind",
        "Raise and lower the ground, smooth it, flatten it to the height at the stroke's start, roughen it, or raise "
        "it left of the stroke as a fault does.");
}

void sizeRow(const Panel& panel, const char* name, const char* label, double& value, double low, double high,
             const std::string& words, const char* tooltip)
{
    beginRow(panel, name, label);
    (void)withText(
        [&] {
            return ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &low, &high, "%.1f",
                                       ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
        },
        [&] { return words; });
    endItem(panel, name, tooltip, sliderGrab(value, low, high, true));
}

void brushes(const Panel& panel)
{
    const Fold fold{panel, "brush", "brush"};
    if (!fold) return;
    const TerrainModelState& state = panel.model.terrainModel;
    TerrainModelActions& actions = panel.actions.terrainModel;
    BrushChoice brush = state.brush;
    kindRow(panel, brush);
    sizeRow(panel, "radius", "Radius", brush.radius, state.leastRadius, std::max(state.mostRadius, state.leastRadius),
            metresText(brush.radius), "The wheel over the picture changes it, too.");
    const bool share = brush.kind == compute::BrushKind::kSmooth || brush.kind == compute::BrushKind::kFlatten;
    {
        const Disabled disabled(panel, share ? "This brush has no strength." : "");
        sizeRow(panel, "strength", "Strength", brush.strength, 0.1, 1000, metresText(brush.strength) + " a second",
                "In the brush's middle, while it rests. A fast stroke changes less.");
    }
    if (!(brush == state.brush)) actions.brush = brush;
    const float third = buttonWidth(panel, 3);
    actions.toggleBrush |= button(panel, "paint", "A drag in the picture paints, until Escape. (B)", third,
                                  state.brushing ? "Stop painting" : "Paint");
    ImGui::SameLine();
    {
        const Disabled disabled(panel, state.strokes == 0 ? "There is no stroke to take back." : "");
        actions.undoStroke |=
            button(panel, "undo_stroke", "Takes the newest stroke back. (Ctrl+Z while painting)", third);
    }
    ImGui::SameLine();
    const Disabled disabled(panel, state.undone == 0 ? "No stroke was taken back." : "");
    actions.redoStroke |= button(panel, "redo_stroke", "Does it again. (Ctrl+Y while painting)", third);
}

}  // namespace

float drawModelPanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    const TerrainModelState& state = panel.model.terrainModel;
    if (!panel.model.terrain || !state.unavailable.empty())
        textLine(panel.theme.dim, state.unavailable.empty() ? "No terrain is open." : state.unavailable, true);
    else
    {
        playButtons(panel);
        workBar(panel);
        modelTimeRows(panel);
        windowRows(panel);
        drainageRow(panel);
        brushes(panel);
        rates(panel);
        saveModelRow(panel);
        figures(panel);
    }
    endPanel(panel);
    return height;
}

void readBrush(const UiModel& model, UiActions& actions)
{
    const ImGuiIO& io = ImGui::GetIO();
    TerrainModelActions& asked = actions.terrainModel;
    const TerrainModelState& state = model.terrainModel;
    if (!io.WantTextInput && !io.KeyCtrl && ImGui::IsKeyPressed(GLFW_KEY_B, false)) asked.toggleBrush = true;
    if (!state.brushing) return;
    if (!io.WantTextInput && ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) && !popupOpen()) asked.toggleBrush = true;
    constexpr int kLeft = ImGuiMouseButton_Left;
    const bool paints =
        model.pictured && ImGui::IsMouseDown(kLeft) && !io.MouseDownOwned[kLeft] && ImGui::IsMousePosValid();
    if (paints)
        asked.paint = BrushMove{.cursor = cursorPosition(),
                                .seconds = ImGui::IsMouseClicked(kLeft) ? 0.0 : double(std::min(io.DeltaTime, 0.25f)),
                                .begins = ImGui::IsMouseClicked(kLeft)};
    const bool held = std::ranges::any_of(io.MouseDown, [](bool down) { return down; });
    if (!io.WantCaptureMouse && !held && io.MouseWheel != 0) asked.resizeBrush = io.MouseWheel > 0 ? 1 : -1;
    actions.tools.clicked.reset();
}

void leaveMouseToBrush(const UiModel& model, UiActions& actions)
{
    if (!model.terrainModel.brushing) return;
    actions.camera.turnX = actions.camera.turnY = 0;
    actions.camera.zoom = 0;
    actions.camera.flyTo.reset();
}

}  // namespace orogen::app
