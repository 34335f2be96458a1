// The Performance panel: frame times, GPU passes, work and memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/model/format.h"
#include "app/ui/panels.h"
#include "app/ui/plot.h"
#include "app/ui/words.h"
#include "compute/modules.h"
#include "core/base/text.h"

namespace orogen::app {

namespace {

constexpr double k60Hz = 1000.0 / 60, k30Hz = 1000.0 / 30;
constexpr const char* kSoftwareTimer =
    "OpenGL runs on the CPU here: its clock says when commands were taken, not how long the work took. Use the frame "
    "time.";

// Returns the top of the time axis (ms), one of kTops.  Rare slow frames may exceed it, so that the other frames do not
// look flat.
double axisTop(const Spread& spread)
{
    constexpr std::array<double, 12> kTops = {2, 5, 10, 20, 40, 100, 200, 500, 1'000, 2'000, 5'000, 10'000};
    const double wanted =
        std::min(spread.p99.value_or(spread.maximum) * 1.15, spread.median.value_or(spread.maximum) * 5);
    const auto top = std::ranges::find_if(kTops, [&](double t) { return t >= wanted; });
    return top == kTops.end() ? kTops.back() : *top;
}

std::string moduleNames(std::uint32_t mask)
{
    std::string names;
    for (std::size_t i = 0; i < compute::modules().size(); ++i)
        if (mask >> i & 1) names += (names.empty() ? "" : ", ") + std::string(compute::modules()[i]->name());
    if (mask & kVoidFillingBit) names += (names.empty() ? "" : ", ") + std::string("fill-voids");
    if (mask & kTerrainModelBit) names += (names.empty() ? "" : ", ") + std::string("terrain model");
    return names;
}

std::string wordsFor(const FrameRecord& frame)
{
    const std::string names = moduleNames(frame.modules);
    return fmt::format("frame {}\n{} ms, CPU {} ms\n{} triangles{}{}", grouped(frame.frame),
                       msText(frame.cpu.intervalMs), msText(frame.cpu.workMs), grouped(frame.work.triangles),
                       names.empty() ? "" : "\nran: ", names);
}

constexpr float kGraphHeight = 150;  // pixels at scale 1

// Minimum length of the graph's axis (frames), so that the first frames are not spread out.
constexpr std::size_t kLeastFramesShown = 60;

// Plots the intervals of the newest frames, the newest at 0, a single frame as a dot.  Tints frames during which a
// compute module, void filling or the terrain model ran.
void drawIntervals(const Panel& panel, const FrameHistory& history, double top)
{
    const ImVec4& warning = panel.theme.warning;
    const double frames = double(std::max(history.size(), kLeastFramesShown));
    Plot plot{.item = "graph",
              .height = kGraphHeight,
              .x = {.name = "frames, newest at 0", .whole = true, .low = 1.0 - frames, .high = 0.0},
              .y = {.name = "frame time", .unit = "ms", .low = 0.0, .high = top},
              .series = {{.colour = panel.theme.accent, .dots = history.size() == 1, .filled = true}},
              .references = {{.y = k60Hz, .label = "60 Hz", .colour = warning, .dashed = true},
                             {.y = k30Hz, .label = "30 Hz", .colour = warning, .dashed = true}}};
    for (std::size_t i = 0; i < history.size(); ++i)
    {
        const double x = double(i) - double(history.size() - 1);
        plot.series.front().points.push_back({x, history[i].cpu.intervalMs});
        if (history[i].modules != 0) plot.shaded.push_back(x);
    }
    plot.readOut = [&history](std::size_t, std::size_t point) { return wordsFor(history[point]); };
    drawPlot(panel, plot);
}

// Returns a text on how many frames a value covers, or that it needs at least `least` frames.
std::string framesWords(std::size_t frames, std::size_t least)
{
    return frames < least ? fmt::format("Needs {} frames; there are {}.", least, frames)
                          : fmt::format("Over the newest {} frames.", frames);
}

void frameTime(const Panel& panel)
{
    const FrameHistory* history = panel.model.history;
    const auto spread = intervalSpread(history);
    const std::string& dash = panel.theme.notMeasured;
    const std::size_t frames = history ? history->size() : 0;
    const std::optional<double> median = spread ? spread->median : std::nullopt;
    valueRow(panel, fmt::format("newest frames: {}", frames),
             median && *median > 0 ? fmt::format("{:.1f} fps", 1000 / *median) : dash, std::nullopt,
             framesWords(frames, kLeastFramesForMedian));
    if (frames > 0)
        drawIntervals(panel, *history, axisTop(*spread));
    else
        ImGui::Dummy({1, kGraphHeight * panel.theme.scale});
    const auto row = [&](const char* name, const std::optional<double>& ms, std::size_t least) {
        valueRow(panel, name, ms ? msText(*ms) + " ms" : dash, std::nullopt, framesWords(frames, least));
    };
    row("shortest", spread ? std::optional(spread->minimum) : std::nullopt, 1);
    row("median", median, kLeastFramesForMedian);
    row("p99", spread ? spread->p99 : std::nullopt, kLeastFramesForP99);
    const double slow = spread ? spread->slowest1.value_or(0) : 0;
    valueRow(panel, "1 % low", slow > 0 ? fmt::format("{:.1f} fps", 1000 / slow) : dash, std::nullopt,
             "Rate of the mean of the slowest 1 % of the frames. " + framesWords(frames, kLeastFramesForP99));
    valueRow(panel, "CPU, newest",
             history && history->size() > 0 ? msText(panel.model.stats.cpu.workMs) + " ms" : dash);
}

// Shows how often the panels were drawn between slices of the newest frame.  Frame times include this drawing.
void panelsBetween(const Panel& panel)
{
    const int shows = panel.model.stats.cpu.panelShows;
    valueRow(panel, "panels drawn in between", shows > 0 ? grouped(std::uint64_t(shows)) : panel.theme.notMeasured,
             std::nullopt,
             "A slow frame is drawn in slices, and the panels between them: so often in the newest frame. Its time "
             "includes them.");
}

double medianOf(std::vector<double> ms)
{
    std::ranges::nth_element(ms, ms.begin() + std::ptrdiff_t(ms.size() / 2));
    return ms[ms.size() / 2];
}

// Shows the median frame times with and without a running compute module, void filling or terrain model.
void computeBeside(const Panel& panel)
{
    const FrameHistory* history = panel.model.history;
    std::vector<double> with, without;
    for (std::size_t i = 0; history && i < history->size(); ++i)
        ((*history)[i].modules != 0 ? with : without).push_back((*history)[i].cpu.intervalMs);
    const auto row = [&](const char* name, const std::vector<double>& ms) {
        const bool said = !with.empty() && ms.size() >= kLeastFramesForMedian;
        valueRow(panel, name,
                 said ? fmt::format("{} ms, {}", msText(medianOf(ms)), counted(ms.size(), "frame"))
                      : panel.theme.notMeasured,
                 std::nullopt,
                 "Median of the shaded frames, during which a compute module ran, and of the others. " +
                     framesWords(ms.size(), kLeastFramesForMedian));
    };
    row("with a module", with);
    row("without", without);
}

// Registers the area from `start` down to the cursor, over the panel's width, as an item.
void noteArea(const Panel& panel, std::string_view name, ImVec2 start)
{
    panel.items.addArea(panel.name, name, start, {start.x + buttonWidth(panel, 1), ImGui::GetCursorScreenPos().y});
}

constexpr std::pair<std::string_view, std::string_view> kPassWords[] = {
    {"update", "Marks which triangles split and merge, plans it, and changes the tree."},
    {"reduce", "Sums the tree up, so that leaves can be counted and found."},
    {"decode", "Lists the leaves, leaves out those that are not in view, and prepares the draw call."},
    {"draw", "Draws the depth of the terrain's triangles."},
    {"ui", "Draws these panels."},
    {"validate", "Looks at the mesh, where that is switched on."},
    {"measure", "Measures error and jump, where that is switched on."},
    {"shade", "Shades the pixels that show terrain, each once."},
    {"border", "Draws what lies around the terrain."},
    {"sky", "Draws the sky, and puts the samples of a pixel together."},
    {"water", "Draws the sea and lakes. The Earth's sea is part of \"shade\"."},
};

std::string_view passWords(std::string_view name)
{
    const auto found = std::ranges::find(kPassWords, name, &std::pair<std::string_view, std::string_view>::first);
    return found == std::end(kPassWords) ? std::string_view() : found->second;
}

std::string passLabel(std::string_view name) { return name == "ui" ? "Panels" : capitalised(name); }

float widestPassName()
{
    float widest = 0;
    for (const std::string_view name : kGpuPassNames)
        widest = std::max(widest, ImGui::CalcTextSize(passLabel(name).c_str()).x);
    return widest;
}

void passBar(const Panel& panel, std::string_view name, const std::optional<double>& ms, double full,
             std::string_view tooltip)
{
    const Theme& theme = panel.theme;
    const float right = ImGui::GetWindowContentRegionMax().x;
    const float value = ImGui::CalcTextSize("000.000 ms").x, label = widestPassName() + 8 * theme.scale;
    const ImVec2 from = ImGui::GetCursorScreenPos();
    textLine(theme.dim, passLabel(name));
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + label);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = right - value - label - ImGui::GetStyle().WindowPadding.x - 8 * theme.scale;
    const float height = ImGui::GetFontSize();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({at.x, at.y + 3}, {at.x + width, at.y + height - 2}, IM_COL32(255, 255, 255, 14));
    const float part = full > 0 ? float(ms.value_or(0) / full) : 0.0f;
    list.AddRectFilled({at.x, at.y + 3}, {at.x + width * part, at.y + height - 2}, theme.colour(theme.accent, 0.75f));
    const std::string text = ms ? msText(*ms) + " ms" : theme.notMeasured;
    ImGui::SameLine(right - ImGui::CalcTextSize(text.c_str()).x);
    textLine(theme.text, text);
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(from, ImGui::GetItemRectMax()))
        noteHover(panel, name, tooltip);
}

void passes(const Panel& panel)
{
    section(panel, "GPU passes, mean of 30 frames");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const auto means = panel.model.history ? meanPassMs(*panel.model.history) : decltype(GpuTimes::ms){};
    double sum = 0;
    for (const auto& mean : means)
        sum += mean.value_or(0);
    const bool measured = std::ranges::any_of(means, [](const auto& mean) { return mean.has_value(); });
    const bool honest = panel.model.stats.gpuTimerIsHardware;
    for (std::size_t pass = 0; honest && pass < means.size(); ++pass)
        passBar(panel, kGpuPassNames[pass], means[pass], sum, passWords(kGpuPassNames[pass]));
    passBar(panel, "sum", measured && honest ? std::optional(sum) : std::nullopt, sum,
            honest ? "Sum of the passes above." : kSoftwareTimer);
    if (panel.model.software) textLine(panel.theme.warning, "No GPU timer in software: use the frame time", true);
    noteArea(panel, "passes", start);
}

void work(const Panel& panel)
{
    const FrameRecord& stats = panel.model.stats;
    const Theme& theme = panel.theme;
    section(panel, "work");
    const bool counted = stats.workIsCurrent, settled = panel.model.pending.total() == 0;
    const auto count = [&](std::uint64_t n) { return counted ? grouped(n) : theme.notMeasured; };
    valueRow(panel, "triangles", count(stats.work.triangles));
    valueRow(panel, "leaves", count(stats.work.leaves));
    valueRow(panel, "visible leaves", count(stats.work.visible));
    valueRow(panel, "deepest leaf", counted ? fmt::format("depth {}", stats.work.maxDepth) : theme.notMeasured);
    valueRow(panel, "splits, merges",
             !counted  ? theme.notMeasured
             : settled ? "0, 0"  // the tree is not updated any more, so the last counts are outdated
                       : fmt::format("{}, {}", grouped(stats.work.splits), grouped(stats.work.merges)));
    valueRow(panel, "refused at capacity", count(stats.work.refused),
             stats.work.refused > 0 ? std::optional(theme.warning) : std::nullopt);
    valueRow(panel, "OpenGL errors", grouped(stats.glErrors),
             stats.glErrors > 0 ? std::optional(theme.error) : std::nullopt);
}

void checkRow(const Panel& panel, const char* name, bool on, std::optional<bool>& wanted, const char* tooltip)
{
    ImGui::PushID(name);
    beginRow(panel, name);
    if (ImGui::Checkbox("##on", &on)) wanted = on;
    endItem(panel, name, tooltip);
    ImGui::PopID();
}

void meshRow(const Panel& panel)
{
    const std::optional<MeshVerdict>& verdict = panel.model.stats.mesh;
    if (!panel.model.validating || !verdict) return valueRow(panel, "mesh", panel.theme.notMeasured);
    if (verdict->conforming()) return valueRow(panel, "mesh", "conforming", panel.theme.good);
    valueRow(panel, "mesh", grouped(verdict->faults) + " faults", panel.theme.error, verdict->first);
}

// Draws texts in three columns at the right of a row.
void threeColumns(const Panel& panel, const std::string& name, const std::array<std::string, 3>& texts,
                  const ImVec4& colour)
{
    textLine(panel.theme.dim, name);
    const float right = ImGui::GetWindowContentRegionMax().x;
    const float end = ImGui::GetStyle().WindowPadding.x + ImGui::CalcTextSize("Error, px").x;  // end of the widest name
    const float column = std::min(ImGui::CalcTextSize("00000.000").x, (right - end) / float(texts.size()));
    for (std::size_t i = 0; i < texts.size(); ++i)
    {
        ImGui::SameLine(right - column * float(texts.size() - 1 - i) - ImGui::CalcTextSize(texts[i].c_str()).x);
        textLine(colour, texts[i]);
    }
}

void pixelRow(const Panel& panel, const std::string& name, bool measured, const std::optional<PixelFigures>& figures)
{
    const auto pixels = [&](double PixelFigures::*member) {
        return measured && figures ? fixedText((*figures).*member, 3) : panel.theme.notMeasured;
    };
    threeColumns(panel, name, {pixels(&PixelFigures::largest), pixels(&PixelFigures::p99), pixels(&PixelFigures::mean)},
                 panel.theme.text);
}

// Draws the switches of mesh checks and measurements, and their results.  Their passes are listed among the GPU passes.
// All rows are always drawn, so that no row moves under the mouse.
void checks(const Panel& panel)
{
    section(panel, "checks");
    checkRow(
        panel, "validate", panel.model.validating, panel.actions.validateMesh,
        "Looks at every frame's mesh on the GPU, as it is drawn: T-junctions, holes, overlaps, cracks, and how every "
        "triangle turns.");
    checkRow(
        panel, "measure_error", panel.model.measuringError, panel.actions.measureError,
        "Measures, every tenth frame, how many pixels what is drawn lies above or below the elevation model: over all "
        "pixels that show ground.");
    checkRow(panel, "measure_jump", panel.model.measuringJump, panel.actions.measureJump,
             "Measures in every frame how many pixels the ground has moved since the frame before, the camera's motion "
             "left out.");
    meshRow(panel);
    threeColumns(panel, "", {"largest", "p99", "mean"}, panel.theme.dim);
    pixelRow(panel, "Error, px", panel.model.measuringError, panel.model.stats.error);
    pixelRow(panel, "Jump, px", panel.model.measuringJump, panel.model.stats.jump);
}

void memory(const Panel& panel)
{
    section(panel, "GPU memory");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    std::uint64_t total = 0;
    for (const BufferUse& buffer : panel.model.buffers)
    {
        valueRow(panel, buffer.name, bytesText(buffer.bytes));
        total += buffer.bytes;
    }
    ImGui::PushFont(panel.theme.bold);
    valueRow(panel, "total", panel.model.buffers.empty() ? panel.theme.notMeasured : bytesText(total));
    ImGui::PopFont();
    noteArea(panel, "memory", start);
}

}  // namespace

float drawPerformancePanel(const Panel& panel, const PanelRect& rect)
{
    const float height = beginPanel(panel, rect);
    frameTime(panel);
    panelsBetween(panel);
    computeBeside(panel);
    passes(panel);
    work(panel);
    checks(panel);
    memory(panel);
    if (!panel.model.context.empty())
    {
        section(panel, "context");
        for (const std::string& line : panel.model.context)
            textLine(panel.theme.dim, line, true);
    }
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
