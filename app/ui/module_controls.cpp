// Controls for the parameters of a compute module, and the request they form.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/ui/fold.h"
#include "app/ui/format.h"
#include "app/ui/module_panel.h"
#include "app/ui/words.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

using compute::Parameter;
using compute::ParameterKind;

constexpr const char* kFirstRepetitions = "5";  // enough for a median and a spread

// Returns the initial values: the module's defaults, except a more instructive size and repetitions.
ModuleValues firstValues(const compute::Module& module)
{
    ModuleValues values;
    for (const Parameter& parameter : module.parameters())
        values[parameter.name] = parameter.name == module.description().size ? module.description().firstSize
                                 : parameter.name == "repetitions"           ? kFirstRepetitions
                                                                             : parameter.standard;
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

// Returns help, range, default and the command-line name, as in "An integer from 1 to 64; default 8. --size".
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

bool isRare(const compute::ModuleDescription& description, std::string_view parameter)
{
    constexpr std::string_view kOfEveryModule[] = {"seed", "gpu", "threads", "repetitions"};
    return std::ranges::find(kOfEveryModule, parameter) != std::end(kOfEveryModule) ||
           std::ranges::find(description.rare, parameter) != description.rare.end();
}

}  // namespace

ModuleValues& moduleValues(const Panel& panel, const compute::Module& module)
{
    auto& all = panel.state.modules;
    const auto found = all.find(module.description().panel);
    if (found != all.end()) return found->second;
    return all.emplace(std::string(module.description().panel), firstValues(module)).first->second;
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
    // Typed operands replace generated ones, so the size does not apply.
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

}  // namespace orogen::app
