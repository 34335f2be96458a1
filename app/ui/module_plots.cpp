// Plots of a compute module's runs: residuals, times, speed-ups.
#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/session/compute_saving.h"
#include "app/ui/convergence_plot.h"
#include "app/ui/format.h"
#include "app/ui/module_panel.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

// ---- residuals ----

constexpr std::size_t kMostCurves = 6;  // more could not be told apart

// Returns up to `most` runs that have a residual curve, newest first.
std::vector<const ModuleRun*> runsWithCurves(const std::vector<ModuleRun>& runs, std::size_t most)
{
    std::vector<const ModuleRun*> with;
    for (auto run = runs.rbegin(); run != runs.rend() && with.size() < most; ++run)
        if (run->curve.values.size() >= 2) with.push_back(&*run);
    return with;
}

std::string valueIn(const ModuleRequest& request, const std::string& name)
{
    const auto found = std::ranges::find(request.assignments, name, &std::pair<std::string, std::string>::first);
    return found == request.assignments.end() ? "" : found->second;
}

std::string algorithmOf(const ModuleRun& run)
{
    if (!run.result) return std::string(compute::textOf(run.state));
    const auto algorithm = run.result->json->find("algorithm");
    return algorithm == run.result->json->end() ? "" : algorithm->get<std::string>();
}

// Returns "symmetric-half, random 1000": the algorithm, and the parameters that differ among the runs.
std::string nameAmong(const ModuleRun& run, const std::vector<const ModuleRun*>& others)
{
    std::string name = algorithmOf(run);
    for (const auto& [key, value] : run.request.assignments)
    {
        const bool common =
            std::ranges::all_of(others, [&](const ModuleRun* other) { return valueIn(other->request, key) == value; });
        if (!common && key != "algorithm") name += fmt::format(", {} {}", inWords(key), value);
    }
    return name;
}

void residuals(const Panel& panel, const std::vector<ModuleRun>& runs, std::string_view module)
{
    const auto progress = panel.model.compute->progress(module);
    const bool live = progress && progress->curve.values.size() >= 2;
    const std::vector<const ModuleRun*> past = runsWithCurves(runs, kMostCurves - live);
    std::vector<NamedCurve> curves;
    if (live) curves.push_back({"now", &progress->curve});
    for (const ModuleRun* run : past)
        curves.push_back({nameAmong(*run, past), &run->curve});
    if (curves.empty()) return;
    section(panel, curves.size() > 1 ? "residuals of the newest runs" : "residual");
    drawConvergences(panel, "curve", curves);
}

// ---- times and speed-ups ----

// Plot of a quantity over past runs, oldest first, with a tooltip text for each run.
struct PastRuns
{
    Plot plot;
    std::string title{};
    std::vector<std::string> words{};

    void add(const ModuleRun& run, const PlotPoint& point, const std::string& text)
    {
        plot.series.front().points.push_back(point);
        words.push_back(fmt::format("{}\n{}", commandOf(run.request), text));
    }
};

PastRuns pastRuns(const Panel& panel, const char* item, PlotAxis axis)
{
    axis.logarithmic = axis.tight = true;
    return {.plot = {.item = item,
                     .height = 128,
                     .x = {.name = "run, oldest first", .whole = true},
                     .y = std::move(axis),
                     .series = {{.colour = panel.theme.accent, .line = false, .dots = true}}}};
}

void draw(const Panel& panel, PastRuns& past)
{
    if (past.words.size() < 2) return;
    section(panel, past.title.c_str());
    past.plot.readOut = [&past](std::size_t, std::size_t point) { return past.words[point]; };
    drawPlot(panel, past.plot);
}

// Adds the median of the main time with quartiles, or the whole run's time if there are no repetitions.
void addTime(PastRuns& times, const ModuleRun& run, double number)
{
    if (!run.result) return;
    const auto figures = compute::figuresOf(*run.result);
    if (!figures)
    {
        if (run.ms > 0) times.add(run, {number, run.ms}, fmt::format("whole run: {} ms", msText(run.ms)));
        return;
    }
    PlotPoint point{number, figures->medianMs};
    std::string text = fmt::format("{}: {} ms", run.result->mainTime, msText(figures->medianMs));
    if (figures->samples > 1)
    {
        point.low = figures->lowerMs;
        point.high = figures->upperMs;
        text += fmt::format(", the median of {}\nquartiles {} to {} ms", figures->samples, msText(figures->lowerMs),
                            msText(figures->upperMs));
    }
    times.add(run, point, text);
}

void addSpeedup(PastRuns& speeds, const ModuleRun& run, double number)
{
    if (!run.result || !run.result->speedup || run.result->speedup->factor <= 0) return;
    const compute::Speedup& speedup = *run.result->speedup;
    speeds.title = "speed-up so far";
    speeds.add(run, {number, speedup.factor},
               fmt::format("speed-up: {:.3g} {}", speedup.factor, comparisonOf(speedup)));
}

}  // namespace

void drawModulePlots(const Panel& panel, const compute::Module& module)
{
    const std::vector<ModuleRun>& runs = panel.model.compute->runs(module.name());
    residuals(panel, runs, module.name());
    PastRuns times = pastRuns(panel, "plot", {.name = "time", .unit = "ms"});
    PastRuns speeds = pastRuns(panel, "speed_plot", {.name = "factor"});
    times.title = "runs so far";
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        addTime(times, runs[i], double(i + 1));
        addSpeedup(speeds, runs[i], double(i + 1));
    }
    draw(panel, times);
    draw(panel, speeds);
}

}  // namespace orogen::app
