#include "app/ui/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "app/model/format.h"
#include "app/ui/words.h"
#include "core/base/text.h"
#include "core/base/ticks.h"

namespace orogen::app {

namespace {

constexpr float kLineWidth = 1.5f, kDotRadius = 2.5f;  // pixels at scale 1
constexpr float kLeastReferenceShare = 0.15f;  // dashed references lower than this share of the height are not drawn
constexpr std::size_t kPointsPerPixel = 2;     // maximum number of a line's points per pixel of width

// Plot area on the screen, and its two scales.
struct Area
{
    ImVec2 min, max;
    PlotScale x, y;

    float atX(double value) const { return min.x + float(x.place(value)) * (max.x - min.x); }
    float atY(double value) const { return max.y - float(std::clamp(y.place(value), 0.0, 1.0)) * (max.y - min.y); }
    bool shows(const PlotPoint& point) const
    {
        const double place = x.place(point.x);
        return place >= 0 && place <= 1 && !std::isnan(y.place(point.y));
    }
    ImVec2 at(const PlotPoint& point) const { return {atX(point.x), atY(point.y)}; }
};

std::optional<PlotScale> scaleOver(const Plot& plot, const PlotAxis& axis, double PlotPoint::*member)
{
    std::vector<double> values;
    for (const PlotSeries& series : plot.series)
        for (const PlotPoint& point : series.points)
            values.push_back(point.*member);
    return scaleOf(axis, values);
}

bool worthDrawing(const Plot& plot)
{
    return std::ranges::any_of(
        plot.series, [](const PlotSeries& series) { return series.points.size() >= (series.dots ? 1u : 2u); });
}

// Formats a tick as "0.5", "2000" or "1e-5".
std::string tickText(double value)
{
    std::string text = fmt::format("{:.7g}", value);
    const std::size_t power = text.find('e');
    if (power == std::string::npos) return text;
    const std::size_t digits = power + 2;  // after the sign; fmt writes at least two
    if (text[digits] == '0') text.erase(digits, 1);
    if (text[power + 1] == '+') text.erase(power + 1, 1);
    return text;
}

std::string axisTitle(const PlotAxis& axis)
{
    return axis.unit.empty() ? axis.name : fmt::format("{} ({})", axis.name, axis.unit);
}

constexpr int kMostTicks = 6;
constexpr float kRowOfTick = 1.6f, kColumnOfTick = 4;  // room of a tick's label along its axis (font heights)

std::vector<double> ticksOf(const PlotScale& scale, float pixels, float each)
{
    return scale.ticks(std::clamp(int(pixels / (each * ImGui::GetFontSize())), 2, kMostTicks));
}

// Draws horizontal grid lines with labels at the left, and the title above.
void drawYAxis(const Panel& panel, const Plot& plot, const Area& area, float left)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 dim = panel.theme.colour(panel.theme.dim), faint = panel.theme.colour(panel.theme.dim, 0.22f);
    const float font = ImGui::GetFontSize();
    for (const double value : ticksOf(area.y, area.max.y - area.min.y, kRowOfTick))
    {
        const float y = std::round(area.atY(value));
        list.AddLine({area.min.x, y}, {area.max.x, y}, faint);
        const std::string label = tickText(value);
        const float width = ImGui::CalcTextSize(label.c_str()).x;
        list.AddText({area.min.x - 4 * panel.theme.scale - width, y - font / 2}, dim, label.c_str());
    }
    list.AddText({left, area.min.y - 1.5f * font}, dim, capitalised(axisTitle(plot.y)).c_str());
}

// Draws vertical grid lines with labels below, and the title at the upper right.
void drawXAxis(const Panel& panel, const Plot& plot, const Area& area)
{
    if (plot.x.name.empty()) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 dim = panel.theme.colour(panel.theme.dim), faint = panel.theme.colour(panel.theme.dim, 0.22f);
    const float font = ImGui::GetFontSize();
    for (const double value : ticksOf(area.x, area.max.x - area.min.x, kColumnOfTick))
    {
        const float x = std::round(area.atX(value));
        list.AddLine({x, area.min.y}, {x, area.max.y}, faint);
        const std::string label = tickText(value);
        const float width = ImGui::CalcTextSize(label.c_str()).x;
        const float at = std::min(x - width / 2, area.max.x - width);
        list.AddText({at, area.max.y + 2 * panel.theme.scale}, dim, label.c_str());
    }
    const std::string title = "over " + axisTitle(plot.x);
    list.AddText({area.max.x - ImGui::CalcTextSize(title.c_str()).x, area.min.y - 1.5f * font}, dim, title.c_str());
}

void drawReference(const Panel& panel, const Area& area, const PlotReference& reference)
{
    const double place = area.y.place(reference.y);
    if (!(place >= 0 && place <= 0.97) || (reference.dashed && place < kLeastReferenceShare)) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = std::round(area.atY(reference.y)), dash = 5 * panel.theme.scale;
    const ImU32 colour = panel.theme.colour(reference.colour, reference.dashed ? 0.55f : 1.0f);
    if (reference.dashed)
        for (float x = area.min.x; x < area.max.x; x += 2 * dash)
            list.AddLine({x, y}, {std::min(x + dash, area.max.x), y}, colour);
    else
        list.AddLine({area.min.x, y}, {area.max.x, y}, colour);
    if (reference.label.empty()) return;
    const ImVec2 text = ImGui::CalcTextSize(reference.label.c_str());
    const ImVec2 at(area.min.x + 4 * panel.theme.scale, y - text.y - 2);
    list.AddRectFilled({at.x - 2, at.y}, {at.x + text.x + 2, at.y + text.y}, IM_COL32(0, 0, 0, 150), 2);
    list.AddText(at, panel.theme.colour(reference.colour), reference.label.c_str());
}

void drawShaded(const Panel& panel, const Area& area, std::span<const double> shaded)
{
    for (const double x : shaded)
        ImGui::GetWindowDrawList()->AddRectFilled({area.atX(x - 0.5), area.min.y}, {area.atX(x + 0.5), area.max.y},
                                                  panel.theme.colour(panel.theme.warning, 0.22f));
}

// Returns a line's points on the screen, thinned to the plot's width; keeps the last point.
std::vector<ImVec2> lineOf(const Area& area, const PlotSeries& series)
{
    const std::size_t room = std::size_t(std::max(1.0f, area.max.x - area.min.x)) * kPointsPerPixel;
    const std::size_t stride = series.points.size() / room + 1;
    std::vector<ImVec2> line;
    for (std::size_t i = 0; i < series.points.size(); ++i)
        if ((i % stride == 0 || i + 1 == series.points.size()) && area.shows(series.points[i]))
            line.push_back(area.at(series.points[i]));
    return line;
}

void drawFilled(const Panel& panel, const Area& area, std::span<const ImVec2> line, const ImVec4& colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImDrawListFlags flags = list.Flags;
    list.Flags &= ~ImDrawListFlags_AntiAliasedFill;  // no seams between the quads
    for (std::size_t i = 1; i < line.size(); ++i)
        list.AddQuadFilled(line[i - 1], line[i], {line[i].x, area.max.y}, {line[i - 1].x, area.max.y},
                           panel.theme.colour(colour, 0.16f));
    list.Flags = flags;
}

void drawSeries(const Panel& panel, const Area& area, const PlotSeries& series, const ImVec4& colour)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::vector<ImVec2> line = lineOf(area, series);
    if (series.filled) drawFilled(panel, area, line, colour);
    if (series.line)
        list.AddPolyline(line.data(), int(line.size()), panel.theme.colour(colour), 0, kLineWidth * panel.theme.scale);
    for (const PlotPoint& point : series.points)
        if (point.low && point.high && area.shows(point))
            list.AddLine({area.atX(point.x), area.atY(*point.low)}, {area.atX(point.x), area.atY(*point.high)},
                         panel.theme.colour(colour, 0.6f), kLineWidth * panel.theme.scale);
    if (!series.dots) return;
    for (const ImVec2& point : line)
        list.AddCircleFilled(point, kDotRadius * panel.theme.scale, panel.theme.colour(colour));
}

struct PointPlace
{
    std::size_t series = 0, point = 0;
};

// Returns the point nearest to the mouse along x; y breaks ties.
std::optional<PointPlace> nearestPoint(const Plot& plot, const Area& area)
{
    const ImVec2 mouse = ImGui::GetMousePos();
    std::optional<PointPlace> nearest;
    float nearestX = std::numeric_limits<float>::max(), nearestY = nearestX;
    for (std::size_t s = 0; s < plot.series.size(); ++s)
        for (std::size_t p = 0; p < plot.series[s].points.size(); ++p)
        {
            if (!area.shows(plot.series[s].points[p])) continue;
            const ImVec2 at = area.at(plot.series[s].points[p]);
            const float x = std::abs(at.x - mouse.x), y = std::abs(at.y - mouse.y);
            if (x > nearestX || (x == nearestX && y >= nearestY)) continue;
            nearest = PointPlace{s, p};
            nearestX = x;
            nearestY = y;
        }
    return nearest;
}

std::string wordsFor(const Plot& plot, const PointPlace& place)
{
    if (plot.readOut) return plot.readOut(place.series, place.point);
    const PlotSeries& series = plot.series[place.series];
    const PlotPoint& point = series.points[place.point];
    const auto valueText = [](const PlotAxis& axis, double value) {
        return fmt::format("{} {:.4g}{}{}", axis.name, value, axis.unit.empty() ? "" : " ", axis.unit);
    };
    return fmt::format("{}{}{}\n{}", series.name, series.name.empty() ? "" : "\n", valueText(plot.x, point.x),
                       valueText(plot.y, point.y));
}

void drawReadOut(const Panel& panel, const Plot& plot, const Area& area)
{
    const auto place = nearestPoint(plot, area);
    if (!place) return;
    const ImVec2 at = area.at(plot.series[place->series].points[place->point]);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddLine({at.x, area.min.y}, {at.x, area.max.y}, panel.theme.colour(panel.theme.text, 0.5f));
    list.AddCircleFilled(at, (kDotRadius + 1) * panel.theme.scale, panel.theme.colour(panel.theme.text));
    // In a column the read-out stands beside the column.  Elsewhere it stands below the whole window, or above it,
    // because it follows the mouse at once and would hide the rows below the plot.
    std::optional<PanelRect> window;
    const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    if (panel.docked == DockFrame::kNone) window = {corner, {corner.x + size.x, corner.y + size.y}};
    showTooltip(panel, wordsFor(plot, *place), window);
}

// Returns the plot area in an item's rectangle, with room for titles above and labels at the left and below.
Area areaIn(const Panel& panel, const Plot& plot, ImVec2 min, ImVec2 max, const PlotScale& x, const PlotScale& y)
{
    const float font = ImGui::GetFontSize(), gap = 4 * panel.theme.scale;
    Area area{{min.x, min.y + 1.6f * font}, {max.x - gap, max.y - (plot.x.name.empty() ? 0.5f : 1.3f) * font}, x, y};
    float labels = 0;
    for (const double value : ticksOf(y, area.max.y - area.min.y, kRowOfTick))
        labels = std::max(labels, ImGui::CalcTextSize(tickText(value).c_str()).x);
    area.min.x += labels + gap;
    return area;
}

// ---- convergence ----

constexpr double kLeastValue = 1e-300;  // smallest value plotted: the axis is logarithmic

PlotSeries seriesOf(const NamedCurve& named)
{
    const ConvergenceCurve& curve = *named.curve;
    const std::size_t count = curve.values.size();
    PlotSeries series{.name = named.name};
    for (std::size_t i = 0; i < count; ++i)
    {
        const double step = std::round(double(i) * double(curve.steps - 1) / double(count - 1));
        series.points.push_back({step, std::max(curve.values[i], kLeastValue)});
    }
    return series;
}

// Returns the lower end of the axis: a decade below the lowest goal.  A curve without a goal counts with its smallest
// positive value.
double bottomOf(std::span<const NamedCurve> curves)
{
    double bottom = 0;
    for (const NamedCurve& named : curves)
    {
        const ConvergenceCurve& curve = *named.curve;
        double least = curve.goal;
        for (const double value : curve.values)
            if (curve.goal <= 0 && value > 0 && (least <= 0 || value < least)) least = value;
        if (least > 0 && (bottom <= 0 || least < bottom)) bottom = least;
    }
    return std::max(bottom, kLeastValue) / 10;
}

std::string lastText(const ConvergenceCurve& curve)
{
    return fmt::format("{:.2g} after {}", curve.values.back(), counted(curve.steps - 1, "iteration"));
}

}  // namespace

double PlotScale::place(double value) const
{
    if (!logarithmic) return (value - low) / (high - low);
    if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
    return std::log10(value / low) / std::log10(high / low);
}

std::vector<double> PlotScale::ticks(int most) const { return ticksIn({low, high, logarithmic, whole}, most); }

std::optional<PlotScale> scaleOf(const PlotAxis& axis, std::span<const double> values)
{
    std::optional<double> least, greatest;
    for (const double value : values)
    {
        if (!std::isfinite(value) || (axis.logarithmic && value <= 0)) continue;
        least = std::min(least.value_or(value), value);
        greatest = std::max(greatest.value_or(value), value);
    }
    if (!least) return std::nullopt;
    PlotScale scale{axis.low.value_or(*least), axis.high.value_or(*greatest), axis.logarithmic, axis.whole};
    if (axis.logarithmic && axis.tight)
    {
        constexpr double kLeastRatio = 1.5, kMargin = 0.04;  // centres a single value and keeps dots off the edges
        const double ratio = std::max(scale.high / scale.low, kLeastRatio);
        const double middle = std::sqrt(scale.low * scale.high), half = std::pow(ratio, 0.5 + kMargin);
        scale.low = middle / half;
        scale.high = middle * half;
    }
    else if (axis.logarithmic)
    {
        const double low = std::floor(std::log10(scale.low) + 1e-9), high = std::ceil(std::log10(scale.high) - 1e-9);
        scale.low = std::pow(10.0, low);
        scale.high = std::pow(10.0, std::max(high, low + 1));
    }
    else if (!(scale.high > scale.low))
        scale.high = scale.low + 1;
    return scale;
}

// Returns one of Okabe and Ito's hues, moved apart for thin lines on a dark ground.  Any two colours are at least 29
// apart in CIELAB for viewers without red or green cones, and at least 44 for viewers with normal colour
// vision.
ImVec4 plotColour(std::size_t series)
{
    constexpr std::array<ImU32, kPlotColours> kColours = {
        IM_COL32(86, 180, 233, 255),  IM_COL32(254, 181, 10, 255), IM_COL32(196, 64, 136, 255),
        IM_COL32(242, 255, 145, 255), IM_COL32(47, 199, 132, 255), IM_COL32(123, 98, 223, 255),
        IM_COL32(240, 240, 240, 255), IM_COL32(221, 28, 7, 255),
    };
    return ImGui::ColorConvertU32ToFloat4(kColours[series % kColours.size()]);
}

void drawPlot(const Panel& panel, const Plot& plot)
{
    const auto x = scaleOver(plot, plot.x, &PlotPoint::x), y = scaleOver(plot, plot.y, &PlotPoint::y);
    if (!x || !y || !worthDrawing(plot)) return;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size(buttonWidth(panel, 1), plot.height * panel.theme.scale);
    ImGui::PushID(plot.item.c_str());
    ImGui::InvisibleButton("##plot", size);
    const bool hovered = ImGui::IsItemHovered();
    endItem(panel, plot.item, {});

    const Area area = areaIn(panel, plot, origin, {origin.x + size.x, origin.y + size.y}, *x, *y);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(area.min, area.max, IM_COL32(0, 0, 0, 90));
    drawYAxis(panel, plot, area, origin.x);
    drawXAxis(panel, plot, area);
    const float dot = kDotRadius * panel.theme.scale;
    list.PushClipRect({area.min.x - dot, area.min.y - dot}, {area.max.x + dot, area.max.y + dot}, true);
    drawShaded(panel, area, plot.shaded);
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        drawSeries(panel, area, plot.series[i], plot.series[i].colour.value_or(plotColour(i)));
    for (const PlotReference& reference : plot.references)
        drawReference(panel, area, reference);
    list.PopClipRect();
    if (hovered) drawReadOut(panel, plot, area);
}

void legendLines(const Panel& panel, const std::vector<PlotSeries>& series)
{
    const float font = ImGui::GetFontSize(), side = 0.55f * font, gap = 5 * panel.theme.scale;
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float right = from.x + buttonWidth(panel, 1);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImVec2 at = from;
    for (std::size_t i = 0; i < series.size(); ++i)
    {
        const float width = side + gap + ImGui::CalcTextSize(series[i].name.c_str()).x;
        if (at.x > from.x && at.x + width > right) at = {from.x, at.y + 1.2f * font};
        const float top = at.y + (font - side) / 2;
        list.AddRectFilled({at.x, top}, {at.x + side, top + side},
                           panel.theme.colour(series[i].colour.value_or(plotColour(i))));
        list.AddText({at.x + side + gap, at.y}, panel.theme.colour(panel.theme.text), series[i].name.c_str());
        at.x += width + 2.5f * gap;
    }
    ImGui::Dummy({right - from.x, at.y + font - from.y});
}

void legendRow(const Panel& panel, const ImVec4& colour, const std::string& name, const std::string& text)
{
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = ImGui::GetFontSize() * 0.55f, top = at.y + (ImGui::GetFontSize() - side) / 2;
    const float indent = side + 6 * panel.theme.scale;
    ImGui::GetWindowDrawList()->AddRectFilled({at.x, top}, {at.x + side, top + side}, panel.theme.colour(colour));
    ImGui::Indent(indent);
    const float nameEnd = ImGui::GetCursorPosX() + ImGui::CalcTextSize(name.c_str()).x + ImGui::GetFontSize();
    const float textBegin = ImGui::GetWindowContentRegionMax().x - ImGui::CalcTextSize(text.c_str()).x;
    textLine(panel.theme.text, name, true);
    const bool beside = textBegin >= nameEnd;
    if (beside && !text.empty()) ImGui::SameLine(textBegin);
    if (!text.empty()) textLine(panel.theme.dim, text, !beside);
    ImGui::Unindent(indent);
}

void drawConvergence(const Panel& panel, const char* item, const ConvergenceCurve& curve)
{
    if (curve.values.size() < 2) return;
    const NamedCurve one{.name = {}, .curve = &curve};
    drawConvergences(panel, item, {&one, 1});
}

void drawConvergences(const Panel& panel, const char* item, std::span<const NamedCurve> curves)
{
    if (curves.empty()) return;
    const ConvergenceCurve& first = *curves.front().curve;
    Plot plot{.item = item,
              .height = curves.size() > 1 ? 148.0f : 108.0f,
              .x = {.name = "iteration", .whole = true},
              .y = {.name = first.name, .logarithmic = true, .low = bottomOf(curves)}};
    for (const NamedCurve& named : curves)
        plot.series.push_back(seriesOf(named));
    if (curves.size() == 1) plot.series.front().colour = panel.theme.accent;
    if (first.goal > 0) plot.references = {{.y = first.goal, .colour = panel.theme.good}};
    plot.readOut = [&curves, &plot](std::size_t series, std::size_t point) {
        const ConvergenceCurve& curve = *curves[series].curve;
        const std::string name = curves[series].name.empty() ? "" : curves[series].name + "\n";
        return fmt::format("{}{} of {}\n{} {:.2g}", name,
                           counted(std::uint64_t(plot.series[series].points[point].x), "iteration"),
                           grouped(curve.steps - 1), curve.name, curve.values[point]);
    };
    drawPlot(panel, plot);
    if (curves.size() < 2) return;
    for (std::size_t i = 0; i < curves.size(); ++i)
        legendRow(panel, plotColour(i), curves[i].name, lastText(*curves[i].curve));
}

}  // namespace orogen::app
