// Panel state kept between sessions.
#include <algorithm>

#include "app/session/remembered.h"
#include "app/ui/dock_columns.h"
#include "app/ui/ui.h"
#include "compute/modules.h"

namespace orogen::app {

namespace {

bool allowed(const compute::Parameter& parameter, const std::string& value)
{
    return parameter.choices.empty() || value == parameter.standard ||
           std::ranges::find(parameter.choices, value) != parameter.choices.end();
}

// Restores the fields of a module's panel; unknown fields are dropped, invalid choices become defaults.
void recallModule(UiState& state, const std::string& panel, const auto& values)
{
    const compute::Module* module = compute::findModulePanel(panel);
    if (!module) return;
    auto& fields = state.modules[panel];
    for (const compute::Parameter& parameter : module->parameters())
    {
        const auto kept = values.find(parameter.name);
        fields[parameter.name] =
            kept != values.end() && allowed(parameter, kept->second) ? kept->second : parameter.standard;
    }
}

}  // namespace

void Ui::recall(const Remembered& from, bool scaleGiven)
{
    state_.dock = mergedDock(from.dock, dockedPlaces());
    state_.folds = from.folds;
    state_.budgets = {from.budgetMs, from.budgetTriangles};
    if (!scaleGiven) state_.chosenScale = from.uiScale;
    state_.browser.folder = from.browsed;
    CaptureRequest& capture = state_.capture.request;
    capture.path = from.capturePath;
    if (from.captureFrames > 0 && from.captureRuns > 0)
    {
        capture.frames = std::min<std::uint64_t>(from.captureFrames, kMostCaptureFrames);
        capture.warmup = from.captureWarmup;
        capture.runs = std::min<std::uint64_t>(from.captureRuns, kMostCaptureRuns);
    }
    const auto known = std::ranges::find(experiments(), from.experiment, &Experiment::name);
    if (known != experiments().end() && from.leastDepth >= 10 && from.mostDepth >= from.leastDepth)
    {
        state_.laboratory.experiment = from.experiment;
        state_.laboratory.options.leastDepth = from.leastDepth;
        state_.laboratory.options.mostDepth = from.mostDepth;
    }
    state_.pathFile = from.pathFile;
    for (const auto& [panel, values] : from.modules)
        recallModule(state_, panel, values);
}

void Ui::remember(Remembered& to) const
{
    to.dock = state_.dock;
    to.folds = state_.folds;
    to.budgetMs = state_.budgets.milliseconds;
    to.budgetTriangles = state_.budgets.triangles;
    if (state_.chosenScale) to.uiScale = state_.chosenScale;
    to.browsed = state_.browser.folder;
    const CaptureRequest& capture = state_.capture.request;
    to.capturePath = capture.path;
    to.captureFrames = capture.frames;
    to.captureWarmup = capture.warmup;
    to.captureRuns = capture.runs;
    to.experiment = state_.laboratory.experiment;
    to.leastDepth = state_.laboratory.options.leastDepth;
    to.mostDepth = state_.laboratory.options.mostDepth;
    to.pathFile = state_.pathFile;
    to.modules.clear();
    for (const auto& [panel, values] : state_.modules)
        to.modules.emplace(panel, values);
}

}  // namespace orogen::app
