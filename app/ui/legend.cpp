#include "app/ui/legend.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "app/model/format.h"
#include "app/ui/picture_marks.h"
#include "core/gpu_layout.h"
#include "core/terrain/raster/contours.h"

namespace orogen::app {
namespace {

constexpr int kDepthsShown = 8;  // number of deepest depths shown; few leaves are coarser

ImVec4 shown(const glm::vec4& colour) { return {colour.x, colour.y, colour.z, colour.w}; }

Legend ramp(std::string title, const glm::vec4 (&colours)[5], std::array<std::string, 5> texts)
{
    Legend legend{std::move(title), {}};
    for (std::size_t i = 0; i < texts.size(); ++i)
        legend.stops.push_back({std::move(texts[i]), shown(colours[i])});
    return legend;
}

// Returns the text of a height in metres or kilometres.  `span`: range of the legend (metres), for the decimals.
std::string heightWords(double metres, double span, bool kilometres)
{
    return kilometres ? fmt::format("{:g}", std::round(metres / 100) / 10) : fixedText(metres, span < 20 ? 1 : 0);
}

constexpr double kKilometresFrom = 10'000;  // span from which a legend uses kilometres (metres)

// Returns the legend of the Earth's colours.  Matches earthColour() in shaders/shading/tints.glsl: the sea floor is
// coloured by the square root of depth, land by height to the power 0.6.  So the same distance on the bar is
// a larger difference of height farther from the shore.
Legend earthLegend(const RampStretch& stretch, double low, double high)
{
    const bool kilometres = high - low >= kKilometresFrom;
    Legend legend{kilometres ? "height, km" : "height, m", {}};
    const auto add = [&](double position, const glm::vec4& colour, bool labelled) {
        const std::string text =
            labelled ? heightWords(stretch.height(position), high - low, kilometres) : std::string();
        legend.stops.push_back({text, shown(colour)});
    };
    for (std::size_t i = 0; i < 5 && low < 0; ++i)
        add(-std::pow(1 - double(i) / 4, 2), gpu::kDepthColours[4 - i], i != 3);
    if (!legend.stops.empty()) legend.stops.back().last = high > 0;
    for (std::size_t i = 0; i < 5 && high > 0; ++i)
        add(std::pow(double(i) / 4, 1 / 0.6), gpu::kHeightColours[i], i > 1 || low >= 0);
    if (high > 0) legend.stops.back().text += "+";
    return legend;
}

// Returns the legend of a ramp from a file: colours at even steps of height, and at the ends the colours of lower and
// higher ground if the ramp has other colours for them.  Labels stand at the limits of one-coloured classes; other
// ramps have labels at even steps.
Legend rampLegend(const ColourRamp& ramp, const RampStretch& stretch)
{
    constexpr int kSteps = 96, kLabels = 4, kOutside = 16;
    const double low = stretch.height(ramp.low()), high = stretch.height(ramp.high()), span = std::abs(high - low);
    const bool kilometres = span >= kKilometresFrom;
    Legend legend{kilometres ? "height, km" : "height, m", {}};
    const double wide = (ramp.high() - ramp.low()) / kSteps;
    std::vector<bool> labelled(kSteps + 1, false);
    if (std::ranges::all_of(ramp.pieces, [](const RampPiece& piece) { return piece.from == piece.to; }))
        for (const RampPiece& piece : ramp.pieces)
            labelled[std::size_t(std::lround((piece.low - ramp.low()) / wide))] = true;
    else
        for (int i = 0; i < kLabels; ++i)
            labelled[std::size_t(i * (kSteps / kLabels))] = true;
    labelled.back() = true;
    const int first = ramp.below && *ramp.below != ramp.pieces.front().from ? -kOutside : 0;
    const int last = ramp.above && *ramp.above != ramp.pieces.back().to ? kSteps + kOutside : kSteps;
    for (int i = first; i <= last; ++i)
    {
        const double position = ramp.low() + wide * i;
        const glm::dvec3 rgb = colourAt(ramp, position);
        const bool named = i >= 0 && i <= kSteps && labelled[std::size_t(i)];
        legend.stops.push_back({named ? heightWords(stretch.height(position), span, kilometres) : std::string(),
                                {float(rgb.x), float(rgb.y), float(rgb.z), 1}});
    }
    return legend;
}

std::optional<Legend> heightLegend(const UiModel& model)
{
    const bool earth = model.settings.world == World::kEarth;
    if (!earth && !model.terrain) return std::nullopt;
    const HeightRange terrain = earth ? kEarthTints : HeightRange{model.terrain->minHeight, model.terrain->maxHeight};
    const ColourRamp* file = model.cover.ramp.get();
    const RampStretch stretch = stretchOf(file, model.settings, terrain, model.cover.viewHeights);
    if (file) return rampLegend(*file, stretch);
    HeightRange shownRange = terrain;
    if (model.settings.render.tintRange == TintRange::kFixed)
        shownRange = {double(model.settings.render.tintLow), double(model.settings.render.tintHigh)};
    if (model.settings.render.tintRange == TintRange::kView && model.cover.viewHeights)
        shownRange = *model.cover.viewHeights;
    if (earth && shownRange.low < shownRange.high) return earthLegend(stretch, shownRange.low, shownRange.high);
    const double low = shownRange.low, span = shownRange.high - low;
    std::array<std::string, 5> texts;
    for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = fixedText(low + span * double(i) / 4, std::abs(span) < 20 ? 1 : 0);
    return ramp("height, m", gpu::kHeightColours, std::move(texts));
}

std::optional<Legend> depthLegend(const UiModel& model)
{
    const int deepest = int(model.stats.work.maxDepth);
    if (model.stats.work.leaves == 0) return std::nullopt;
    Legend legend{"depth in the tree", {}, true};
    for (int depth = std::max(deepest - kDepthsShown + 1, 1); depth <= deepest; ++depth)
        legend.stops.push_back({std::to_string(depth), depthColour(depth, model.settings.world)});
    return legend;
}

// Returns the colour that Shading::kNormals gives a unit normal.
ImVec4 normalColour(float east, float north, float up)
{
    return {0.5f + 0.5f * east, 0.5f + 0.5f * north, 0.5f + 0.5f * up, 1};
}

Legend normalLegend()
{
    // Normals of level ground and of slopes of 45 degrees.
    constexpr float k = 0.7071f;
    return {"the ground faces",
            {{"up", normalColour(0, 0, 1)},
             {"north", normalColour(0, k, k)},
             {"east", normalColour(k, 0, k)},
             {"south", normalColour(0, -k, k)},
             {"west", normalColour(-k, 0, k)}},
            true};
}

// Returns the legend of drained area.  Matches TerrainGpu::showDrainage(): the colour follows the logarithm of the
// area, from the area of one sample to that of all samples.
std::optional<Legend> drainageLegend(const UiModel& model)
{
    if (!model.terrain || !model.terrainModel.unavailable.empty()) return std::nullopt;
    const TerrainInfo& terrain = *model.terrain;
    const double sample = terrain.pixelWidth * terrain.pixelHeight * 1e-6;  // km²
    const double samples = double(terrain.width) * double(terrain.height);
    std::array<std::string, 5> texts;
    for (std::size_t i = 0; i < texts.size(); ++i)
    {
        const double area = sample * std::pow(samples, double(i) / 4);
        texts[i] = area < 10 ? fmt::format("{:.2g}", area) : fmt::format("{:.0f}", area);
    }
    return ramp("drained area, km\u00b2", gpu::kDrainageColours, std::move(texts));
}

std::string metres(double value)
{
    return value >= 1 ? fmt::format("{:g}", std::round(value * 1000) / 1000) : fmt::format("{:.2g}", value);
}

// Draws the colours from left to right, with the labels below.
void drawScale(ImDrawList& list, const Legend& legend, ImVec2 topLeft, float width, ImU32 ink)
{
    const float em = ImGui::GetFontSize(), bar = 0.8f * em;
    const float breaks = float(std::ranges::count_if(legend.stops, &LegendStop::last));
    const float count = float(legend.stops.size()) - breaks;
    const float step = legend.steps ? width / count : width / (count - 1);
    float x = topLeft.x;
    std::vector<ImVec2> places;  // left and right of labels
    std::vector<const std::string*> texts;
    for (std::size_t i = 0; i < legend.stops.size(); ++i)
    {
        const ImU32 colour = ImGui::ColorConvertFloat4ToU32(legend.stops[i].colour);
        if (legend.steps)
            list.AddRectFilled({x + 1, topLeft.y}, {x + step - 1, topLeft.y + bar}, colour);
        else if (i + 1 < legend.stops.size() && !legend.stops[i].last)
        {
            const ImU32 next = ImGui::ColorConvertFloat4ToU32(legend.stops[i + 1].colour);
            list.AddRectFilledMultiColor({x, topLeft.y}, {x + step, topLeft.y + bar}, colour, next, next, colour);
        }
        const std::string& text = legend.stops[i].text;
        const float half = ImGui::CalcTextSize(text.c_str()).x / 2, middle = legend.steps ? x + step / 2 : x;
        if (!text.empty())
            places.push_back({std::round(middle - half), std::round(middle + half)}), texts.push_back(&text);
        if (!legend.stops[i].last) x += step;
    }
    const std::vector<bool> fit = labelsThatFit(places, 0.3f * em);
    for (std::size_t i = 0; i < places.size(); ++i)
        if (fit[i]) list.AddText({places[i].x, topLeft.y + em}, ink, texts[i]->c_str());
}

}  // namespace

std::vector<bool> labelsThatFit(std::span<const ImVec2> places, float gap)
{
    std::vector<bool> fit(places.size());
    float taken = -std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const bool last = i + 1 == places.size();
        fit[i] = last || (places[i].x >= taken + gap && places[i].y + gap <= places.back().x);
        if (fit[i]) taken = places[i].y;
    }
    return fit;
}

ImVec4 depthColour(int depth, World world)
{
    const auto deepest = float(world == World::kEarth ? gpu::kDeepestEarthLevel : gpu::kDeepestPlaneLevel);
    const auto first = float(gpu::kFirstLevelColour);
    const float x = 4 * std::clamp((float(depth) - first) / (deepest - first), 0.0f, 1.0f);
    const auto& colours = depth % 2 == 0 ? gpu::kEvenLevelColours : gpu::kOddLevelColours;
    const std::size_t stop = std::min(std::size_t(x), std::size_t(3));
    return shown(glm::mix(colours[stop], colours[stop + 1], x - float(stop)));
}

std::optional<Legend> shadingLegend(const UiModel& model)
{
    switch (model.settings.render.shading)
    {
    case Shading::kLit:
        return std::nullopt;
    case Shading::kNormals:
        return normalLegend();
    case Shading::kSlope:
        return ramp("slope, degrees", gpu::kSlopeColours, {"0", "15", "30", "45", "60+"});
    case Shading::kHypsometric:
        return heightLegend(model);
    case Shading::kLod:
        return depthLegend(model);
    case Shading::kRelief:
        return std::nullopt;
    case Shading::kDrainage:
        return drainageLegend(model);
    case Shading::kError:
        return ramp("error, pixels", gpu::kErrorColours, {"1/16", "1/4", "1", "4", "16+"});
    }
    return std::nullopt;
}

std::string contourLegend(const UiModel& model)
{
    const double interval = model.cover.contourInterval;
    if (!model.settings.render.contours || !model.terrain || interval <= 0) return {};
    return fmt::format("contours every {} m, numbered every {} m", metres(interval), metres(interval * kIndexContours));
}

float drawLegend(const Panel& panel, const PanelRect& rect)
{
    const std::optional<Legend> legend = shadingLegend(panel.model);
    const std::string contours = contourLegend(panel.model);
    if (!legend && contours.empty()) return 0;
    const float em = ImGui::GetFontSize(), padding = ImGui::GetStyle().WindowPadding.x;
    const float title = legend ? ImGui::CalcTextSize(legend->title.c_str()).x : 0;
    const float line = contours.empty() ? 0 : ImGui::CalcTextSize(contours.c_str()).x;
    const float content = std::max(legend ? title + 17 * em : 0, line);
    const float width = std::min(content + 2 * padding, rect.width());
    const float height = (legend ? 2.6f * em : 0.5f * em) + (contours.empty() ? 0 : 1.5f * em);
    const float left = rect.min.x + (rect.width() - width) / 2;
    ImGui::SetNextWindowPos({left, rect.min.y});
    ImGui::SetNextWindowSize({width, std::min(height, rect.height())});
    ImGui::Begin("Legend", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 dim = panel.theme.colour(panel.theme.dim), ink = panel.theme.colour(panel.theme.text);
    float y = rect.min.y + 0.45f * em;
    if (legend)
    {
        list.AddText({left + padding, y + 0.35f * em}, dim, legend->title.c_str());
        // Leaves room for half of the first and the last label.
        const float from = left + padding + title + 2.2f * em, to = left + width - padding - 1.6f * em;
        drawScale(list, *legend, {from, y}, std::max(to - from, em), ink);
        y += 2.1f * em;
    }
    if (!contours.empty()) list.AddText({left + std::max((width - line) / 2, padding), y}, ink, contours.c_str());
    ImGui::End();
    return height + 6 * panel.theme.scale;
}

// Draws the numbers of contour lines, each turned along its line by rotating the text's vertices.
void drawContourLabels(const Panel& panel)
{
    if (panel.model.cover.labels.empty()) return;
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    for (const ContourLabel& label : panel.model.cover.labels)
    {
        const ImVec2 middle(float(label.place.x) * display.x, float(label.place.y) * display.y);
        const ImVec2 size = ImGui::CalcTextSize(label.text.c_str());
        const ImVec2 corner(middle.x - size.x / 2, middle.y - size.y / 2);
        // Contour lines of the left side of a split picture have no numbers.
        const std::optional<SplitState>& split = panel.model.split;
        if (split && corner.x < float(split->view.divider) * display.x) continue;
        const int first = list.VtxBuffer.Size;
        markText(panel.theme, corner, label.text, IM_COL32(255, 243, 224, 255));
        const float c = std::cos(float(label.turn)), s = std::sin(float(label.turn));
        for (int i = first; i < list.VtxBuffer.Size; ++i)
        {
            ImVec2& p = list.VtxBuffer[i].pos;
            const ImVec2 d(p.x - middle.x, p.y - middle.y);
            p = {middle.x + c * d.x - s * d.y, middle.y + s * d.x + c * d.y};
        }
    }
}

}  // namespace orogen::app
