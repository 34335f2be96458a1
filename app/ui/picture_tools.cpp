// Tools over the picture: point information, the measured line with its profile, and the top view of the triangulation.
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>

#include "app/model/format.h"
#include "app/ui/legend.h"
#include "app/ui/panels.h"
#include "app/ui/picture_marks.h"
#include "app/ui/plot.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

// ---- lines on the ground ----

// Lines and marks on the ground, drawn over the picture and below all panels.
class PictureLines
{
public:
    // The picture fills the display.
    explicit PictureLines(const Panel& panel)
        : theme_(panel.theme), picture_(panel.model.tools.camera, panel.model.tools.world,
                                        {ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y})
    {
    }

    // Projects a world point to display pixels; empty: behind the camera, or too far outside the picture.
    std::optional<ImVec2> at(const glm::dvec3& place) const
    {
        const std::optional<glm::dvec2> at = picture_.at(place, kFarthestPixel);
        return at ? std::optional(ImVec2(float(at->x), float(at->y))) : std::nullopt;
    }

    // Draws a line through points; hidden segments are faint.
    void line(std::span<const SeenPoint> points, const ImVec4& colour, float width) const;
    void dot(const SeenPoint& point, const ImVec4& colour, float radius) const;

private:
    static constexpr double kFarthestPixel = 1e5;  // largest distance from the picture (pixels), for exact floats

    const Theme& theme_;
    PictureProjection picture_;
};

constexpr float kHiddenAlpha = 0.28f;

ImU32 faded(const ImVec4& colour, float alpha)
{
    return ImGui::ColorConvertFloat4ToU32({colour.x, colour.y, colour.z, colour.w * alpha});
}

void PictureLines::line(std::span<const SeenPoint> points, const ImVec4& colour, float width) const
{
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    for (const bool halo : {true, false})
        for (std::size_t i = 1; i < points.size(); ++i)
        {
            const auto a = at(points[i - 1].place), b = at(points[i].place);
            if (!a || !b) continue;
            const bool hidden = points[i - 1].hidden || points[i].hidden;
            const ImU32 core = faded(colour, hidden ? kHiddenAlpha : 1.0f);
            list.AddLine(*a, *b, halo ? haloOf(core) : core, halo ? width + 2 * haloWidth(theme_) : width);
        }
}

void PictureLines::dot(const SeenPoint& point, const ImVec4& colour, float radius) const
{
    if (const std::optional<ImVec2> place = at(point.place))
        markDot(theme_, *place, radius, faded(colour, point.hidden ? kHiddenAlpha : 1.0f));
}

// ---- measured line ----

constexpr float kPlotHeight = 112, kNarrowest = 34, kWidest = 56;  // pixels at scale 1; widths in font heights
const ImVec4 kLineColour{1.0f, 0.86f, 0.35f, 1};

void drawLineOnGround(const Panel& panel)
{
    const MeasureState& measure = panel.model.tools.measure;
    const PictureLines lines(panel);
    const float scale = panel.theme.scale;
    lines.line(measure.path, kLineColour, 2 * scale);
    for (const SeenPoint& point : measure.points)
        lines.dot(point, kLineColour, 3.5f * scale);
    if (measure.markedPlace) lines.dot(*measure.markedPlace, panel.theme.text, 4.5f * scale);
    const std::optional<glm::dvec3>& cursor = panel.model.tools.pick.place;
    if (!measure.adding || measure.points.empty() || !cursor || panel.actions.tools.along) return;
    const SeenPoint ends[] = {measure.points.back(), {*cursor, false}};  // the segment that a click would add
    lines.line(ends, {kLineColour.x, kLineColour.y, kLineColour.z, 0.5f}, scale);
}

// Formats as "+12.3 m", "-4.5 m" or "about +1,900 m"; "0 m" has no sign.
std::string signedMetres(double metres, double samplesApart)
{
    std::string text = heightText(std::abs(metres), samplesApart);
    if (text == heightText(0, samplesApart)) return text;
    const std::string_view about = "about ";
    return text.insert(text.starts_with(about) ? about.size() : 0, metres < 0 ? "-" : "+");
}

// Formats as "053.5°"; 0 is north.
std::string bearingText(double degrees)
{
    const double tenths = std::fmod(std::round(degrees * 10), 3'600) / 10;
    return fmt::format("{:05.1f}\u00b0", tenths);
}

void drawMeasureFigures(const Panel& panel)
{
    const MeasureState& measure = panel.model.tools.measure;
    const ProfileFigures& all = measure.figures;
    const double apart = measure.samplesApart.value_or(0);
    const auto figures = [](const ImVec4& colour, const std::string& text) {
        const auto width = [](std::string_view part) { return ImGui::CalcTextSize(part.begin(), part.end()).x; };
        textLine(colour, linesOfParts(text, ImGui::GetContentRegionAvail().x, width), true);
    };
    figures(panel.theme.text,
            fmt::format("{} across   {} along the ground   {} in height   {}° ({} %)", metresText(all.horizontal),
                        metresText(all.ground), signedMetres(all.rise, apart), fixedText(all.slope(), 1),
                        fixedText(all.horizontal > 0 ? 100 * all.rise / all.horizontal : 0.0, 1)));
    std::string second =
        fmt::format("up {}, down {}   {} to {}   steepest {:.1f}°   a sample every {}", heightText(all.climb, apart),
                    heightText(all.fall, apart), heightText(all.lowest, apart),
                    heightText(all.highest, apart) + samplesNote(apart), all.steepest, metresText(measure.spacing));
    if (measure.points.size() > 2)
        second += fmt::format("   last leg {} across, {} in height, bearing {}", metresText(measure.lastLeg.horizontal),
                              signedMetres(measure.lastLeg.rise, apart), bearingText(measure.bearing));
    else
        second += "   bearing " + bearingText(measure.bearing);
    if (measure.samplesApart && !coarseSamples(apart))
        second += fmt::format("   tiles of {} and finer", metresText(*measure.samplesApart));
    if (panel.model.syntheticBelow)
        second += fmt::format("   synthetic below {}", metresText(*panel.model.syntheticBelow));
    figures(panel.theme.dim, second);
}

void drawMeasureProfile(const Panel& panel)
{
    const MeasureState& measure = panel.model.tools.measure;
    const double apart = measure.samplesApart.value_or(0);
    const bool kilometres = measure.figures.horizontal >= 10'000;
    const double unit = kilometres ? 1'000 : 1;
    PlotSeries heights{.name = "height", .colour = kLineColour, .filled = true};
    for (const glm::dvec2& point : measure.profile)
        heights.points.push_back({point.x / unit, point.y});
    Plot plot{.item = "profile",
              .height = kPlotHeight,
              .x = {.name = "distance", .unit = kilometres ? "km" : "m"},
              .y = {.name = "height", .unit = "m"},
              .series = {std::move(heights)}};
    const double room = std::max(0.06 * (measure.figures.highest - measure.figures.lowest), 0.5);
    plot.y.low = measure.figures.lowest - room;
    plot.y.high = measure.figures.highest + room;
    if (measure.marked)
        plot.series.push_back({.name = "cursor",
                               .points = {{measure.marked->along / unit, measure.marked->height}},
                               .colour = panel.theme.text,
                               .line = false,
                               .dots = true});
    PictureToolsActions& tools = panel.actions.tools;
    plot.readOut = [&tools, &plot, unit, apart](std::size_t series, std::size_t point) {
        const PlotPoint& at = plot.series[series].points[point];
        tools.along = at.x * unit;
        const std::string height = coarseSamples(apart) ? heightText(at.y, apart) : grouped(at.y, 1) + " m";
        return fmt::format("{} along\n{} high", metresText(at.x * unit), height);
    };
    drawPlot(panel, plot);
}

void drawMeasureButtons(const Panel& panel)
{
    const MeasureState& measure = panel.model.tools.measure;
    PictureToolsActions& tools = panel.actions.tools;
    const char* const end = measure.adding ? "end" : "continue";
    {
        const Disabled disabled(panel, measure.points.empty() ? "No point is set." : "");
        tools.removePoint |= button(panel, "back", "Takes the last point away. (Backspace)");
        sameRowIfFits(end);
        tools.endLine |=
            button(panel, end, measure.adding ? "Clicks set no more points. (Escape)" : "Clicks set further points.");
        sameRowIfFits("clear");
        tools.clearLine |= button(panel, "clear", "Begins a new line.");
    }
    sameRowIfFits("copy");
    {
        const Disabled disabled(panel, measure.points.size() < 2 ? "The line needs two points."
                                       : measure.sampled         ? "The line is being sampled."
                                                                 : "");
        tools.copyProfile |= button(panel, "copy", "Copies all samples as comma-separated values.");
        sameRowIfFits("save");
        tools.saveProfile |= button(panel, "save", "Writes all samples into a new file, orogen-profile.csv.");
    }
    sameRowIfFits("close");
    tools.toggleMeasure |= button(panel, "close", "Removes the line. (M)");
}

PanelRect drawMeasure(const Panel& panel, const PanelRect& rect)
{
    const Panel own{"Measure", panel.model, panel.actions, panel.state, panel.items, panel.theme};
    const MeasureState& measure = panel.model.tools.measure;
    const auto known = panel.state.contentHeight.find("Measure");
    const float em = ImGui::GetFontSize();
    const float height = std::min(known == panel.state.contentHeight.end() ? 8 * em : known->second, rect.height());
    const float width = std::min(rect.width(), (measure.points.size() > 1 ? kWidest : kNarrowest) * em);
    const float left = rect.min.x + (rect.width() - width) / 2;
    const PanelRect place{{left, rect.min.y}, {left + width, rect.min.y + height}};
    beginPanel(own, place);
    if (measure.points.empty())
        textLine(panel.theme.dim, "Click the first point on the ground.", true);
    else if (measure.points.size() == 1)
        textLine(panel.theme.dim, "Click the next point.", true);
    else
        drawMeasureFigures(own);
    if (measure.sampled)
        ImGui::ProgressBar(float(*measure.sampled), {-1, 0}, "sampling");
    else if (measure.points.size() > 1)
        drawMeasureProfile(own);
    drawMeasureButtons(own);
    endPanel(own);
    drawLineOnGround(panel);
    return place;
}

// ---- top view ----

constexpr int kLegendDepths = 10;
constexpr float kLeastSize = 60;  // minimum side of the view (pixels); with less height the view is hidden

// Draws the colours of the deepest levels, coarse to fine.
void drawDepthLegend(const Panel& panel, float width)
{
    const int deepest = panel.model.tools.top.deepest, first = std::max(1, deepest - kLegendDepths + 1);
    const int count = deepest - first + 1;
    if (count < 1) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float font = ImGui::GetFontSize(), each = width / float(count), bar = 0.7f * font;
    for (int i = 0; i < count; ++i)
    {
        const float x = at.x + each * float(i);
        list.AddRectFilled({x, at.y}, {x + each, at.y + bar},
                           panel.theme.colour(depthColour(first + i, panel.model.tools.top.world)));
        const std::string label = std::to_string(first + i);
        const float size = ImGui::CalcTextSize(label.c_str()).x;
        if (size + 2 < each)
            list.AddText({x + (each - size) / 2, at.y + bar}, panel.theme.colour(panel.theme.dim), label.c_str());
    }
    ImGui::Dummy({width, bar + 1.1f * font});
}

void drawCameraFromAbove(const Panel& panel, ImVec2 origin, float size)
{
    const TopState& top = panel.model.tools.top;
    const auto at = [&](const glm::dvec2& place) {
        return ImVec2(origin.x + float((place.x - top.region.corner.x) / top.region.side) * size,
                      origin.y + float((top.region.corner.y - place.y) / top.region.side) * size);
    };
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.PushClipRect(origin, {origin.x + size, origin.y + size}, true);
    const ImU32 white = IM_COL32(255, 255, 255, 230), dark = IM_COL32(0, 0, 0, 150);
    std::vector<ImVec2> border;
    for (const glm::dvec2& place : top.border)
        border.push_back(at(place));
    for (const auto& [colour, width] : {std::pair(dark, 3.5f), std::pair(white, 1.5f)})
        list.AddPolyline(border.data(), int(border.size()), colour, ImDrawFlags_Closed, width * panel.theme.scale);
    list.AddCircleFilled(at(top.camera), 5 * panel.theme.scale, dark);
    list.AddCircleFilled(at(top.camera), 3.5f * panel.theme.scale, white);
    list.PopClipRect();
}

// Returns the height of the top view's title, text and buttons (pixels).
float chromeHeight()
{
    const ImGuiStyle& style = ImGui::GetStyle();
    return 2 * ImGui::GetFrameHeightWithSpacing() + 3.4f * ImGui::GetFontSize() + 2 * style.WindowPadding.y;
}

float topViewLeastHeight() { return chromeHeight() + kLeastSize; }

float topViewWidth(const Panel& panel)
{
    return (panel.model.tools.top.large ? 460.0f : 220.0f) * panel.theme.scale + 2 * ImGui::GetStyle().WindowPadding.x;
}

// Returns the width of the top view's row of buttons.
float topViewButtons(const Panel& panel)
{
    float width = 2 * ImGui::GetStyle().ItemSpacing.x;
    for (const char* label : {panel.model.tools.top.large ? "smaller" : "larger", "closer", "farther"})
        width += ImGui::CalcTextSize(inWords(label).c_str()).x + 2 * ImGui::GetStyle().FramePadding.x;
    return width;
}

// Draws the top view.  Returns its width; 0: there was no room.
float drawTopView(const Panel& panel, const PanelRect& rect)
{
    if (rect.height() < topViewLeastHeight()) return 0;
    const Panel own{"TopView", panel.model, panel.actions, panel.state, panel.items, panel.theme};
    const TopState& top = panel.model.tools.top;
    PictureToolsActions& tools = panel.actions.tools;
    const ImGuiStyle& style = ImGui::GetStyle();
    const float chrome = chromeHeight();
    const float wanted = topViewWidth(panel) - 2 * style.WindowPadding.x;
    const float size =
        std::max(std::min({wanted, rect.width() - 2 * style.WindowPadding.x, rect.height() - chrome}), kLeastSize);
    const auto known = panel.state.contentHeight.find("TopView");
    const float width = std::min(std::max(size, topViewButtons(own)) + 2 * style.WindowPadding.x, rect.width());
    // `known`, the height in the last frame, is limited, because there may have been more room then.
    const float height =
        std::min(known == panel.state.contentHeight.end() ? size + chrome : known->second, rect.height());
    const ImVec2 corner(rect.max.x - width, rect.max.y - height);
    beginPanel(own, {corner, {rect.max.x, corner.y + height}}, ImGuiWindowFlags_NoScrollbar, "Top view");
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    ImGui::PushID("picture");
    if (top.texture != 0)
        ImGui::Image(reinterpret_cast<ImTextureID>(std::intptr_t(top.texture)), {size, size});
    else
        ImGui::Dummy({size, size});
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0)
        tools.zoomTop = ImGui::GetIO().MouseWheel > 0 ? 1 : -1;
    endItem(own, "picture", "The wheel goes closer to the camera's place.");
    drawCameraFromAbove(panel, origin, size);
    textLine(panel.theme.dim, fmt::format("{} across, depths:", metresText(top.region.side)));
    drawDepthLegend(panel, ImGui::GetContentRegionAvail().x);
    tools.resizeTop |= button(own, top.large ? "smaller" : "larger", "Changes the size of the top view.");
    ImGui::SameLine();
    if (const Disabled disabled(own, top.zoom == top.mostZoom ? "It comes no closer." : "");
        button(own, "closer", "The mouse wheel, too."))
        tools.zoomTop = 1;
    ImGui::SameLine();
    if (const Disabled disabled(own, top.zoom == 0 ? "All of it is in view." : "");
        button(own, "farther", "The mouse wheel, too."))
        tools.zoomTop = -1;
    endPanel(own);
    return width;
}

// ---- point information and input ----

constexpr std::ptrdiff_t kPickLines = 4;  // without wrapping
constexpr float kClickReach = 4;          // pixels; a longer movement is a drag
constexpr ImGuiWindowFlags kOverPicture = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                          ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                          ImGuiWindowFlags_NoNav;

bool typed(int key) { return ImGui::IsKeyPressed(key, false); }

// Returns whether the letter of `key` was typed.  Matches the typed character, because the help names tools by letters.
// If no Latin letter was typed, as on layouts without Latin letters, matches the key instead.
bool typedLetter(int key)
{
    const int letter = key - GLFW_KEY_A + 'a';
    const ImVector<ImWchar>& typedNow = ImGui::GetIO().InputQueueCharacters;
    const auto latin = [](ImWchar c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (std::any_of(typedNow.begin(), typedNow.end(), latin))
        return std::any_of(typedNow.begin(), typedNow.end(), [letter](ImWchar c) { return (c | 32) == letter; });
    return typed(key);
}

void readMouse(PictureToolsActions& tools)
{
    const ImGuiIO& io = ImGui::GetIO();
    const bool held = std::ranges::any_of(io.MouseDown, [](bool down) { return down; });
    if (!io.WantCaptureMouse && !held && ImGui::IsMousePosValid()) tools.cursor = cursorPosition();
    const bool ours = ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !io.MouseDownOwned[ImGuiMouseButton_Left];
    if (ours && io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] < kClickReach * kClickReach)
        tools.clicked = cursorPosition();
}

bool liesNear(const PanelRect& rect, ImVec2 point, float margin)
{
    return point.x > rect.min.x - margin && point.x < rect.max.x + margin && point.y > rect.min.y - margin &&
           point.y < rect.max.y + margin;
}

// Widths in font heights.
constexpr float kPickWidth = 27;   // close to the largest width of the point information
constexpr float kScaleWidth = 14;  // largest width of the scale bar, with its margins

// Returns the point information's texts, each in as many lines as a window of `width` pixels needs.
std::vector<std::string> pickTexts(const PickState& pick, float width)
{
    const auto widthOf = [](std::string_view part) { return ImGui::CalcTextSize(part.begin(), part.end()).x; };
    std::vector<std::string> texts;
    for (const std::string& line : pickLines(pick))
        texts.push_back(linesOfParts(line, width - 2 * ImGui::GetStyle().WindowPadding.x, widthOf));
    return texts;
}

// Returns the height of the point information in a room of `width` pixels, whether it is shown or not.
float pickHeight(const PickState& pick, float width)
{
    std::ptrdiff_t lines = 0;
    if (pick.on && pick.place)
        for (const std::string& text : pickTexts(pick, width))
            lines += 1 + std::ranges::count(text, '\n');
    return float(std::max(lines, kPickLines)) * ImGui::GetTextLineHeightWithSpacing() +
           2 * ImGui::GetStyle().WindowPadding.y;
}

// Draws the point information at the lower left of `rect`, or at the upper left if the cursor is near the lower left.
// Returns the width of the point information; 0: not drawn.
float drawPick(const Panel& panel, const PanelRect& rect)
{
    const PickState& pick = panel.model.tools.pick;
    if (!pick.on || !pick.place) return 0;
    const float height = pickHeight(pick, rect.width());
    if (rect.height() < height) return 0;
    const std::vector<std::string> words = pickTexts(pick, rect.width());
    float width = 0;
    for (const std::string& line : words)
        width = std::max(width, ImGui::CalcTextSize(line.c_str()).x);
    width = std::min(width + 2 * ImGui::GetStyle().WindowPadding.x + 1, rect.width());
    PanelRect place{{rect.min.x, rect.max.y - height}, {rect.min.x + width, rect.max.y}};
    if (liesNear(place, ImGui::GetIO().MousePos, 2 * ImGui::GetFontSize()))
        place = {rect.min, {rect.min.x + width, rect.min.y + height}};
    ImGui::SetNextWindowPos(place.min);
    ImGui::SetNextWindowSize({place.width(), place.height()});
    ImGui::Begin("Under the cursor", nullptr, kOverPicture | ImGuiWindowFlags_NoInputs);
    for (std::size_t i = 0; i < words.size(); ++i)
        textLine(i == 0 ? panel.theme.text : panel.theme.dim, words[i]);
    ImGui::End();
    return width;
}

}  // namespace

void readPictureTools(const UiModel& model, UiActions& actions)
{
    const ImGuiIO& io = ImGui::GetIO();
    PictureToolsActions& tools = actions.tools;
    if (model.pictured) readMouse(tools);
    if (io.WantTextInput || io.KeyCtrl) return;
    tools.toggleInfo |= typedLetter(GLFW_KEY_I);
    tools.toggleMeasure |= typedLetter(GLFW_KEY_M);
    tools.toggleTop |= typedLetter(GLFW_KEY_T);
    actions.settings.marks.names ^= typedLetter(GLFW_KEY_N);
    actions.settings.marks.graticule ^= typedLetter(GLFW_KEY_G);
    tools.copyInfo |= typedLetter(GLFW_KEY_C) && model.tools.pick.on;
    if (!model.tools.measure.open) return;
    tools.removePoint |= typed(GLFW_KEY_BACKSPACE);
    if (typed(GLFW_KEY_ESCAPE) && !popupOpen())
        (model.tools.measure.adding ? tools.endLine : tools.toggleMeasure) = true;
}

PictureRoom drawPictureTools(const Panel& panel, const PanelRect& rect)
{
    PictureRoom left{rect, rect.min.x};
    if (!panel.model.terrain || panel.state.helpOpen || !panel.model.shaderLog.empty()) return left;
    const float gap = 6 * panel.theme.scale;
    PanelRect room = rect;
    if (panel.model.tools.measure.open) room.min.y = left.rect.min.y = drawMeasure(panel, rect).max.y + gap;
    const PickState& pick = panel.model.tools.pick;
    const PictureLines lines(panel);
    if (panel.model.terrainModel.brushing)
        lines.line(panel.model.terrainModel.ring, panel.theme.accent, 2 * panel.theme.scale);
    else if (pick.on && pick.place)
        lines.line(pick.outline, panel.theme.warning, 1.6f * panel.theme.scale);
    // Width and height reserved for point information.
    const float high = pickHeight(pick, room.width());
    float wide = kPickWidth * ImGui::GetFontSize();
    if (!panel.model.tools.top.open)
        wide = std::max(wide, drawPick(panel, room));
    else
    {
        // The top view goes beside the point information, or above it if the width is too small for both.
        const bool narrow = room.width() < kPickWidth * ImGui::GetFontSize() + topViewWidth(panel) + gap;
        const bool both = !narrow || room.height() >= high + gap + topViewLeastHeight();
        if (both) wide = std::max(wide, drawPick(panel, room));
        if (pick.on && narrow && both) room.max.y -= high + gap;
        if (const float width = drawTopView(panel, room); width > 0) left.rect.max.x -= width + gap;
    }
    if (!pick.on) return left;
    if (left.rect.width() < wide + kScaleWidth * ImGui::GetFontSize())
        left.rect.max.y -= high;
    else
        left.footLeft += wide;
    return left;
}

}  // namespace orogen::app
