// A compute module's panel: parameters, the current run, the newest result, and past runs.
#include "app/ui/module_panel.h"

#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
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

// Draws a one-line summary of the newest run; the full result stands below the parameters.
void newestLine(const Panel& panel, const ModuleRun* run)
{
    if (!run) return textLine(panel.theme.dim, "No run yet");
    if (run->state == compute::JobState::kFailed) return textLine(panel.theme.error, "Failed, for the reason below");
    if (!run->result) return textLine(panel.theme.warning, "Cancelled");
    const compute::JobResult& result = *run->result;
    const auto main = std::ranges::find(result.times, result.mainTime, &compute::Timing::name);
    const double ms = main == result.times.end() ? run->ms : main->ms;
    const bool right = result.exitCode == ExitCode::kDone;
    textLine(right ? panel.theme.dim : panel.theme.error,
             fmt::format("Newest: {} ms, {}", msText(ms), right ? "checked" : "not solved or not equal"));
}

// Draws the switch that keeps frames coming during a run; without it a finished picture is not redrawn.
void framesRow(const Panel& panel)
{
    bool keeps = panel.model.compute->keepsFrames();
    ImGui::PushID("draw_frames");
    if (ImGui::Checkbox(inWords("draw_frames").c_str(), &keeps)) panel.actions.keepFrames = keeps;
    endItem(panel, "draw_frames",
            "Draws the terrain all the time while a module runs or is swept, also where nothing in the picture "
            "changes. Performance then shows what the run does to the frame time. The frames take a share of the "
            "processor or the GPU: the times of the run grow.\n\nDefault: off.");
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
    const std::vector<ModuleRun>& runs = panel.model.compute->runs(module.name());
    const auto over = [](const ModuleRun& run) { return run.state != compute::JobState::kRunning; };
    const auto newest = std::find_if(runs.rbegin(), runs.rend(), over);
    runRow(panel, module);
    newestLine(panel, newest == runs.rend() ? nullptr : &*newest);
    framesRow(panel);
    drawModuleControls(panel, module);
    if (newest != runs.rend()) drawModuleResult(panel, *newest);
    drawModulePlots(panel, module);
    drawModuleSweep(panel, module);
    drawModuleDevice(panel, module);
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
