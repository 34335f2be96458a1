// The result of a compute module's run.
#include <algorithm>

#include <fmt/format.h>
#include <imgui.h>
#include <nlohmann/json.hpp>

#include "app/session/compute_saving.h"
#include "app/ui/format.h"
#include "app/ui/module_panel.h"
#include "app/ui/words.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

ImVec4 colourOf(const Theme& theme, compute::CheckAnswer answer)
{
    return answer == compute::CheckAnswer::kEqual       ? theme.good
           : answer == compute::CheckAnswer::kDifferent ? theme.error
                                                        : theme.dim;
}

// Draws a value beside `name`.  Numbers too long for the line are cut, with the whole in a tooltip; text wraps.
void resultRow(const Panel& panel, const std::string& what, const std::string& value,
               const std::optional<ImVec4>& colour = {})
{
    const std::string name = what.find('_') == std::string::npos ? what : inWords(what);
    if (value.find(' ') != value.npos) return valueRow(panel, name, value, colour);
    const float room = ImGui::GetWindowContentRegionMax().x - ImGui::GetStyle().WindowPadding.x -
                       ImGui::CalcTextSize(name.c_str()).x - 2 * ImGui::GetFontSize();
    std::string shown = value;
    while (shown.size() > 4 && ImGui::CalcTextSize((shown + "...").c_str()).x > room)
        shown.pop_back();
    valueRow(panel, name, shown.size() == value.size() ? value : shown + "...", colour);
    if (shown.size() != value.size() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", value.c_str());
}

// Returns a count with digit groups; other values unchanged.
std::string groupedDigits(const std::string& value)
{
    const auto count = value.size() < 16 ? numberIn<std::uint64_t>(value) : std::nullopt;
    return count ? grouped(*count) : value;
}

// Returns the main value, shortened to its two ends if long; empty if the run omitted it.
std::string mainValue(const compute::JobResult& result)
{
    constexpr std::size_t kShown = 200, kEnd = 12;
    const auto found = result.json->find(result.mainKey);
    if (found == result.json->end() || !found->is_string()) return {};
    const auto& text = found->get_ref<const std::string&>();
    if (text.size() <= kShown) return text;
    return fmt::format("{}...{} ({} characters)", text.substr(0, kEnd), text.substr(text.size() - kEnd), text.size());
}

// A time of 0 means that the step did not run, as with uploads on a CPU.
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

// Draws the spread and the rates of the main time.
void figures(const Panel& panel, const compute::JobResult& result)
{
    const auto figures = compute::figuresOf(result);
    if (!figures) return;
    for (const auto& [what, value] : compute::figureRows(*figures))
        valueRow(panel, what, value, {}, tipOf(what));
    if (!result.speedup || result.speedup->factor <= 0) return;
    const std::string factor = fmt::format("{:.3g}", result.speedup->factor);
    const auto tellsIt = [&factor](const auto& row) { return row.second.starts_with(factor); };
    if (std::ranges::any_of(result.table, tellsIt)) return;  // the module's table already shows it
    valueRow(panel, "speed-up", factor + " " + comparisonOf(*result.speedup), {}, "How many times as fast as that.");
}

void buttons(const Panel& panel, const ModuleRun& run)
{
    const float third = buttonWidth(panel, 3);
    if (button(panel, "copy_result", "Copies the result as JSON.", third))
        copyText(panel, run.result->json->dump(2), "the result as JSON");
    ImGui::SameLine();
    if (button(panel, "copy_step", "Copies the run as a step of a script.", third))
        copyText(panel, "run " + commandOf(run.request), "the run as a step of a script");
    ImGui::SameLine();
    if (button(panel, "save",
               "Writes all runs, and the sweep, as CSV and JSON to orogen-compute in the folder of captures.", third))
        panel.actions.saveModule = run.request.module;
}

}  // namespace

std::string comparisonOf(const compute::Speedup& speedup)
{
    return speedup.name.starts_with("against") ? speedup.name : "against " + speedup.name;
}

void drawModuleResult(const Panel& panel, const ModuleRun& run)
{
    section(panel, "newest run");
    if (run.state == compute::JobState::kFailed) textLine(panel.theme.error, run.error, true);
    if (run.state == compute::JobState::kCancelled) textLine(panel.theme.warning, "Cancelled", true);
    if (!run.result) return;
    if (const std::string value = mainValue(*run.result); !value.empty()) resultRow(panel, run.result->mainKey, value);
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

}  // namespace orogen::app
