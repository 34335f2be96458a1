// Filling the open terrain's voids: a part of the Terrain panel.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/panels.h"
#include "app/ui/plot.h"

namespace orogen::app {

namespace {

void progress(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    const float cancel = ImGui::CalcTextSize("cancel_fill").x + 2 * ImGui::GetStyle().FramePadding.x;
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
    panel.actions.undoFill |= button(panel, "undo_fill", "Makes them voids again.", half);
    ImGui::EndDisabled();
}

}  // namespace

void drawVoidSection(const Panel& panel)
{
    const VoidState& voids = panel.model.voids;
    if (voids.filled > 0) textLine(panel.theme.dim, fmt::format("{} voids filled", grouped(voids.filled)), true);
    voids.running ? progress(panel) : buttons(panel);
    if (voids.history.size() >= 2)
        drawConvergence(panel, "residual",
                        {.name = "relative residual",
                         .goal = voids.tolerance,
                         .steps = voids.history.size(),
                         .values = voids.history});
}

}  // namespace orogen::app
