// Orientation over the picture: names of places, labels of the graticule, compass, scale bar, credit of the imagery.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <imgui.h>

#include "app/model/format.h"
#include "app/ui/panels.h"
#include "app/ui/picture_marks.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {

namespace {

constexpr float kDot = 2.5f;       // radius of a city's dot (pixels at scale 1)
constexpr float kCompass = 46;     // diameter (pixels at scale 1)
constexpr float kPointOffset = 7;  // from a dot to its text (pixels at scale 1)

void addArea(const Panel& panel, const char* name, const ImVec2& low, const ImVec2& high)
{
    panel.items.addRect(
        name, {.min = low, .max = high, .visibleMin = low, .visibleMax = high, .handle = low, .window = "Picture"});
}

// ---- scale bar and credit ----

// Draws the imagery's credit left of the scale bar, or above it where there is no room.  Returns the rectangle that the
// credit covers; empty if the credit is not drawn.  `bar`: rectangle of the scale bar.
PanelRect drawCredit(const Panel& panel, const std::string& credit, const PanelRect& bar, const PictureRoom& room)
{
    const PanelRect& rect = room.rect;
    if (credit.empty()) return {bar.min, bar.min};
    const float margin = 12 * panel.theme.scale, widest = rect.max.x - room.footLeft - 2 * margin;
    ImVec2 size = ImGui::CalcTextSize(credit.c_str());
    ImVec2 at(bar.min.x - margin - size.x, bar.min.y);
    if (at.x <= room.footLeft + margin)
    {
        size = ImGui::CalcTextSize(credit.c_str(), nullptr, false, widest);
        at = {rect.max.x - margin - size.x, bar.min.y - size.y - margin / 2};
    }
    if (at.y < rect.min.y) return {bar.min, bar.min};
    markText(panel.theme, at, credit, IM_COL32(255, 255, 255, 190), 0, widest);
    addArea(panel, "Picture/credit", at, {at.x + size.x, at.y + size.y});
    return {at, {at.x + size.x, at.y + size.y}};
}

// Draws the scale bar.  Returns the rectangle that the bar covers; without a bar, the corner where it would stand.
PanelRect drawScaleBar(const Panel& panel, const PanelRect& rect)
{
    const Theme& theme = panel.theme;
    const OrientationState& state = panel.model.tools.orientation;
    const float margin = 12 * theme.scale, tick = 5 * theme.scale, length = float(state.bar.pixels);
    const ImVec2 right(rect.max.x - margin, rect.max.y - margin), left(right.x - length, right.y);
    const PanelRect none{{right.x, right.y - ImGui::GetFontSize()}, right};
    if (!state.compass || state.bar.metres <= 0) return none;
    if (rect.width() < length + 2 * margin || rect.height() < 4 * margin) return none;
    const std::string text = metresText(state.bar.metres);
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const auto draw = [&](ImU32 colour, float width) {
        const ImVec2 line[] = {{left.x, left.y - tick}, left, right, {right.x, right.y - tick}};
        list.AddPolyline(line, 4, colour, 0, width);
    };
    const ImU32 white = IM_COL32(255, 255, 255, 230);
    draw(haloOf(white), 1.5f * theme.scale + 2 * haloWidth(theme));
    draw(white, 1.5f * theme.scale);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const ImVec2 at((left.x + right.x - size.x) / 2, left.y - tick - size.y);
    markText(theme, at, text, IM_COL32(255, 255, 255, 240));
    const PanelRect covered{{std::min(left.x, at.x), at.y}, right};
    addArea(panel, "Picture/scale", {left.x, at.y}, right);
    return covered;
}

// ---- compass ----

// Draws a compass at the upper right if there is room; a click turns north up.  Returns the rectangle that the compass
// covers; empty if there is none.
PanelRect drawCompass(const Panel& panel, const PanelRect& rect)
{
    const Theme& theme = panel.theme;
    const float size = kCompass * theme.scale, margin = 10 * theme.scale;
    const ImVec2 low(rect.max.x - margin - size, rect.min.y + margin), high(low.x + size, low.y + size);
    if (rect.width() < 3 * size || rect.height() < 3 * size) return {low, low};
    ImGui::SetNextWindowPos(low);
    ImGui::SetNextWindowSize({size, size});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin("##compass", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar(2);  // the tooltip uses the usual padding
    ImGui::PushID("compass");
    panel.actions.tools.northUp |= ImGui::InvisibleButton("north", {size, size});
    const bool hovered = ImGui::IsItemHovered();
    const double heading = panel.model.tools.camera.yaw;
    endItem(panel, "compass",
            fmt::format("The camera looks towards {:.0f}\u00b0. A click turns north up.",
                        std::fmod(std::round(heading + 360), 360)));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 middle((low.x + high.x) / 2, (low.y + high.y) / 2);
    const float radius = size / 2 - 1;
    list.AddCircleFilled(middle, radius, IM_COL32(14, 18, 24, hovered ? 200 : 130), 40);
    list.AddCircle(middle, radius, IM_COL32(255, 255, 255, hovered ? 150 : 80), 40, theme.scale);
    const double turn = -heading * std::numbers::pi / 180;
    const auto at = [&](double angle, float away) {
        return ImVec2(middle.x + away * float(std::sin(turn + angle)), middle.y - away * float(std::cos(turn + angle)));
    };
    const double quarter = std::numbers::pi / 2;
    for (int i = 0; i < 12; ++i)
        list.AddLine(at(i * quarter / 3, radius * (i % 3 == 0 ? 0.84f : 0.92f)), at(i * quarter / 3, radius * 0.98f),
                     IM_COL32(255, 255, 255, 150), theme.scale);
    const float tip = radius * 0.52f, side = radius * 0.2f;
    list.AddTriangleFilled(at(0, tip), at(quarter, side), at(-quarter, side), IM_COL32(236, 82, 70, 255));
    list.AddTriangleFilled(at(2 * quarter, tip), at(-quarter, side), at(quarter, side), IM_COL32(228, 232, 238, 255));
    const float letter = 0.8f * ImGui::GetFontSize();
    const ImVec2 n = ImGui::GetFont()->CalcTextSizeA(letter, FLT_MAX, 0, "N");
    const ImVec2 place = at(0, radius * 0.73f);
    list.AddText(ImGui::GetFont(), letter, {place.x - n.x / 2, place.y - n.y / 2}, IM_COL32(255, 255, 255, 255), "N");
    ImGui::End();
    return {low, high};
}

// ---- names and the graticule's labels ----

struct NameStyle
{
    float size = 1;  // size of the letters, in font heights
    ImU32 colour = IM_COL32(255, 255, 255, 255);
    bool dot = false;
    bool wide = false;  // in capitals
};

NameStyle styleOf(std::optional<PlaceKind> kind)
{
    if (!kind) return {1.0f, IM_COL32(255, 255, 255, 255), true, false};
    switch (*kind)
    {
    case PlaceKind::kContinent:
        return {1.25f, IM_COL32(255, 244, 214, 235), false, true};
    case PlaceKind::kOcean:
        return {1.1f, IM_COL32(178, 214, 255, 235), false, true};
    case PlaceKind::kSea:
        return {1.0f, IM_COL32(178, 214, 255, 235), false, false};
    case PlaceKind::kCountry:
        return {1.1f, IM_COL32(255, 240, 196, 255), false, false};
    case PlaceKind::kCapital:
        return {1.0f, IM_COL32(255, 255, 255, 255), true, false};
    case PlaceKind::kCity:
        return {0.92f, IM_COL32(240, 243, 247, 255), true, false};
    case PlaceKind::kPeak:
        return {0.92f, IM_COL32(255, 222, 190, 255), true, false};
    }
    return {};
}

std::string capitals(const std::string& text)
{
    std::string upper = text;
    for (char& letter : upper)
        if (letter >= 'a' && letter <= 'z') letter = char(letter - 'a' + 'A');
    return upper;
}

void drawNames(const Panel& panel, const PanelRect& rect, std::vector<LabelBox> taken)
{
    const std::vector<PictureName>& names = panel.model.tools.orientation.names;
    const float scale = panel.theme.scale;
    std::vector<WantedLabel> wanted;
    std::vector<std::size_t> of;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        const NameStyle style = styleOf(names[i].kind);
        const std::string text = style.wide ? capitals(names[i].text) : names[i].text;
        const float letters = style.size * ImGui::GetFontSize();
        const ImVec2 size = ImGui::GetFont()->CalcTextSizeA(letters, FLT_MAX, 0, text.c_str());
        const glm::dvec2 at = names[i].at;
        const double x = style.dot ? at.x - double(kDot * scale) : at.x - double(size.x) / 2;
        const double width = style.dot ? double((kDot + kPointOffset) * scale + size.x) : double(size.x);
        const LabelBox box{{x, at.y - double(size.y) / 2}, {x + width, at.y + double(size.y) / 2}};
        const bool inside = box.low.x >= double(rect.min.x) && box.high.x <= double(rect.max.x) &&
                            box.low.y >= double(rect.min.y) && box.high.y <= double(rect.max.y);
        if (!inside) continue;
        wanted.push_back({names[i].id, names[i].importance, box});
        of.push_back(i);
    }
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const std::size_t chosen : panel.state.names.choose(wanted, taken))
    {
        const PictureName& name = names[of[chosen]];
        const NameStyle style = styleOf(name.kind);
        const LabelBox& box = wanted[chosen].box;
        const ImVec2 dot(float(name.at.x), float(name.at.y));
        ImVec2 at(float(box.low.x), float(box.low.y));
        if (name.kind == PlaceKind::kPeak)
        {
            const float r = 1.5f * kDot * scale;
            const ImVec2 corners[] = {{dot.x, dot.y - r}, {dot.x + r, dot.y + r}, {dot.x - r, dot.y + r}};
            list.AddPolyline(corners, 3, haloOf(style.colour), ImDrawFlags_Closed, 2 * haloWidth(panel.theme));
            list.AddConvexPolyFilled(corners, 3, style.colour);
        }
        else if (style.dot && name.kind)
            markDot(panel.theme, dot, kDot * scale, style.colour);
        if (style.dot) at.x = dot.x + kPointOffset * scale;
        at = {std::round(at.x), std::round(at.y)};
        markText(panel.theme, at, style.wide ? capitals(name.text) : name.text, style.colour,
                 style.size * ImGui::GetFontSize());
        addArea(panel, ("Picture/name/" + name.text).c_str(), {float(box.low.x), float(box.low.y)},
                {float(box.high.x), float(box.high.y)});
    }
}

// Draws the labels of the graticule that cover neither `taken` nor each other; returns `taken` with their boxes.
std::vector<LabelBox> drawGridLabels(const Panel& panel, const PanelRect& rect, std::vector<LabelBox> taken)
{
    const float letters = 0.85f * ImGui::GetFontSize();
    for (const GridLabel& label : panel.model.tools.orientation.grid)
    {
        const ImVec2 size = ImGui::GetFont()->CalcTextSizeA(letters, FLT_MAX, 0, label.text.c_str());
        const ImVec2 at(std::round(float(label.at.x) + 3), std::round(float(label.at.y) - size.y - 2));
        const LabelBox box{{double(at.x), double(at.y)}, {double(at.x + size.x), double(at.y + size.y)}};
        const bool inside =
            at.x >= rect.min.x && at.y >= rect.min.y && at.x + size.x <= rect.max.x && at.y + size.y <= rect.max.y;
        if (!inside || std::ranges::any_of(taken, [&](const LabelBox& other) { return box.overlaps(other, 4); }))
            continue;
        taken.push_back(box);
        markText(panel.theme, at, label.text, IM_COL32(255, 250, 220, 230), letters);
    }
    return taken;
}

}  // namespace

void drawOrientation(const Panel& panel, const PictureRoom& room)
{
    const PanelRect& rect = room.rect;
    const OrientationState& state = panel.model.tools.orientation;
    const std::optional<EarthState>& earth = panel.model.tools.earth;
    if (!panel.model.terrain && !earth) return;
    std::vector<LabelBox> taken;
    const auto take = [&](const PanelRect& box) {
        taken.push_back({{double(box.min.x), double(box.min.y)}, {double(box.max.x), double(box.max.y)}});
    };
    const PanelRect bar = drawScaleBar(panel, rect);
    take(bar);
    take(drawCredit(panel, panel.model.cover.credit, bar, room));
    if (state.compass) take(drawCompass(panel, rect));
    drawNames(panel, rect, drawGridLabels(panel, rect, std::move(taken)));
}

void drawCreditAlone(const Panel& panel, const PanelRect& rect)
{
    const float bottom = rect.max.y - 12 * panel.theme.scale;
    const PanelRect corner{{rect.max.x, bottom - ImGui::GetFontSize()}, {rect.max.x, bottom}};
    (void)drawCredit(panel, panel.model.cover.credit, corner, {.rect = rect, .footLeft = rect.min.x});
}

}  // namespace orogen::app
