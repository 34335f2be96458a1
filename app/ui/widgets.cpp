#include "app/ui/widgets.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include "app/model/format.h"
#include "app/ui/dock_columns.h"
#include "app/ui/words.h"
#include "core/planet/sky.h"
#include "core/settings.h"
#include "core/settings_history.h"

namespace orogen::app {

namespace {

// ---- tooltips ----

constexpr float kWidthInEms = 24;  // width of a tooltip's text, in font heights
constexpr float kTooltipGap = 6;   // space between a tooltip and its item (pixels at scale 1)

// ---- rows ----

constexpr float kLabelShare = 0.46f;    // width of a row's label, as a share of the row
constexpr double kTooltipDelay = 0.35;  // seconds at rest before a tooltip appears

std::string_view lastPart(std::string_view key) { return key.substr(key.rfind('.') + 1); }

std::string textOf(double value, bool whole)
{
    return whole ? fmt::format("{}", std::llround(value)) : fmt::format("{}", value);
}

// Returns the format that rounds a slider's value while it is dragged.
const char* sliderFormat(const SettingInfo& info)
{
    return info.type == SettingType::kInteger ? "%.0f"
           : info.unit == "deg"               ? "%.1f"
           : info.unit == "1/a"               ? "%.3g"
                                              : "%.2f";
}

// Places a row's control at its column, or after a label that extends past the column.
void placeControl(std::string_view name)
{
    const float column = ImGui::GetWindowContentRegionMax().x * kLabelShare;
    const float label = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + ImGui::GetStyle().ItemSpacing.x;
    ImGui::SameLine(std::max(column, label));
    ImGui::SetNextItemWidth(-1);
    ImGui::PushID(name.data(), name.data() + name.size());
}

void putBack(const Panel& panel, const SettingInfo& info)
{
    applySetting(panel, info.key, settingText(defaultsFor(panel.actions.settings), info.key));
}

// Draws a dot beside the last item.  The dot lies in the window's padding, half of which the clip rectangle excludes,
// so the clip rectangle is widened to the window's edge.
void drawMark(const Panel& panel)
{
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 clipMin(ImGui::GetWindowPos().x, list.GetClipRectMin().y), clipMax = list.GetClipRectMax();
    list.PushClipRect(clipMin, clipMax, false);
    list.AddCircleFilled({min.x - ImGui::GetStyle().WindowPadding.x / 2, std::round((min.y + max.y) / 2)},
                         2.5f * panel.theme.scale, panel.theme.colour(panel.theme.accent));
    list.PopClipRect();
}

// Draws a setting's label.  Unless the setting places the camera, a value other than the default gets a mark, and a
// click on the label resets the setting.
void beginSettingRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    ImGui::AlignTextToFramePadding();
    const bool changed = !placesCamera(info.key) && isChanged(info, panel.actions.settings);
    textLine(changed ? panel.theme.accent : panel.theme.text, settingLabel(info));
    if (changed)
    {
        drawMark(panel);
        const std::string item = fmt::format("{}/default", name);
        panel.items.add(panel.name, item);
        if (ImGui::IsItemHovered())
        {
            noteHover(
                panel, item,
                fmt::format("Changed. Click: back to {}.", valueWords(info, defaultsFor(panel.actions.settings))));
            if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) putBack(panel, info);
        }
    }
    placeControl(name);
}

void checkRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    bool value = settingNumber(panel.actions.settings, info.key) != 0;
    beginSettingRow(panel, info, name);
    if (ImGui::Checkbox("##value", &value)) applySetting(panel, info.key, value ? "true" : "false");
}

void listRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    const std::string current = settingText(panel.actions.settings, info.key);
    const bool samples = info.type == SettingType::kInteger;
    const auto shown = [&](std::string_view choice) {
        return samples ? fmt::format("{} sample{}", choice, choice == "1" ? "" : "s") : choiceWords(choice);
    };
    beginSettingRow(panel, info, name);
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
    endItem(panel, name, settingTooltip(info, panel.actions.settings));
}

void sliderRow(const Panel& panel, const SettingInfo& info, std::string_view name, const RowOptions& options)
{
    const bool whole = info.type == SettingType::kInteger;
    const double low = options.lowest.value_or(info.minimum);
    const double high = std::min(options.highest.value_or(info.maximum), options.limit.value_or(info.maximum));
    const auto pending = panel.state.pending.find(info.key);
    double value =
        pending != panel.state.pending.end() ? pending->second : settingNumber(panel.actions.settings, info.key);
    SettingInfo shown = info;
    if (!options.unit.empty()) shown.unit = options.unit;
    if (options.limit) shown.maximum = std::min(shown.maximum, *options.limit);
    beginSettingRow(panel, info, name);
    const bool changed = withText(
        [&] {
            return ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &low, &high, sliderFormat(info),
                                       options.logarithmic ? ImGuiSliderFlags_Logarithmic : 0);
        },
        [&] { return options.words ? options.words(value) : numberWords(shown, value); });
    if (changed && options.powersOfTwo && ImGui::IsMouseDown(ImGuiMouseButton_Left))
        value = std::clamp(std::exp2(std::round(std::log2(std::max(value, 1.0)))), low, high);
    const auto apply = [&] {
        const auto why = options.refusal ? options.refusal(value) : std::nullopt;
        why ? panel.actions.refused.push_back(*why) : applySetting(panel, info.key, textOf(value, whole));
    };
    // A typed value applies when typing is finished.
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
    endItem(panel, name, settingTooltip(shown, panel.actions.settings, options.note),
            sliderGrab(value, low, high, options.logarithmic));
}

// Draws a check box for whether a value is set, and the value's control if it is.
void optionalRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    const auto pending = panel.state.pending.find(info.key);
    const double set = settingNumber(panel.actions.settings, info.key);
    double value = pending != panel.state.pending.end() ? pending->second : set;
    bool present = !std::isnan(set);
    beginSettingRow(panel, info, name);
    if (ImGui::Checkbox("##present", &present)) applySetting(panel, info.key, present ? "0" : "none");
    if (present && !std::isnan(value))
    {
        ImGui::SameLine();
        ImGui::SetNextItemWidth(-1);
        const bool changed = withText(
            [&] {
                return ImGui::DragScalar("##value", ImGuiDataType_Double, &value, 1.0f, &info.minimum, &info.maximum,
                                         sliderFormat(info), ImGuiSliderFlags_AlwaysClamp);
            },
            [&] { return numberWords(info, value); });
        if (changed && ImGui::GetIO().WantTextInput)
            panel.state.pending.insert_or_assign(std::string(info.key), value);
        else if (changed)
            applySetting(panel, info.key, textOf(value, false));
        if (pending != panel.state.pending.end() && !ImGui::IsItemActive())
        {
            applySetting(panel, info.key, textOf(value, false));
            panel.state.pending.erase(pending);
        }
    }
    endItem(panel, name, settingTooltip(info, panel.actions.settings));
}

// Returns a time as it is shown: without its seconds if they are 0, so that it fits into the field.
std::string timeWords(const std::string& time)
{
    return time.ends_with(":00Z") ? time.substr(0, time.size() - 4) + "Z" : time;
}

// Draws a check box for whether a time is set, and a field for it, disabled if none is.  A typed time applies on Enter
// or when the field is left.
void timeRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    std::string& draft = panel.state.typedTime;
    const std::string set = settingText(panel.actions.settings, info.key);
    bool present = !set.empty();
    beginSettingRow(panel, info, name);
    if (ImGui::Checkbox("##present", &present))
        applySetting(panel, info.key, present ? utcText(UtcSeconds(panel.model.startedAt)) : std::string());
    ImGui::SameLine();
    ImGui::SetNextItemWidth(-1);
    const std::string shown = timeWords(set);
    if (!panel.state.typingTime) draft = shown;
    ImGui::BeginDisabled(set.empty());
    const ImGuiStyle& style = ImGui::GetStyle();
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::floor(style.FramePadding.x / 4), style.FramePadding.y});
    const bool entered =
        ImGui::InputTextWithHint("##time", "by the angles", &draft, ImGuiInputTextFlags_EnterReturnsTrue);
    ImGui::PopStyleVar();
    panel.state.typingTime = ImGui::IsItemActive();
    if ((entered || ImGui::IsItemDeactivatedAfterEdit()) && draft != shown) applySetting(panel, info.key, draft);
    ImGui::EndDisabled();
    const std::string why = set.empty() ? "Disabled until its box is ticked.\n" : "";
    endItem(panel, name, why + settingTooltip(info, panel.actions.settings));
}

// Draws a field for a text.  A typed text applies on Enter or when the field is left.
void textRow(const Panel& panel, const SettingInfo& info, std::string_view name)
{
    const std::string set = settingText(panel.actions.settings, info.key);
    const auto [draft, fresh] = panel.state.texts.try_emplace(std::string(info.key), set);
    beginSettingRow(panel, info, name);
    const bool entered =
        ImGui::InputTextWithHint("##text", "none", &draft->second, ImGuiInputTextFlags_EnterReturnsTrue);
    const bool left = ImGui::IsItemDeactivatedAfterEdit();
    if ((entered || left) && draft->second != set) applySetting(panel, info.key, draft->second);
    if (!ImGui::IsItemActive() && !entered && !left) draft->second = set;
    endItem(panel, name, settingTooltip(info, panel.actions.settings));
}

// ---- foldable sections ----

constexpr float kArrow = 0.7f;  // size of a heading's arrow, as a share of the font's height

void drawHeading(const Theme& theme, ImVec2 min, ImVec2 max, const std::string& title, bool open, bool hovered)
{
    const float em = ImGui::GetFontSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::RenderArrow(&list, {min.x, min.y + em * (1 - kArrow) / 2}, theme.colour(hovered ? theme.text : theme.dim),
                       open ? ImGuiDir_Down : ImGuiDir_Right, kArrow);
    const ImVec2 text{min.x + em, min.y};
    list.AddText(text, theme.colour(hovered ? theme.text : theme.accent), title.c_str());
    const float x = text.x + ImGui::CalcTextSize(title.c_str()).x + 6 * theme.scale, y = std::round(min.y + em / 2);
    if (x < max.x) list.AddLine({x, y}, {max.x, y}, ImGui::GetColorU32(ImGuiCol_Separator));
}

}  // namespace

bool popupOpen() { return !ImGui::GetCurrentContext()->OpenPopupStack.empty(); }

bool draggingAnything()
{
    return ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Right) ||
           ImGui::IsMouseDown(ImGuiMouseButton_Middle);
}

ImVec2 tooltipPlace(const Layout& layout, ImVec2 display, const PanelRect& item, ImVec2 size, float gap)
{
    const ImVec2 middle{(item.min.x + item.max.x) / 2, (item.min.y + item.max.y) / 2};
    // A tooltip of the tool bar goes below the whole bar, so that the bar's other rows stay visible.
    const float below = layout.bar.contains(middle) ? layout.bar.max.y : item.max.y;
    ImVec2 at{item.min.x, below + gap};
    if (layout.left.contains(middle))
        at = {layout.left.max.x + gap, item.min.y};
    else if (layout.right.contains(middle))
        at = {layout.right.min.x - gap - size.x, item.min.y};
    else if (at.y + size.y > display.y)
        at.y = item.min.y - gap - size.y;
    return {std::clamp(at.x, 0.0f, std::max(display.x - size.x, 0.0f)),
            std::clamp(at.y, 0.0f, std::max(display.y - size.y, 0.0f))};
}

void showTooltip(const Panel& panel, std::string_view text, const std::optional<PanelRect>& uncovered)
{
    const bool overHelp = panel.state.helpOpen && panel.name != "Help";
    if (overHelp || (panel.state.pathsOffered && panel.name != "Paths")) return;
    const float wrap = ImGui::GetFontSize() * kWidthInEms;
    const ImVec2 padding = ImGui::GetStyle().WindowPadding;
    const ImVec2 content = ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, wrap);
    const PanelRect item = uncovered.value_or(PanelRect{ImGui::GetItemRectMin(), ImGui::GetItemRectMax()});
    ImGui::SetNextWindowPos(tooltipPlace(panel.state.layout, ImGui::GetIO().DisplaySize, item,
                                         {content.x + 2 * padding.x, content.y + 2 * padding.y},
                                         kTooltipGap * panel.theme.scale));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(wrap + padding.x);
    ImGui::TextUnformatted(text.data(), text.data() + text.size());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

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
    float& height = panel.state.contentHeight[std::string(panel.name)];
    panel.state.resized |= std::exchange(height, std::ceil(content)) != std::ceil(content);
    if (panel.docked != DockFrame::kNone) return endDockedPanel();
    ImGui::End();
}

void noteHover(const Panel& panel, std::string_view name, std::string_view text)
{
    panel.state.hoveredNow = fmt::format("{}/{}", panel.name, name);
    const bool rested = panel.state.hovered == panel.state.hoveredNow && panel.state.hoveredSeconds > kTooltipDelay;
    // While the user types, shows no tooltip: over the picture it would hide messages about the typed text.
    if (rested && !text.empty() && !draggingAnything() && !ImGui::GetIO().WantTextInput) showTooltip(panel, text);
}

bool withText(const std::function<bool()>& control, const std::function<std::string()>& text)
{
    const ImGuiID id = ImGui::GetID("##value");
    const bool typed = ImGui::TempInputIsActive(id);
    if (!typed) ImGui::PushStyleColor(ImGuiCol_Text, {0, 0, 0, 0});
    const bool changed = control();
    if (!typed) ImGui::PopStyleColor();
    if (typed || ImGui::TempInputIsActive(id)) return changed;
    const std::string shown = text();
    ImGui::RenderTextClipped(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), shown.c_str(), nullptr, nullptr,
                             {0.5f, 0.5f});
    return changed;
}

bool countRow(const Panel& panel, std::string_view name, std::uint64_t& value, std::uint64_t low, std::uint64_t high,
              std::string_view tooltip)
{
    beginRow(panel, name);
    const float speed = std::max(0.05f, float(value) * 0.01f);
    const bool changed = withText(
        [&] {
            return ImGui::DragScalar("##value", ImGuiDataType_U64, &value, speed, &low, &high, nullptr,
                                     ImGuiSliderFlags_AlwaysClamp);
        },
        [&] { return grouped(value); });
    endItem(panel, name,
            fmt::format("{}\n\nFrom {} to {}. Ctrl+click: type a value.", tooltip, grouped(low), grouped(high)));
    return changed;
}

void section(const Panel& panel, const char* title)
{
    ImGui::Dummy({0, 1 * panel.theme.scale});
    textLine(panel.theme.accent, capitalised(title));
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const float y = std::round((min.y + max.y) / 2), x = max.x + 6 * panel.theme.scale;
    ImGui::GetWindowDrawList()->AddLine({x, y}, {right, y}, ImGui::GetColorU32(ImGuiCol_Separator));
}

void textLine(const ImVec4& colour, const std::string& text, bool wrap)
{
    ImGui::PushStyleColor(ImGuiCol_Text, colour);
    ImGui::PushTextWrapPos(wrap ? 0.0f : -1.0f);
    const float width = ImGui::CalcWrapWidthForPos(ImGui::GetCursorScreenPos(), 0.0f);
    ImGui::TextUnformatted((wrap ? wrappedAtBlanks(text, width) : text).c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

std::string fitting(std::string text, float width)
{
    if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
    const auto wide = [&] { return ImGui::CalcTextSize((text + "...").c_str()).x > width; };
    const auto insideLetter = [&] { return (static_cast<unsigned char>(text.back()) & 0xc0u) == 0x80u; };
    while (!text.empty() && wide())
    {
        while (text.size() > 1 && insideLetter())
            text.pop_back();
        text.pop_back();
    }
    return text + "...";
}

std::string wrappedAtBlanks(const std::string& text, float width)
{
    const auto widthOf = [](std::string_view part) {
        return ImGui::CalcTextSize(part.data(), part.data() + part.size()).x;
    };
    return linesOfParts(text, width, widthOf, " ");
}

void percentBar(double fraction, float width)
{
    const double share = std::clamp(fraction, 0.0, 1.0);
    ImGui::ProgressBar(float(share), {width, 0}, fmt::format("{:.0f} %", 100 * share).c_str());
}

void valueRow(const Panel& panel, std::string_view name, const std::string& value, const std::optional<ImVec4>& colour,
              std::string_view tooltip)
{
    textLine(panel.theme.dim, capitalised(name));
    const ImVec2 from = ImGui::GetItemRectMin();
    const float start = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(value.c_str()).x;
    const float label = ImGui::GetItemRectMax().x - ImGui::GetWindowPos().x + ImGui::GetStyle().ItemSpacing.x;
    if (start >= label)  // otherwise on its own line
        ImGui::SameLine(start);
    else
        ImGui::SetCursorPosX(std::max(start, ImGui::GetStyle().WindowPadding.x));
    textLine(colour.value_or(panel.theme.text), value, start < label);
    if (tooltip.empty() || !ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, ImGui::GetItemRectMax()))
        return;
    noteHover(panel, name, tooltip);
}

void beginRow(const Panel& panel, std::string_view name, std::string_view label)
{
    ImGui::AlignTextToFramePadding();
    textLine(panel.theme.text, label.empty() ? inWords(name) : std::string(label));
    placeControl(name);
}

void endItem(const Panel& panel, std::string_view name, std::string_view text, std::optional<ImVec2> handle)
{
    panel.items.add(panel.name, name, handle);
    const std::string& why = panel.state.unavailable;
    if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
        noteHover(panel, name, why.empty() ? std::string(text) : fmt::format("{}\n\n{}", why, text));
    ImGui::PopID();
}

Disabled::Disabled(const Panel& panel, std::string_view why) : panel_(panel), before_(panel.state.unavailable)
{
    ImGui::BeginDisabled(!why.empty());
    if (!why.empty()) panel.state.unavailable = why;
}

Disabled::~Disabled()
{
    panel_.state.unavailable = before_;
    ImGui::EndDisabled();
}

bool button(const Panel& panel, std::string_view name, std::string_view text, float width, std::string_view label)
{
    std::string shown = label.empty() ? inWords(name) : std::string(label);
    ImVec2 padding = ImGui::GetStyle().FramePadding;
    if (width > 0)
    {
        const float beside = std::floor((width - ImGui::CalcTextSize(shown.c_str()).x) / 2);
        padding.x = std::clamp(beside, 1.0f, padding.x);
        shown = fitting(shown, width - 2 * padding.x);
    }
    ImGui::PushID(name.data(), name.data() + name.size());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
    const bool pressed = ImGui::Button(shown.c_str(), {width, 0});
    ImGui::PopStyleVar();
    endItem(panel, name, text);
    return pressed;
}

void sameRowIfFits(std::string_view name)
{
    const ImGuiStyle& style = ImGui::GetStyle();
    const float width = ImGui::CalcTextSize(inWords(name).c_str()).x + 2 * style.FramePadding.x;
    const float end = ImGui::GetItemRectMax().x + style.ItemSpacing.x + width;
    if (end <= ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x) ImGui::SameLine();
}

float buttonWidth(const Panel&, int inARow)
{
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const float whole = ImGui::GetWindowContentRegionMax().x - ImGui::GetStyle().WindowPadding.x;
    return std::max(std::floor((whole - spacing * float(inARow - 1)) / float(inARow)), 1.0f);  // ImGui rejects 0
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
    const SettingInfo info = infoIn(*findSetting(key), panel.actions.settings.world);
    const std::string_view name = options.name.empty() ? lastPart(key) : options.name;
    const Disabled disabled(panel, options.disabled);
    if (!info.choices.empty())
        listRow(panel, info, name);
    else if (info.type == SettingType::kBool)
    {
        checkRow(panel, info, name);
        endItem(panel, name, settingTooltip(info, panel.actions.settings));
    }
    else if (info.type == SettingType::kRealOrNone)
        optionalRow(panel, info, name);
    else if (info.type == SettingType::kTime)
        timeRow(panel, info, name);
    else if (info.type == SettingType::kText)
        textRow(panel, info, name);
    else
        sliderRow(panel, info, name, options);
    if (panel.state.hoveredNow == fmt::format("{}/{}", panel.name, name) &&
        ImGui::IsMouseClicked(ImGuiMouseButton_Right))
        putBack(panel, info);
}

void applySetting(const Panel& panel, std::string_view key, const std::string& value)
{
    // On the Earth, setSettings() reads cbt.depth alone as earth.depth.  With both keys, it sets cbt.depth.
    const SettingChange changes[] = {{std::string(key), value},
                                     {"earth.depth", std::to_string(panel.actions.settings.earth.depth)}};
    const std::size_t count = key == "cbt.depth" ? 2 : 1;
    if (const Status status = setSettings(panel.actions.settings, {changes, count}); !status)
        panel.actions.refused.push_back(status.error().message);
}

void copyText(const Panel& panel, const std::string& text, const std::string& what)
{
    ImGui::SetClipboardText(text.c_str());
    panel.actions.copied.push_back("copied " + what);
}

Fold::Fold(const Panel& panel, std::string_view id, const std::string& title, bool open)
    : panel_(panel), key_(fmt::format("{}/{}", panel.name, id))
{
    const auto chosen = panel.state.folds.find(key_);
    bool shown = chosen == panel.state.folds.end() ? open : chosen->second;
    ImGui::Dummy({0, 1 * panel.theme.scale});
    const std::string item = fmt::format("fold/{}", id);
    ImGui::PushID(item.c_str());
    if (ImGui::InvisibleButton("##heading", {buttonWidth(panel, 1), ImGui::GetFontSize()}))
        panel.state.folds.insert_or_assign(key_, shown = !shown);
    drawHeading(panel.theme, ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), capitalised(title), shown,
                ImGui::IsItemHovered());
    endItem(panel, item, {});
    const std::string& wanted = panel.items.wanted();
    peeks_ = !shown && wanted.starts_with(fmt::format("{}/", panel.name));
    drawn_ = shown || peeks_;
    if (!peeks_) return;
    panel.items.beginPeek();
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    cursor_ = window->DC.CursorPos;
    extent_ = window->DC.CursorMaxPos;
    ImGui::PushClipRect(cursor_, cursor_, false);
}

Fold::~Fold()
{
    if (!peeks_) return;
    ImGui::PopClipRect();
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    window->DC.CursorPos = cursor_;
    window->DC.CursorMaxPos = extent_;
    if (panel_.items.endPeek()) panel_.state.folds.insert_or_assign(key_, true);
}

}  // namespace orogen::app
