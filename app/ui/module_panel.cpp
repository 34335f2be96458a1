// A compute module's panel: parameters, the current run, the newest result, and past runs.
#include "app/ui/module_panel.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/ui/panels.h"
#include "app/ui/widgets.h"
#include "app/ui/words.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

// ---- parameters ----

using compute::Parameter;
using compute::ParameterKind;

constexpr const char* kFirstRepetitions = "5";  // enough for a median and a spread

// Returns the initial values: the module's defaults, except a more instructive size, repetitions and flags.
ModuleValues firstValues(const compute::Module& module)
{
    ModuleValues values;
    for (const Parameter& parameter : module.parameters())
        values[parameter.name] = parameter.name == module.description().size ? module.description().firstSize
                                 : parameter.name == "repetitions"           ? kFirstRepetitions
                                                                             : parameter.standard;
    for (const std::string_view flag : module.description().ticked)
        values[std::string(flag)] = "true";
    return values;
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

std::string groupedInteger(std::int64_t number)
{
    return number < 0 ? "-" + grouped(0 - std::uint64_t(number)) : grouped(std::uint64_t(number));
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
        [&] { return groupedInteger(number) + unit; });
    if (changed) value = std::to_string(number);
}

// Returns help, range, default and the command-line name, as in "An integer from 1 to 4,096; default 8. --size".
std::string tooltipOf(const Parameter& parameter)
{
    std::string standard(parameter.standard), range = parameter.range();
    if (parameter.kind == ParameterKind::kInteger)
    {
        range = fmt::format("an integer from {} to {}", groupedInteger(parameter.lowest),
                            groupedInteger(parameter.highest));
        if (const auto number = numberIn<std::int64_t>(standard)) standard = groupedInteger(*number);
    }
    if (!standard.empty()) standard = "; default " + standard;
    return fmt::format("{}.\n\n{}{}.\n--{}", capitalised(parameter.help), capitalised(range), standard, parameter.name);
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

bool isRare(const compute::ModuleDescription& description, std::string_view parameter)
{
    constexpr std::string_view kOfEveryModule[] = {"seed", "gpu", "threads", "repetitions"};
    return std::ranges::find(kOfEveryModule, parameter) != std::end(kOfEveryModule) ||
           std::ranges::find(description.rare, parameter) != description.rare.end();
}

void drawModuleControls(const Panel& panel, const compute::Module& module)
{
    ModuleValues& values = moduleValues(panel, module);
    const auto controls = [&](bool rare) {
        for (const Parameter& parameter : module.parameters())
            if (isRare(module.description(), parameter.name) == rare) control(panel, parameter, values[parameter.name]);
    };
    controls(false);
    if (const Fold fold{panel, "more", "more parameters", false}) controls(true);
}

ModuleRequest moduleRequest(const Panel& panel, const compute::Module& module)
{
    ModuleRequest request{.module = std::string(module.name())};
    const ModuleValues& values = moduleValues(panel, module);
    const auto text = [&values](std::string_view name) {
        const auto found = values.find(name);
        return found == values.end() ? std::string() : found->second;
    };
    // Typed operands replace generated operands, so the size and the other parameters of generation do not apply.
    constexpr std::string_view kOfGenerated[] = {"pattern", "seed", "condition"};
    const bool given =
        std::ranges::any_of(module.description().given, [&](std::string_view name) { return !text(name).empty(); });
    for (const Parameter& parameter : module.parameters())
    {
        const std::string value = text(parameter.name);
        const bool generates = parameter.name == module.description().size ||
                               std::ranges::find(kOfGenerated, parameter.name) != std::end(kOfGenerated);
        if (value.empty() || (given && generates)) continue;
        if (value != parameter.standard) request.assignments.emplace_back(parameter.name, value);
    }
    return request;
}

// ---- result ----

ImVec4 colourOf(const Theme& theme, compute::CheckAnswer answer)
{
    return answer == compute::CheckAnswer::kEqual       ? theme.good
           : answer == compute::CheckAnswer::kDifferent ? theme.error
                                                        : theme.dim;
}

// Draws a value beside its name `what`.  A value with spaces wraps.  A value without spaces that is too long for the
// line is cut, and a tooltip shows all of it.
void resultRow(const Panel& panel, const std::string& what, const std::string& value,
               const std::optional<ImVec4>& colour = {})
{
    const std::string name = what.find('_') == std::string::npos ? what : inWords(what);
    if (value.find(' ') != value.npos) return valueRow(panel, name, value, colour);
    const float room = ImGui::GetWindowContentRegionMax().x - ImGui::GetStyle().WindowPadding.x -
                       ImGui::CalcTextSize(name.c_str()).x - 2 * ImGui::GetFontSize();
    const std::string shown = fitting(value, room);
    valueRow(panel, name, shown, colour);
    if (shown != value && ImGui::IsItemHovered()) noteHover(panel, what, value);
}

// Returns a count with digit groups; other values unchanged.
std::string groupedDigits(const std::string& value)
{
    const auto count = value.size() < 16 ? numberIn<std::uint64_t>(value) : std::nullopt;
    return count ? grouped(*count) : value;
}

// Draws the main value, shortened to its two ends if long.
void mainValue(const Panel& panel, const compute::JobResult& result)
{
    constexpr std::size_t kShown = 200, kEnd = 12;
    const std::string& text = result.value;
    if (result.valueName.empty() || text.empty()) return;
    resultRow(panel, result.valueName,
              text.size() <= kShown ? text
                                    : fmt::format("{}...{} ({} characters)", text.substr(0, kEnd),
                                                  text.substr(text.size() - kEnd), text.size()));
}

// Draws the time of one step of a run.  A time of 0 means that the step did not run, as with uploads on a CPU.
void timeRow(const Panel& panel, const compute::Timing& time)
{
    if (time.ms > 0) return valueRow(panel, inWords(time.name), msText(time.ms) + " ms");
    valueRow(panel, inWords(time.name), panel.theme.notMeasured, panel.theme.dim, "Not done in this run.");
}

struct FigureTip
{
    std::string_view row, tip;
};
constexpr FigureTip kFigureTips[] = {
    {"median", "Median of the main time over the repetitions, without the warm-up. The rates below use it."},
    {"quartiles", "Half of the repetitions lie between these two."},
    {"warm-up", "The first run of several finds cold caches and new pages; it does not count."},
    {"resident", "The calculation alone, with the data where it takes place."},
    {"end to end", "Including conversion, allocation and both transfers."},
    {"memory traffic", "What the work reads and writes, each operand once, over the median."},
    {"share of", "Share of a plain copy's rate, measured once in the background. Above 100 % if caches hold the data."},
    {"speed", "Operations that the module counts, over the median."},
    {"an iteration", "The median over the iterations."},
};

std::string_view tipOf(std::string_view row)
{
    const auto tip = std::ranges::find_if(kFigureTips, [row](const FigureTip& of) { return row.starts_with(of.row); });
    return tip == std::end(kFigureTips) ? std::string_view() : tip->tip;
}

// Draws the spread and the rates of the main time.  The speed-up is a row of the module's table.
void figures(const Panel& panel, const compute::JobResult& result)
{
    const auto figures = compute::figuresOf(result);
    if (!figures) return;
    for (const auto& [what, value] : compute::figureRows(*figures))
        valueRow(panel, what, value, {}, tipOf(what));
}

void buttons(const Panel& panel, const ModuleRun& run)
{
    const float third = buttonWidth(panel, 3);
    if (button(panel, "copy_result", "Copies the result as JSON.", third))
        copyText(panel, run.result->json.dump(2), "the result as JSON");
    ImGui::SameLine();
    if (button(panel, "copy_step", "Copies the run as a step of a script.", third))
        copyText(panel, "run " + commandOf(run.request), "the run as a step of a script");
    ImGui::SameLine();
    if (button(panel, "save",
               "Writes all runs, and the sweep, as CSV and JSON to orogen-compute in the folder of captures.", third))
        panel.actions.saveModule = run.request.module;
}

void drawModuleResult(const Panel& panel, const ModuleRun& run)
{
    section(panel, "newest run");
    if (run.state == compute::JobState::kFailed) textLine(panel.theme.error, run.error, true);
    if (run.state == compute::JobState::kCancelled) textLine(panel.theme.warning, "Cancelled", true);
    if (!run.result) return;
    mainValue(panel, *run.result);
    for (const auto& [name, value] : run.result->table)
        resultRow(panel, name, groupedDigits(value),
                  name == "check" ? std::optional(colourOf(panel.theme, run.result->check)) : std::nullopt);
    section(panel, "times");
    for (const compute::Timing& time : run.result->times)
        timeRow(panel, time);
    valueRow(panel, "whole run", msText(run.ms) + " ms");
    figures(panel, *run.result);
    buttons(panel, run);
}

// ---- devices ----

// Returns the newest result on `device` that has a measured copy bandwidth; null if there is none.
const compute::JobResult* measuredOn(const Panel& panel, const compute::Module& module, const std::string& device)
{
    const std::vector<ModuleRun>& runs = *stateOf(panel, module).runs;
    const auto measured = std::find_if(runs.rbegin(), runs.rend(), [&](const ModuleRun& run) {
        return run.result && run.result->device == device && run.result->copyBytesPerSecond > 0;
    });
    return measured == runs.rend() ? nullptr : &*measured->result;
}

void copyRow(const Panel& panel, const compute::Module& module, const std::string& device)
{
    const compute::JobResult* const run = measuredOn(panel, module, device);
    valueRow(panel, "copy of memory",
             run ? significant(run->copyBytesPerSecond / 1e9, 3) + " GB/s" : panel.theme.notMeasured, {},
             "Rate of a plain copy past the caches, reads and writes, on all processors or the GPU; measured once with "
             "a run that reports its memory traffic.");
}

void processor(const Panel& panel, const compute::Module& module)
{
    section(panel, "processor");
    valueRow(panel, "threads", std::to_string(std::max(1u, std::thread::hardware_concurrency())));
    if (const std::uint64_t bytes = panel.model.compute->freeMemory; bytes > 0)
        valueRow(panel, "free memory", bytesText(bytes), {}, "Memory that this process can take now.");
    copyRow(panel, module, "cpu");
}

void gpu(const Panel& panel, const compute::Module& module)
{
    const compute::CudaReport& cuda = panel.model.compute->cuda();
    section(panel, "CUDA");
    if (!cuda.available) return textLine(panel.theme.dim, "No CUDA, the CPU does the work: " + cuda.reason, true);
    const std::string& asked = moduleValues(panel, module)["gpu"];
    const auto found = std::ranges::find_if(cuda.devices, [&](const compute::CudaDevice& gpu) {
        return asked.empty() || std::to_string(gpu.index) == asked;
    });
    if (found == cuda.devices.end())
        return textLine(panel.theme.warning, fmt::format("No GPU {}; there are {}", asked, cuda.devices.size()), true);
    const std::string& name = found->name;
    if (!found->refusal.empty())
        return textLine(panel.theme.warning, fmt::format("{}: {}", name, found->refusal), true);
    const std::string device = fmt::format("cuda:{}", found->index);
    textLine(panel.theme.dim, name, true);
    valueRow(panel, "memory of the GPU", bytesText(found->memoryBytes));
    if (const compute::JobResult* const run = measuredOn(panel, module, device); run && run->gpuFreeBytes > 0)
        valueRow(panel, "free of it", bytesText(run->gpuFreeBytes), {}, "After the newest run on it.");
    copyRow(panel, module, device);
    const std::vector<std::string>& context = panel.model.context;  // the first line names the renderer
    if (!context.empty() && context.front().find(name) == std::string::npos)
        textLine(panel.theme.warning, "OpenGL runs on another device: " + context.front(), true);
}

void drawModuleDevice(const Panel& panel, const compute::Module& module)
{
    processor(panel, module);
    gpu(panel, module);
}

// ---- panel ----

// Draws a progress bar, or a block that moves along the bar while the remaining work is unknown.
void progressBar(const ModuleProgress& progress, float width)
{
    ImGui::ProgressBar(float(progress.fraction), {width, 0}, "");
    if (progress.fraction > 0) return;
    constexpr float kBlock = 0.2f, kSeconds = 2;  // width (share of the bar's width), period of the movement (seconds)
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float way = std::abs(2 * float(std::fmod(progress.seconds / kSeconds, 1.0)) - 1);
    const float begin = low.x + (1 - kBlock) * way * (high.x - low.x);
    ImGui::GetWindowDrawList()->AddRectFilled({begin, low.y}, {begin + kBlock * (high.x - low.x), high.y},
                                              ImGui::GetColorU32(ImGuiCol_PlotHistogram),
                                              ImGui::GetStyle().FrameRounding);
}

// Draws the button that begins a run; during a run, its progress and the button that ends it.
void runRow(const Panel& panel, const compute::Module& module)
{
    if (const std::optional<ModuleProgress>& progress = stateOf(panel, module).progress)
    {
        const float cancel = ImGui::CalcTextSize(inWords("cancel").c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
        progressBar(*progress, -cancel - ImGui::GetStyle().ItemSpacing.x);
        ImGui::SameLine();
        if (button(panel, "cancel", "Stops the run, and what is left of a sweep."))
            panel.actions.cancelModule = std::string(module.name());
        return;
    }
    if (button(panel, "run", "Runs it on a thread of its own; the terrain keeps moving.", buttonWidth(panel, 1)))
        panel.actions.runModule = moduleRequest(panel, module);
}

// Draws the phase of the current run, or a one-line summary of the newest one, whose full result stands below the
// parameters.
void newestLine(const Panel& panel, const compute::Module& module, const ModuleRun* run)
{
    if (const std::optional<ModuleProgress>& progress = stateOf(panel, module).progress)
        return textLine(panel.theme.dim, fmt::format("{}, {:.1f} s", capitalised(progress->phase), progress->seconds),
                        true);
    if (!run) return textLine(panel.theme.dim, "No run yet");
    if (run->state == compute::JobState::kFailed)
        return textLine(panel.theme.error, "Failed, for the reason below", true);
    if (!run->result) return textLine(panel.theme.warning, "Cancelled");
    const compute::JobResult& result = *run->result;
    const auto main = std::ranges::find(result.times, result.mainTime, &compute::Timing::name);
    const double ms = main == result.times.end() ? run->ms : main->ms;
    const bool right = result.exitCode == ExitCode::kDone;
    textLine(right ? panel.theme.dim : panel.theme.error,
             fmt::format("Newest: {} ms, {}", msText(ms), right ? "checked" : "not solved or not equal"), true);
}

// Draws the switch for drawing frames all the time during a run.  With the switch off, a finished picture is not
// redrawn.
void framesRow(const Panel& panel)
{
    bool keeps = panel.model.compute->keepsFrames;
    ImGui::PushID("draw_frames");
    if (ImGui::Checkbox(inWords("draw_frames").c_str(), &keeps)) panel.actions.keepFrames = keeps;
    endItem(panel, "draw_frames",
            "Draws the terrain all the time while a module runs or is swept, also where nothing in the picture "
            "changes. Performance then shows what the run does to the frame time. The frames take a share of the "
            "processor or the GPU: the times of the run grow.\n\nDefault: off.");
}

}  // namespace

ModuleValues& moduleValues(const Panel& panel, const compute::Module& module)
{
    auto& all = panel.state.modules;
    const auto found = all.find(module.description().panel);
    if (found != all.end()) return found->second;
    return all.emplace(std::string(module.description().panel), firstValues(module)).first->second;
}

std::string comparisonOf(const compute::Speedup& speedup)
{
    return speedup.name.starts_with("against") ? speedup.name : "against " + speedup.name;
}

float drawModulePanel(const Panel& panel, const PanelRect& rect)
{
    const compute::Module& module = *compute::findModulePanel(panel.name);
    const float height = beginPanel(panel, rect, 0, module.description().title);
    if (!panel.model.compute)
    {
        endPanel(panel);
        return height;
    }
    const std::vector<ModuleRun>& runs = *stateOf(panel, module).runs;
    const auto over = [](const ModuleRun& run) { return run.state != compute::JobState::kRunning; };
    const auto newest = std::find_if(runs.rbegin(), runs.rend(), over);
    runRow(panel, module);
    newestLine(panel, module, newest == runs.rend() ? nullptr : &*newest);
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
