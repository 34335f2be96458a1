#include "app/ui/widgets.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "app/ui/dock_columns.h"
#include "app/ui/tooltip.h"
#include "core/setting_number.h"

namespace orogen::app {

namespace {

constexpr float kLabelShare = 0.40f;    // of a row
constexpr double kTooltipDelay = 0.35;  // seconds the mouse rests

std::string_view lastPart(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::string_view shownUnit(std::string_view unit) { return unit == "deg" ? "\u00b0" : unit; }

std::string textOf(double value, bool whole)
{
    return whole ? fmt::format("{}", std::llround(value)) : fmt::format("{}", value);
}

// How a slider's value is printed, with its unit ("%.2f px").
std::string sliderFormat(const SettingInfo& info)
{
    const char* number = info.type == SettingType::kInteger ? "%.0f" : info.unit == "deg" ? "%.1f" : "%.2f";
    const bool apart = info.unit != "deg" && !info.unit.empty();
    return fmt::format("{}{}{}", number, apart ? " " : "", shownUnit(info.unit));
}

void checkRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    bool value = settingNumber(panel.actions.settings, info.key) != 0;
    beginRow(panel, name);
    if (ImGui::Checkbox("##value", &value)) applySetting(panel, info.key, value ? "true" : "false");
}

void listRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    const std::string current = settingText(panel.actions.settings, info.key);
    const bool samples = info.type == SettingType::kInteger;
    const auto shown = [&](std::string_view choice) {
        return samples ? fmt::format("{} sample{}", choice, choice == "1" ? "" : "s") : std::string(choice);
    };
    beginRow(panel, name);
    if (ImGui::BeginCombo("##value", shown(current).c_str(), ImGuiComboFlags_HeightLargest))
    {
        for (const std::string_view choice : info.choices)
        {
            if (ImGui::Selectable(shown(choice).c_str(), choice == current))
                applySetting(panel, info.key, std::string(choice));
            panel.items.add(panel.name, fmt::format("{}/{}", name, choice));
        }
        ImGui::EndCombo();
    }
    endItem(panel, name, settingTooltip(info));
}

void sliderRow(const Panel& panel, const SettingInfo& info, std::string_view name, const RowOptions& options)
{
    const bool whole = info.type == SettingType::kInteger;
    const double low = options.lowest.value_or(info.minimum), high = options.highest.value_or(info.maximum);
    const auto pending = panel.state.pending.find(info.key);
    double value =
        pending != panel.state.pending.end() ? pending->second : settingNumber(panel.actions.settings, info.key);
    beginRow(panel, name);
    const bool changed =
        ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &low, &high, sliderFormat(info).c_str(),
                            options.logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
    if (changed && options.powersOfTwo && ImGui::IsMouseDown(ImGuiMouseButton_Left))
        value = std::clamp(std::exp2(std::round(std::log2(std::max(value, 1.0)))), low, high);
    const auto apply = [&] {
        const auto why = options.refusal ? options.refusal(value) : std::nullopt;
        why ? panel.actions.refused.push_back(*why) : applySetting(panel, info.key, textOf(value, whole));
    };
    // What is typed digit by digit is not meant until it is finished.
    const bool later = options.onRelease || ImGui::GetIO().WantTextInput;
    if (changed && later)
        panel.state.pending.insert_or_assign(std::string(info.key), value);
    else if (changed)
        apply();
    if (pending != panel.state.pending.end() && !ImGui::IsItemActive())
    {
        apply();
        panel.state.pending.erase(pending);
    }
    endItem(panel, name, settingTooltip(info), sliderGrab(value, low, high, options.logarithmic));
}

// A check box for whether there is a value, and the value's control where there is.
void optionalRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    double value = settingNumber(panel.actions.settings, info.key);
    bool present = !std::isnan(value);
    beginRow(panel, name);
    if (ImGui::Checkbox("##present", &present)) applySetting(panel, info.key, present ? "0" : "none");
    if (present && !std::isnan(value))
    {
        ImGui::SameLine();
        ImGui::SetNextItemWidth(-1);
        if (ImGui::DragScalar("##value", ImGuiDataType_Double, &value, 1.0f, &info.minimum, &info.maximum,
                              sliderFormat(info).c_str()))
            applySetting(panel, info.key, textOf(value, false));
    }
    endItem(panel, name, settingTooltip(info));
}

}  // namespace

float beginPanel(const Panel& panel, const PanelRect& rect, ImGuiWindowFlags flags, std::string_view title)
{
    if (panel.docked != DockFrame::kNone) return beginDockedPanel(panel, rect, flags);
    const auto known = panel.state.contentHeight.find(panel.name);
    const float height =
        known == panel.state.contentHeight.end() ? rect.height() : std::min(known->second, rect.height());
    ImGui::SetNextWindowPos(rect.min);
    ImGui::SetNextWindowSize({rect.width(), height});
    ImGui::Begin(std::string(panel.name).c_str(), nullptr,
                 flags | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize |
                     ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
    ImGui::PushFont(panel.theme.bold);
    const std::string_view heading = title.empty() ? panel.name : title;
    ImGui::TextUnformatted(heading.data(), heading.data() + heading.size());
    ImGui::PopFont();
    return height;
}

void endPanel(const Panel& panel)
{
    const ImGuiStyle& style = ImGui::GetStyle();
    const float content = ImGui::GetCursorPosY() - style.ItemSpacing.y + style.WindowPadding.y;
    panel.state.contentHeight.insert_or_assign(std::string(panel.name), std::ceil(content));
    if (panel.docked != DockFrame::kNone) return endDockedPanel();
    ImGui::End();
}

bool countRow(const Panel& panel, std::string_view name, std::uint64_t& value, std::uint64_t low, std::uint64_t high,
              std::string_view tooltip)
{
    beginRow(panel, name);
    const float speed = std::max(0.05f, float(value) * 0.01f);
    const bool changed = ImGui::DragScalar("##value", ImGuiDataType_U64, &value, speed, &low, &high, nullptr,
                                           ImGuiSliderFlags_AlwaysClamp);
    endItem(panel, name, fmt::format("{}\nFrom {} to {}. Ctrl+click: type a value.", tooltip, low, high));
    return changed;
}

void section(const Panel& panel, const char* title)
{
    ImGui::Dummy({0, 1 * panel.theme.scale});
    textLine(panel.theme.accent, title);
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const float y = std::round((min.y + max.y) / 2), x = max.x + 6 * panel.theme.scale;
    ImGui::GetWindowDrawList()->AddLine({x, y}, {right, y}, ImGui::GetColorU32(ImGuiCol_Separator));
}

void textLine(const ImVec4& colour, const std::string& text, bool wrap)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::PushTextWrapPos(wrap ? 0.0f : -1.0f);
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void valueRow(const Panel& panel, std::string_view name, const std::string& value, const std::optional<ImVec4>& colour)
{
    textLine(panel.theme.dim, std::string(name));
    const float right = ImGui::GetWindowContentRegionMax().x;
    ImGui::SameLine(right - ImGui::CalcTextSize(value.c_str()).x);
    textLine(colour.value_or(panel.theme.text), value);
}

void beginRow(const Panel& panel, std::string_view name)
{
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.text, std::string(name));
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x * kLabelShare);
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(name.data(), name.data() + name.size());
}

void endItem(const Panel& panel, std::string_view name, std::string_view text, std::optional<ImVec2> handle)
{
    panel.items.add(panel.name, name, handle);
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    {
        panel.state.hoveredNow = fmt::format("{}/{}", panel.name, name);
        const bool rested = panel.state.hovered == panel.state.hoveredNow && panel.state.hoveredSeconds > kTooltipDelay;
        if (rested && !text.empty() && !draggingAnything()) showTooltip(panel, text);
    }
    ImGui::PopID();
}

bool button(const Panel& panel, std::string_view name, std::string_view text, float width)
{
    ImGui::PushID(name.data(), name.data() + name.size());
    const bool pressed = ImGui::Button(std::string(name).c_str(), {width, 0});
    endItem(panel, name, text);
    return pressed;
}

float buttonWidth(const Panel&, int inARow)
{
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float whole = ImGui::GetWindowContentRegionMax().x - ImGui::GetStyle().WindowPadding.x;
    return std::max(std::floor((whole - spacing * float(inARow - 1)) / float(inARow)), 1.0f);  // ImGui refuses 0
}

ImVec2 sliderGrab(double value, double low, double high, bool logarithmic)
{
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    constexpr float kPadding = 2;
    const float width = max.x - min.x - 2 * kPadding;
    const float grab = ImGui::GetStyle().GrabMinSize;
    const double clamped = std::clamp(value, low, high);
    const double t = logarithmic ? std::log(clamped / low) / std::log(high / low) : (clamped - low) / (high - low);
    return {min.x + kPadding + grab / 2 + float(t) * (width - grab), (min.y + max.y) / 2};
}

void settingRow(const Panel& panel, std::string_view key, const RowOptions& options)
{
    const SettingInfo& info = *findSetting(key);
    const std::string_view name = options.name.empty() ? lastPart(key) : options.name;
    ImGui::BeginDisabled(options.disabled);
    if (!info.choices.empty())
        listRow(panel, info, name);
    else if (info.type == SettingType::kBool)
    {
        checkRow(panel, info, name);
        endItem(panel, name, settingTooltip(info));
    }
    else if (info.type == SettingType::kRealOrNone)
        optionalRow(panel, info, name);
    else
        sliderRow(panel, info, name, options);
    ImGui::EndDisabled();
    if (panel.state.hoveredNow == fmt::format("{}/{}", panel.name, name) &&
        ImGui::IsMouseClicked(ImGuiMouseButton_Right))
        applySetting(panel, key, settingText(Settings{}, key));
}

void applySetting(const Panel& panel, std::string_view key, const std::string& value)
{
    const SettingChange change{std::string(key), value};
    if (const Status status = setSettings(panel.actions.settings, {&change, 1}); !status)
        panel.actions.refused.push_back(status.error().message);
}

std::string settingTooltip(const SettingInfo& info)
{
    const std::string byDefault = settingText(Settings{}, info.key);
    const std::string unit =
        info.unit.empty() ? "" : fmt::format("{}{}", info.unit == "deg" ? "" : " ", shownUnit(info.unit));
    std::string text = fmt::format("{}\n\n{}, default {}", info.text, info.key, byDefault);
    if (info.choices.empty() && info.type != SettingType::kBool)
        text = fmt::format("{}{}, from {:.10g} to {:.10g}{}\nCtrl+click: type a value.", text, unit, info.minimum,
                           info.maximum, unit);
    return text + (info.choices.empty() && info.type != SettingType::kBool ? " " : "\n") + "Right click: the default.";
}

}  // namespace orogen::app
