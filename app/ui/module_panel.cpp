// A compute module's panel: its parameters as controls, its run, what came of it, and the runs before.  Made from the
// module's own description, the same for all of them.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <nlohmann/json.hpp>

#include "app/ui/format.h"
#include "app/ui/panels.h"
#include "app/ui/plot.h"
#include "app/ui/words.h"
#include "compute/modules.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

using compute::Parameter;
using compute::ParameterKind;

using Values = std::map<std::string, std::string, std::less<>>;

// What the panel begins with where that is more telling than the module's own standard.
Values firstValues(const compute::Module& module)
{
    Values values;
    for (const Parameter& parameter : module.parameters())
        values[parameter.name] =
            parameter.name == module.description().size ? module.description().firstSize : parameter.standard;
    return values;
}

Values& valuesOf(const Panel& panel, const compute::Module& module)
{
    auto& all = panel.state.modules;
    const auto found = all.find(module.description().panel);
    if (found != all.end()) return found->second;
    return all.emplace(std::string(module.description().panel), firstValues(module)).first->second;
}

void choiceControl(const Panel& panel, const Parameter& parameter, std::string& value)
{
    if (!ImGui::BeginCombo("##value", value.c_str(), ImGuiComboFlags_HeightLargest)) return;
    for (const std::string& choice : parameter.choices)
    {
        if (ImGui::Selectable(choice.c_str(), choice == value)) value = choice;
        panel.items.add(panel.name, parameter.name + "/" + choice);
    }
    ImGui::EndCombo();
}

void integerControl(const Parameter& parameter, std::string& value)
{
    if (value.empty())
    {
        ImGui::InputTextWithHint("##value", "none", &value, ImGuiInputTextFlags_CharsDecimal);
        return;
    }
    std::int64_t number = numberIn<std::int64_t>(value).value_or(0);
    const auto speed = float(std::max(0.05, std::abs(double(number)) * 0.01));
    const std::string unit = unitOf(parameter.name);
    const bool changed = withText(
        [&] {
            return ImGui::DragScalar("##value", ImGuiDataType_S64, &number, speed, &parameter.lowest,
                                     &parameter.highest, nullptr, ImGuiSliderFlags_AlwaysClamp);
        },
        [&] { return (number < 0 ? "-" : "") + grouped(std::uint64_t(std::abs(number))) + unit; });
    if (changed) value = std::to_string(number);
}

// "An integer from 1 to 64", default and all, and the name that options and scripts have for it.
std::string tooltipOf(const Parameter& parameter)
{
    const std::string standard = parameter.standard.empty() ? "" : fmt::format("; default {}", parameter.standard);
    return fmt::format("{}.\n\n{}{}.\n--{}", capitalised(parameter.help), capitalised(parameter.range()), standard,
                       parameter.name);
}

void control(const Panel& panel, const Parameter& parameter, std::string& value)
{
    beginRow(panel, parameter.name);
    bool on = value == "true";
    switch (parameter.kind)
    {
    case ParameterKind::kChoice:
        choiceControl(panel, parameter, value);
        break;
    case ParameterKind::kInteger:
        integerControl(parameter, value);
        break;
    case ParameterKind::kFlag:
        if (ImGui::Checkbox("##value", &on)) value = on ? "true" : "false";
        break;
    default:
        ImGui::InputTextWithHint("##value", parameter.kind == ParameterKind::kFile ? "file" : "", &value);
    }
    endItem(panel, parameter.name, tooltipOf(parameter));
}

void controls(const Panel& panel, const compute::Module& module)
{
    Values& values = valuesOf(panel, module);
    for (const Parameter& parameter : module.parameters())
        control(panel, parameter, values[parameter.name]);
}

ModuleRequest requestOf(const Panel& panel, const compute::Module& module)
{
    ModuleRequest request{.module = std::string(module.name())};
    const Values& values = valuesOf(panel, module);
    const auto text = [&values](std::string_view name) {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second;
    };
    // What was typed takes the place of what would be made.
    const bool given =
        std::ranges::any_of(module.description().given, [&](std::string_view name) { return !text(name).empty(); });
    for (const Parameter& parameter : module.parameters())
    {
        const std::string value = text(parameter.name);
        if (value.empty() || (given && parameter.name == module.description().size)) continue;
        if (value != parameter.standard) request.assignments.emplace_back(parameter.name, value);
    }
    return request;
}

void runRow(const Panel& panel, const compute::Module& module)
{
    if (const auto progress = panel.model.compute->progress(module.name()))
    {
        const std::string text = fmt::format("{}, {:.1f} s", capitalised(progress->phase), progress->seconds);
        ImGui::ProgressBar(float(progress->fraction), {-1, 0}, text.c_str());
        if (button(panel, "cancel", "Stops the run.", buttonWidth(panel, 1)))
            panel.actions.cancelModule = std::string(module.name());
        drawConvergence(panel, "curve", progress->curve);
        return;
    }
    if (button(panel, "run", "Runs it on a thread of its own; the terrain keeps moving.", buttonWidth(panel, 1)))
        panel.actions.runModule = requestOf(panel, module);
}

ImVec4 colourOf(const Theme& theme, compute::CheckAnswer answer)
{
    return answer == compute::CheckAnswer::kEqual       ? theme.good
           : answer == compute::CheckAnswer::kDifferent ? theme.error
                                                        : theme.dim;
}

// "multiword add length=1048576 algorithm=simd": enough to run it again.
std::string commandOf(const ModuleRequest& request)
{
    std::string text = request.module;
    for (const auto& [name, value] : request.assignments)
        text += fmt::format(" {}={}", name, value);
    return text;
}

// What fits on the line beside `name`; the whole of it when the mouse rests there.
void resultRow(const Panel& panel, const std::string& what, const std::string& value,
               const std::optional<ImVec4>& colour = {})
{
    const std::string name = what.find('_') == std::string::npos ? what : inWords(what);
    const float room = ImGui::GetWindowContentRegionMax().x - ImGui::GetStyle().WindowPadding.x -
                       ImGui::CalcTextSize(name.c_str()).x - 2 * ImGui::GetFontSize();
    std::string shown = value;
    while (shown.size() > 4 && ImGui::CalcTextSize((shown + "...").c_str()).x > room)
        shown.pop_back();
    valueRow(panel, name, shown.size() == value.size() ? value : shown + "...", colour);
    if (shown.size() != value.size() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", value.c_str());
}

// A count with its groups; anything else as it is.
std::string groupedDigits(const std::string& value)
{
    const auto count = value.size() < 16 ? numberIn<std::uint64_t>(value) : std::nullopt;
    return count ? grouped(*count) : value;
}

// The main value, by its two ends where it is long; empty where the run left it out.
std::string mainValue(const compute::JobResult& result)
{
    constexpr std::size_t kShown = 200, kEnd = 12;
    const auto found = result.json->find(result.mainKey);
    if (found == result.json->end() || !found->is_string()) return {};
    const auto& text = found->get_ref<const std::string&>();
    if (text.size() <= kShown) return text;
    return fmt::format("{}...{} ({} characters)", text.substr(0, kEnd), text.substr(text.size() - kEnd), text.size());
}

// What took no time at all was not done: nothing is uploaded to a CPU.
void timeRow(const Panel& panel, const compute::Timing& time)
{
    if (time.ms > 0) return valueRow(panel, inWords(time.name), msText(time.ms) + " ms");
    valueRow(panel, inWords(time.name), panel.theme.notMeasured, panel.theme.dim, "Not done in this run.");
}

void result(const Panel& panel, const ModuleRun& run)
{
    section(panel, "newest run");
    if (run.state == compute::JobState::kFailed) textLine(panel.theme.error, run.error, true);
    if (run.state == compute::JobState::kCancelled) textLine(panel.theme.warning, "Cancelled", true);
    if (!run.result) return;
    if (!panel.model.compute->progress(run.request.module)) drawConvergence(panel, "curve", run.curve);
    if (const std::string value = mainValue(*run.result); !value.empty()) resultRow(panel, run.result->mainKey, value);
    for (const auto& [name, value] : run.result->table)
        resultRow(panel, name, groupedDigits(value),
                  name == "check" ? std::optional(colourOf(panel.theme, run.result->check)) : std::nullopt);
    section(panel, "times");
    for (const compute::Timing& time : run.result->times)
        timeRow(panel, time);
    valueRow(panel, "whole run", msText(run.ms) + " ms");
    const float half = buttonWidth(panel, 2);
    if (button(panel, "copy_result", "Copies the result as JSON.", half))
        copyText(panel, run.result->json->dump(2), "the result as JSON");
    ImGui::SameLine();
    if (button(panel, "copy_step", "Copies the run as a step of a script.", half))
        copyText(panel, "run " + commandOf(run.request), "the run as a step of a script");
}

std::optional<compute::Timing> mainTime(const ModuleRun& run)
{
    if (!run.result) return std::nullopt;
    const auto time = std::ranges::find(run.result->times, run.result->mainTime, &compute::Timing::name);
    return time != run.result->times.end() ? *time : compute::Timing{"whole run", run.ms};
}

// A quantity of past runs: a dot a run, the oldest on the left, and what is said of each.
struct PastRuns
{
    Plot plot;
    std::string title{};
    std::vector<std::string> words{};

    void add(const ModuleRun& run, double number, double value, const std::string& text)
    {
        plot.series.front().points.push_back({number, value});
        words.push_back(fmt::format("{}\n{}", commandOf(run.request), text));
    }
};

PastRuns pastRuns(const Panel& panel, const char* item, PlotAxis axis)
{
    axis.logarithmic = true;
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

void plots(const Panel& panel, const std::vector<ModuleRun>& runs)
{
    PastRuns times = pastRuns(panel, "plot", {.name = "time", .unit = "ms"});
    PastRuns speeds = pastRuns(panel, "speed_plot", {.name = "factor"});
    times.title = "runs so far";
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const ModuleRun& run = runs[i];
        const double number = double(i + 1);
        if (const auto time = mainTime(run); time && time->ms > 0)
            times.add(run, number, time->ms, fmt::format("{}: {} ms", time->name, msText(time->ms)));
        if (!run.result || !run.result->speedup || run.result->speedup->factor <= 0) continue;
        const compute::Speedup& speedup = *run.result->speedup;
        speeds.title = inWords(speedup.name) + " so far";
        speeds.add(run, number, speedup.factor,
                   fmt::format("{} ({}): {:.3g}", inWords(speedup.name), speedup.name, speedup.factor));
    }
    draw(panel, times);
    draw(panel, speeds);
}

// The GPU that a run would get.
void device(const Panel& panel, const compute::Module& module)
{
    const compute::CudaReport& cuda = panel.model.compute->cuda();
    section(panel, "CUDA");
    if (!cuda.available) return textLine(panel.theme.dim, capitalised(cuda.reason) + "; the CPU does the work", true);
    const std::string& asked = valuesOf(panel, module)["gpu"];
    const auto found = std::ranges::find_if(
        cuda.devices, [&](const compute::CudaDevice& gpu) { return std::to_string(gpu.index) == asked; });
    if (found == cuda.devices.end())
        return textLine(panel.theme.warning, fmt::format("No GPU {}; there are {}", asked, cuda.devices.size()), true);
    const std::string& name = found->name;
    textLine(panel.theme.dim, name, true);
    const std::vector<std::string>& context = panel.model.context;  // the renderer comes first
    if (!context.empty() && context.front().find(name) == std::string::npos)
        textLine(panel.theme.warning, "OpenGL runs on another device: " + context.front(), true);
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
    controls(panel, module);
    runRow(panel, module);
    const std::vector<ModuleRun>& runs = panel.model.compute->runs(module.name());
    const auto over = [](const ModuleRun& run) { return run.state != compute::JobState::kRunning; };
    const auto newest = std::find_if(runs.rbegin(), runs.rend(), over);
    if (newest != runs.rend()) result(panel, *newest);
    plots(panel, runs);
    device(panel, module);
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
