// Plots of a compute module's runs (residuals, times, speed-ups), and its sweep over sizes and algorithms.
#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <imgui.h>

#include "app/model/format.h"
#include "app/ui/module_panel.h"
#include "app/ui/plot.h"
#include "app/ui/words.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

// ---- residuals ----

constexpr std::size_t kMostCurves = 6;  // more curves could not be distinguished

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

// Returns the algorithm, and the parameters that differ among the runs, as in "symmetric-half, Random matrix 1000".
std::string nameAmong(const ModuleRun& run, const std::vector<const ModuleRun*>& others)
{
    std::string name = run.result ? run.result->algorithm : std::string(compute::textOf(run.state));
    for (const auto& [key, value] : run.request.assignments)
    {
        const bool common =
            std::ranges::all_of(others, [&](const ModuleRun* other) { return valueIn(other->request, key) == value; });
        if (!common && key != "algorithm") name += fmt::format(", {} {}", inWords(key), value);
    }
    return name;
}

void residuals(const Panel& panel, const std::vector<ModuleRun>& runs, const std::optional<ModuleProgress>& progress)
{
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

// Adds the time of the run's measured step, as median and quartiles of its repetitions.  Without such a step, adds the
// time of the whole run.
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
               fmt::format("speed-up: {} {}", significant(speedup.factor, 3), comparisonOf(speedup)));
}

// ---- sweep: request ----

// Returns the default range: from 1/8 to twice the module's initial size.
ModuleSweepDraft firstDraft(const compute::Module& module)
{
    const std::uint64_t size = numberIn<std::uint64_t>(module.description().firstSize).value_or(1024);
    return {.from = std::max<std::uint64_t>(1, size / 8), .to = 2 * size};
}

ModuleSweepDraft& draftOf(const Panel& panel, const compute::Module& module)
{
    auto& all = panel.state.moduleSweeps;
    const auto found = all.find(module.description().panel);
    if (found != all.end()) return found->second;
    return all.emplace(std::string(module.description().panel), firstDraft(module)).first->second;
}

bool givenElsewhere(const compute::ModuleDescription& description, std::string_view name)
{
    return name == description.size || name == "algorithm" || name == "backend" ||
           std::ranges::find(description.given, name) != description.given.end();
}

// Returns the panel's values that are not defaults, except operands and parameters that the sweep sets.
std::vector<std::pair<std::string, std::string>> commonAssignments(const Panel& panel, const compute::Module& module)
{
    std::vector<std::pair<std::string, std::string>> assignments;
    const ModuleValues& values = moduleValues(panel, module);
    for (const compute::Parameter& parameter : module.parameters())
    {
        const auto value = values.find(parameter.name);
        if (value == values.end() || value->second.empty() || value->second == parameter.standard) continue;
        if (!givenElsewhere(module.description(), parameter.name)) assignments.emplace_back(*value);
    }
    return assignments;
}

// Returns the pairs of algorithm and back end for the panel's operation; pairs with CUDA only if CUDA is available.
std::vector<compute::Variant> variantsOf(const Panel& panel, const compute::Module& module)
{
    compute::ParameterValues values(module.parameters());
    const ModuleValues& held = moduleValues(panel, module);
    for (const char* name : {"operation", "backend"})
        if (const auto value = held.find(std::string_view(name)); value != held.end())
            (void)values.set(name, value->second);
    std::vector<compute::Variant> variants = module.variants(values);
    if (!panel.model.compute->cuda().available)
        std::erase_if(variants, [](const compute::Variant& variant) { return variant.backend == "cuda"; });
    return variants;
}

// Returns the item name for scripts: "simd", "lookback-cuda".
std::string itemOf(const compute::Variant& variant)
{
    return variant.backend == "cpu" ? variant.algorithm : variant.algorithm + "-" + variant.backend;
}

void sizeRow(const Panel& panel, const compute::Module& module, const char* name, std::uint64_t& value)
{
    const compute::ModuleDescription& description = module.description();
    const auto size = std::ranges::find(module.parameters(), description.size, &compute::Parameter::name);
    countRow(panel, name, value, std::uint64_t(std::max<std::int64_t>(1, size->lowest)),
             std::uint64_t(std::max<std::int64_t>(1, size->highest)),
             fmt::format("The {} {} of the sweep (--{}).",
                         name == std::string_view("sweep_from") ? "smallest" : "largest", inWords(description.size),
                         description.size));
}

// Returns why a variant cannot take part in the sweep; empty: it can.
std::string tooSmall(const compute::Module& module, const ModuleSweepDraft& draft, const compute::Variant& variant)
{
    if (variant.largest == 0 || std::uint64_t(variant.largest) >= draft.from) return {};
    return fmt::format("Takes at most {}{}, and the sweep begins with {}.", grouped(std::uint64_t(variant.largest)),
                       unitOf(module.description().size), grouped(draft.from));
}

void variantBoxes(const Panel& panel, const compute::Module& module, ModuleSweepDraft& draft,
                  const std::vector<compute::Variant>& variants)
{
    const float half = ImGui::GetContentRegionAvail().x / 2;
    bool left = true;
    for (const compute::Variant& variant : variants)
    {
        const std::string item = "series/" + itemOf(variant);
        const float width = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().ItemInnerSpacing.x +
                            ImGui::CalcTextSize(nameOf(variant).c_str()).x;
        if (!left && width <= half) ImGui::SameLine(half + ImGui::GetStyle().WindowPadding.x);
        left = width > half || !left;
        const std::string why = tooSmall(module, draft, variant);
        bool on = why.empty() && !draft.leftOut.contains(itemOf(variant));
        const Disabled disabled(panel, why);
        ImGui::PushID(item.c_str());
        if (ImGui::Checkbox(nameOf(variant).c_str(), &on))
            on ? void(draft.leftOut.erase(itemOf(variant))) : void(draft.leftOut.insert(itemOf(variant)));
        endItem(panel, item, "A line of the sweep's plot.");
    }
}

ModuleSweepRequest requestOf(const Panel& panel, const compute::Module& module, const ModuleSweepDraft& draft,
                             std::vector<compute::Variant> variants)
{
    std::erase_if(variants, [&](const compute::Variant& of) {
        return draft.leftOut.contains(itemOf(of)) || !tooSmall(module, draft, of).empty();
    });
    return {.module = std::string(module.name()),
            .assignments = commonAssignments(panel, module),
            .variants = std::move(variants),
            .sizes =
                sweptSizes(std::int64_t(draft.from), std::int64_t(std::max(draft.from, draft.to)), int(draft.sizes))};
}

void fields(const Panel& panel, const compute::Module& module, ModuleSweepDraft& draft)
{
    sizeRow(panel, module, "sweep_from", draft.from);
    sizeRow(panel, module, "sweep_to", draft.to);
    countRow(panel, "sweep_sizes", draft.sizes, 2, 30, "How many sizes, in equal factors.");
    const std::vector<compute::Variant> variants = variantsOf(panel, module);
    variantBoxes(panel, module, draft, variants);
    ModuleSweepRequest request = requestOf(panel, module, draft, variants);
    const Disabled disabled(panel, request.variants.empty() ? "No algorithm is ticked." : "");
    if (button(panel, "start_sweep",
               "Runs every algorithm that is ticked at every size, one after another, with the parameters above.",
               buttonWidth(panel, 1)))
        panel.actions.sweepModule = std::move(request);
}

// ---- sweep: result ----

struct QuantityWords
{
    const char *name, *axis, *unit;
};

QuantityWords wordsOf(SweepQuantity quantity)
{
    constexpr QuantityWords kWords[] = {
        {"Time", "time", "ms"},
        {"End to end", "time, end to end", "ms"},
        {"Memory traffic", "memory traffic", "GB/s"},
        {"Share of a copy", "share of a copy", "%"},
        {"Speed", "speed", "1e9 op/s"},
        {"Time an iteration", "time an iteration", "ms"},
        {"Speed-up", "speed-up", ""},
    };
    return kWords[int(quantity)];
}

bool has(const ModuleSweep& sweep, SweepQuantity quantity)
{
    return std::ranges::any_of(sweep.points(), [quantity](const ModuleSweepPoint& point) {
        return point.result && valueOf(quantity, *point.result);
    });
}

void quantityRow(const Panel& panel, const ModuleSweep& sweep, SweepQuantity& shown)
{
    beginRow(panel, "sweep_shows");
    if (ImGui::BeginCombo("##value", wordsOf(shown).name))
    {
        for (const SweepQuantity quantity : kSweepQuantities)
        {
            if (!has(sweep, quantity)) continue;
            if (ImGui::Selectable(wordsOf(quantity).name, quantity == shown)) shown = quantity;
            panel.items.add(panel.name, "sweep_shows/" + std::string(keyOf(quantity)));
        }
        ImGui::EndCombo();
    }
    endItem(panel, "sweep_shows", "The quantity on the vertical axis; both axes are logarithmic.");
}

PlotSeries seriesOf(const ModuleSweep& sweep, std::size_t variant, SweepQuantity quantity)
{
    PlotSeries series{.name = nameOf(sweep.request().variants[variant]), .dots = true};
    for (const ModuleSweepPoint& point : sweep.points())
    {
        const auto value = point.variant == variant && point.result ? valueOf(quantity, *point.result) : std::nullopt;
        if (!value) continue;
        PlotPoint at{double(point.size), *value};
        if (const auto figures = compute::figuresOf(*point.result);
            quantity == SweepQuantity::kTime && figures->samples > 1)
        {
            at.low = figures->lowerMs;
            at.high = figures->upperMs;
        }
        series.points.push_back(at);
    }
    return series;
}

const ModuleSweepPoint* failureOf(const ModuleSweep& sweep, std::size_t variant)
{
    const auto failed = std::ranges::find_if(
        sweep.points(), [variant](const ModuleSweepPoint& point) { return point.variant == variant && !point.result; });
    return failed == sweep.points().end() ? nullptr : &*failed;
}

std::string newestText(const PlotSeries& series, const QuantityWords& words)
{
    if (series.points.empty()) return {};
    const PlotPoint& point = series.points.back();
    return fmt::format("{:.4g}{}{} at {}", point.y, *words.unit ? " " : "", words.unit,
                       grouped(std::uint64_t(point.x)));
}

void drawLegend(const Panel& panel, const ModuleSweep& sweep, const Plot& plot, const QuantityWords& words)
{
    for (std::size_t i = 0; i < plot.series.size(); ++i)
    {
        legendRow(panel, plotColour(i), plot.series[i].name, newestText(plot.series[i], words));
        if (const ModuleSweepPoint* failed = failureOf(sweep, i)) textLine(panel.theme.warning, failed->error, true);
    }
}

void drawSweep(const Panel& panel, const compute::Module& module, const ModuleSweep& sweep, SweepQuantity& shown)
{
    if (!has(sweep, shown)) shown = SweepQuantity::kTime;
    quantityRow(panel, sweep, shown);
    const QuantityWords words = wordsOf(shown);
    const std::string size(module.description().size);
    std::string name = inWords(size);
    name.front() = char(std::tolower(static_cast<unsigned char>(name.front())));
    Plot plot{.item = "sweep_plot",
              .height = 236,
              .x = {.name = name, .unit = std::string(trimmed(unitOf(size))), .logarithmic = true, .tight = true},
              .y = {.name = words.axis, .unit = words.unit, .logarithmic = true, .tight = true}};
    for (std::size_t variant = 0; variant < sweep.request().variants.size(); ++variant)
        plot.series.push_back(seriesOf(sweep, variant, shown));
    plot.readOut = [&plot, &words](std::size_t line, std::size_t point) {
        const PlotPoint& at = plot.series[line].points[point];
        std::string text = fmt::format("{}\n{} {}\n{:.4g} {}", plot.series[line].name, plot.x.name,
                                       grouped(std::uint64_t(at.x)), at.y, words.unit);
        if (at.low && at.high) text += fmt::format(", quartiles {:.4g} to {:.4g}", *at.low, *at.high);
        return text;
    };
    drawPlot(panel, plot);
    drawLegend(panel, sweep, plot, words);
}

}  // namespace

void drawModulePlots(const Panel& panel, const compute::Module& module)
{
    const std::vector<ModuleRun>& runs = *stateOf(panel, module).runs;
    residuals(panel, runs, stateOf(panel, module).progress);
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

void drawModuleSweep(const Panel& panel, const compute::Module& module)
{
    if (module.description().size.empty()) return;
    section(panel, "sweep over sizes");
    ModuleSweepDraft& draft = draftOf(panel, module);
    if (!stateOf(panel, module).progress) fields(panel, module, draft);
    const ModuleSweep* sweep = stateOf(panel, module).sweep;
    if (!sweep || sweep->points().empty()) return;
    drawSweep(panel, module, *sweep, draft.shown);
    if (button(panel, "save_sweep",
               "Writes the sweep, and all runs, as CSV and JSON to orogen-compute in the folder of captures.",
               buttonWidth(panel, 1)))
        panel.actions.saveModule = std::string(module.name());
}

}  // namespace orogen::app
