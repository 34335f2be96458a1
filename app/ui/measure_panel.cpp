// The measured line: on the ground, as figures, and as a height profile.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/picture_lines.h"
#include "app/ui/picture_tools.h"
#include "app/ui/plot.h"

namespace orogen::app {

namespace {

constexpr float kPlotHeight = 112, kNarrowest = 34, kWidest = 56;  // pixels at scale 1; the widths in letters
const ImVec4 kLineColour{1.0f, 0.86f, 0.35f, 1};

void drawLineOnGround(const Panel& panel)
{
    const MeasureState& measure = panel.model.tools.measure;
    const PictureLines lines(panel.model.tools.camera, ImGui::GetIO().DisplaySize);
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

// Formats as "+12.3 m" or "\u22124.5 m"; "0 m" has no sign.
std::string signedMetres(double metres)
{
    const std::string size = metresText(std::abs(metres));
    if (size == metresText(0)) return size;
    return (metres < 0 ? "\u2212" : "+") + size;
}

void drawMeasureFigures(const Panel& panel)
{
    const MeasureState& measure = panel.model.tools.measure;
    const ProfileFigures& all = measure.figures;
    const double apart = measure.samplesApart.value_or(0);
    textLine(panel.theme.text,
             fmt::format("{} across   {} along the ground   {} in height   {}° ({} %)", metresText(all.horizontal),
                         metresText(all.ground), signedMetres(all.rise), fixedText(all.slope(), 1),
                         fixedText(all.horizontal > 0 ? 100 * all.rise / all.horizontal : 0.0, 1)),
             true);
    std::string second =
        fmt::format("up {}, down {}   {} to {}   steepest {:.1f}°   a sample every {}", metresText(all.climb),
                    metresText(all.fall), heightText(all.lowest, apart),
                    heightText(all.highest, apart) + samplesNote(apart), all.steepest, metresText(measure.spacing));
    if (measure.points.size() > 2)
        second += fmt::format("   last leg {} across, {} in height", metresText(measure.lastLeg.horizontal),
                              signedMetres(measure.lastLeg.rise));
    if (measure.samplesApart && !coarseSamples(apart))
        second += fmt::format("   tiles of {} and finer", metresText(*measure.samplesApart));
    if (panel.model.syntheticBelow)
        second += fmt::format("   synthetic below {}", metresText(*panel.model.syntheticBelow));
    textLine(panel.theme.dim, second, true);
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
    const bool some = !measure.points.empty(), line = measure.points.size() > 1 && !measure.sampled;
    ImGui::BeginDisabled(!some);
    tools.removePoint |= button(panel, "back", "Takes the last point away. (Backspace)");
    ImGui::SameLine();
    tools.endLine |= button(panel, measure.adding ? "end" : "continue",
                            measure.adding ? "Clicks set no more points. (Escape)" : "Clicks set further points.");
    ImGui::SameLine();
    tools.clearLine |= button(panel, "clear", "Begins a new line.");
    ImGui::EndDisabled();
    ImGui::SameLine();
    ImGui::BeginDisabled(!line);
    tools.copyProfile |= button(panel, "copy", "Copies all samples as comma-separated values.");
    ImGui::SameLine();
    tools.saveProfile |= button(panel, "save", "Writes all samples into a new file, orogen-profile.csv.");
    ImGui::EndDisabled();
    ImGui::SameLine();
    tools.toggleMeasure |= button(panel, "close", "Removes the line. (M)");
}

}  // namespace

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

}  // namespace orogen::app
