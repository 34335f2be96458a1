// Section of the Terrain panel that fills the open terrain's voids.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/convergence_plot.h"
#include "app/ui/format.h"
#include "app/ui/panels.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

void progress(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    const float cancel = ImGui::CalcTextSize(inWords("cancel_fill").c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::ProgressBar(float(std::clamp(voids.fraction, 0.0, 1.0)), {-cancel - ImGui::GetStyle().ItemSpacing.x, 0},
                       fmt::format("{:.1f} s", voids.seconds).c_str());
    ImGui::SameLine();
    panel.actions.cancelFill |= button(panel, "cancel_fill", "Leaves the terrain as it is shown.");
    textLine(panel.theme.dim, voids.phase, true);
}

void buttons(const Panel& panel)
{
    const float half = buttonWidth(panel, 2);
    ImGui::BeginDisabled(panel.model.terrain->voids == 0);
    panel.actions.fillVoids |= button(panel, "fill_voids",
                                      "Makes each void the mean of its neighbours, by conjugate gradients on a thread "
                                      "of its own; the terrain keeps moving.",
                                      half);
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(panel.model.voids.filled == 0);
    panel.actions.undoFill |= button(panel, "undo_fill", "Restores the voids.", half);
    ImGui::EndDisabled();
}

// Draws the row that saves filled heights.  An existing file is replaced only on a second click with the same name.
void saveRow(const Panel& panel)
{
    UiState& state = panel.state;
    const SourceState& source = panel.model.source;
    if (source.saving)
    {
        ImGui::ProgressBar(float(std::clamp(source.savingFraction, 0.0, 1.0)), {-1, 0}, "saving filled heights");
        return;
    }
    if (std::exchange(state.filledFor, source.dem) != source.dem)
    {
        state.filledFile = std::filesystem::path(source.dem).replace_extension().string() + "-filled.tif";
        state.replaceFilled = false;
    }
    const char* label = state.replaceFilled ? "replace it" : "save";
    const float width = ImGui::CalcTextSize("replace it").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::PushID("filled_file");
    ImGui::SetNextItemWidth(-width - ImGui::GetStyle().ItemSpacing.x);
    if (ImGui::InputTextWithHint("##file", "filled.tif", &state.filledFile)) state.replaceFilled = false;
    endItem(panel, "filled_file", "The file that gets the heights with their voids filled, as GeoTIFF.");
    ImGui::SameLine();
    ImGui::BeginDisabled(state.filledFile.empty());
    ImGui::PushID("save_filled");
    const bool pressed = ImGui::Button(label, {width, 0});
    endItem(panel, "save_filled",
            "Saves the heights with their voids filled: what orogen info --fill-voids writes. The source is never "
            "replaced, another file that is there only after a second click.");
    ImGui::EndDisabled();
    if (!pressed) return;
    std::error_code ignored;
    const bool there = std::filesystem::exists(state.filledFile, ignored);
    if (there && !state.replaceFilled)
    {
        state.replaceFilled = true;
        panel.actions.refused.push_back(state.filledFile + ": is there already; a second click replaces it");
        return;
    }
    panel.actions.source.saveFilled = SaveFilled{state.filledFile, state.replaceFilled};
    state.replaceFilled = false;
}

}  // namespace

void drawVoidSection(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    if (voids.filled > 0) textLine(panel.theme.dim, fmt::format("{} voids filled", grouped(voids.filled)), true);
    voids.running ? progress(panel) : buttons(panel);
    if (voids.filled > 0 && !panel.model.source.dem.empty()) saveRow(panel);
    if (voids.history.size() >= 2)
        drawConvergence(panel, "residual",
                        {.name = "relative residual",
                         .goal = voids.tolerance,
                         .steps = voids.history.size(),
                         .values = voids.history});
}

}  // namespace orogen::app
