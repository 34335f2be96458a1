// A compute module's panel: its parameters as controls, its run, what came of it, and the runs before.
#include "app/ui/module_panel.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/panels.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

void runRow(const Panel& panel, const compute::Module& module)
{
    if (const auto progress = panel.model.compute->progress(module.name()))
    {
        const std::string text = fmt::format("{}, {:.1f} s", capitalised(progress->phase), progress->seconds);
        ImGui::ProgressBar(float(progress->fraction), {-1, 0}, "");
        textLine(panel.theme.dim, text, true);
        if (button(panel, "cancel", "Stops the run, and what is left of a sweep.", buttonWidth(panel, 1)))
            panel.actions.cancelModule = std::string(module.name());
        return;
    }
    if (button(panel, "run", "Runs it on a thread of its own; the terrain keeps moving.", buttonWidth(panel, 1)))
        panel.actions.runModule = moduleRequest(panel, module);
}

}  // namespace

float drawModulePanel(const Panel& panel, const PanelRect& rect)
{
    const compute::Module& module = *compute::findModulePanel(panel.name);
    const float height = beginPanel(panel, rect, 0, module.description().title);
    if (!panel.model.compute)
    {
        endPanel(panel);
        return height;
    }
    drawModuleControls(panel, module);
    runRow(panel, module);
    const std::vector<ModuleRun>& runs = panel.model.compute->runs(module.name());
    const auto over = [](const ModuleRun& run) { return run.state != compute::JobState::kRunning; };
    const auto newest = std::find_if(runs.rbegin(), runs.rend(), over);
    if (newest != runs.rend()) drawModuleResult(panel, *newest);
    drawModulePlots(panel, module);
    drawModuleSweep(panel, module);
    drawModuleDevice(panel, module);
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
