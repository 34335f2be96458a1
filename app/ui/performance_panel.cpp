// What a frame takes and does: time, passes, work, memory.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <imgui.h>

#include "app/ui/format.h"
#include "app/ui/panels.h"
#include "compute/modules.h"

namespace orogen::app {

namespace {

constexpr float kGraphHeight = 132;  // pixels at scale 1
constexpr double k60Hz = 1000.0 / 60, k30Hz = 1000.0 / 30;

// The top of the axis: the first of these that leaves all but rare, slow frames below it.
double axisTop(const Spread& spread)
{
    constexpr std::array<double, 12> kTops = {2, 5, 10, 20, 40, 100, 200, 500, 1'000, 2'000, 5'000, 10'000};
    const double wanted = std::min(spread.p99 * 1.15, spread.median * 5);
    const auto top = std::ranges::find_if(kTops, [&](double t) { return t >= wanted; });
    return top == kTops.end() ? kTops.back() : *top;
}

// The graph's place in pixels, and the time at its top.
struct Plot
{
    ImVec2 min, max;
    double top = 20;

    float y(double ms) const
    {
        const double part = std::clamp(ms / top, 0.0, 1.0);
        return max.y - float(part) * (max.y - min.y);
    }
    float x(std::size_t fromNewest) const
    {
        return max.x - (max.x - min.x) * float(fromNewest) / float(FrameHistory::kCapacity - 1);
    }
};

void drawAxis(const Panel& panel, const Plot& plot, float left)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 dim = panel.theme.colour(panel.theme.dim), line = panel.theme.colour(panel.theme.dim, 0.22f);
    const float half = ImGui::GetFontSize() / 2;
    for (const double part : {0.0, 0.5, 1.0})
    {
        const float y = std::round(plot.y(part * plot.top));
        list.AddLine({plot.min.x, y}, {plot.max.x, y}, line);
        const std::string label = fmt::format("{:.5g}{}", part * plot.top, part == 1.0 ? " ms" : "");
        const float shift = part == 0 ? -2 * half : part == 1 ? 0 : -half;
        list.AddText({left, y + shift}, dim, label.c_str());
    }
}

// The line of a refresh rate, where the axis reaches it.
void drawRate(const Panel& panel, const Plot& plot, double ms, const char* name)
{
    if (ms > plot.top * 0.97 || ms < plot.top * 0.15)  // above the graph, or too close to its base to be told apart
    {
        return;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = std::round(plot.y(ms));
    const float dash = 5 * panel.theme.scale;
    const ImU32 colour = panel.theme.colour(panel.theme.warning, 0.55f);
    for (float x = plot.min.x; x < plot.max.x; x += 2 * dash)
    {
        list.AddLine({x, y}, {std::min(x + dash, plot.max.x), y}, colour);
    }
    const ImVec2 text = ImGui::CalcTextSize(name);
    const ImVec2 at(plot.min.x + 4 * panel.theme.scale, y - text.y - 2);
    list.AddRectFilled({at.x - 2, at.y}, {at.x + text.x + 2, at.y + text.y}, IM_COL32(0, 0, 0, 150), 2);
    list.AddText(at, panel.theme.colour(panel.theme.warning), name);
}

void drawCurve(const Panel& panel, const Plot& plot, const FrameHistory& history)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 fill = panel.theme.colour(panel.theme.accent, 0.16f), line = panel.theme.colour(panel.theme.accent);
    std::vector<ImVec2> points(history.size());
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        points[i] = {plot.x(points.size() - 1 - i), plot.y(history[i].intervalMs)};
    }
    const ImDrawListFlags flags = list.Flags;
    list.Flags &= ~ImDrawListFlags_AntiAliasedFill;  // no seams between the quads
    for (std::size_t i = 1; i < points.size(); ++i)
    {
        list.AddQuadFilled(points[i - 1], points[i], {points[i].x, plot.max.y}, {points[i - 1].x, plot.max.y}, fill);
    }
    list.Flags = flags;
    list.AddPolyline(points.data(), int(points.size()), line, 0, 1.2f * panel.theme.scale);
}

// The frames during which a compute module ran.
void drawModules(const Panel& panel, const Plot& plot, const FrameHistory& history)
{
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float half = 0.5f * (plot.max.x - plot.min.x) / float(FrameHistory::kCapacity - 1);
    for (std::size_t i = 0; i < history.size(); ++i)
    {
        if (history[i].modules == 0) continue;
        const float x = plot.x(history.size() - 1 - i);
        list.AddRectFilled({x - half, plot.min.y}, {x + half, plot.max.y},
                           panel.theme.colour(panel.theme.warning, 0.22f));
    }
}

std::string moduleNames(std::uint32_t mask)
{
    std::string names;
    for (std::size_t i = 0; i < compute::modules().size(); ++i)
        if (mask >> i & 1) names += (names.empty() ? "" : ", ") + std::string(compute::modules()[i]->name());
    if (mask & kVoidFillingBit) names += (names.empty() ? "" : ", ") + std::string("fill-voids");
    return names;
}

void readOut(const Panel& panel, const Plot& plot, const FrameHistory& history)
{
    const float part = (plot.max.x - ImGui::GetMousePos().x) / (plot.max.x - plot.min.x);
    const auto fromNewest = std::size_t(std::max(std::lround(part * float(FrameHistory::kCapacity - 1)), 0L));
    if (fromNewest >= history.size())
    {
        return;
    }
    const FrameStats& frame = history[history.size() - 1 - fromNewest];
    const float x = plot.x(fromNewest);
    ImGui::GetWindowDrawList()->AddLine({x, plot.min.y}, {x, plot.max.y}, panel.theme.colour(panel.theme.text, 0.5f));
    const std::string names = moduleNames(frame.modules);
    ImGui::SetTooltip("frame %s\n%s ms, CPU %s ms\n%s triangles%s", grouped(frame.frame).c_str(),
                      msText(frame.intervalMs).c_str(), msText(frame.cpuMs).c_str(),
                      grouped(frame.work.triangles).c_str(), names.empty() ? "" : ("\nran: " + names).c_str());
}

void graph(const Panel& panel, const FrameHistory& history, double top)
{
    const float scale = panel.theme.scale;
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size(buttonWidth(panel, 1), kGraphHeight * scale);
    ImGui::PushID("graph");
    ImGui::InvisibleButton("##graph", size);
    const bool hovered = ImGui::IsItemHovered();
    endItem(panel, "graph", {});

    const float axis = ImGui::CalcTextSize("10000 ms").x;
    const Plot plot{
        {origin.x + axis + 4 * scale, origin.y + 2 * scale}, {origin.x + size.x, origin.y + size.y - 2 * scale}, top};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(plot.min, plot.max, IM_COL32(0, 0, 0, 90));
    drawAxis(panel, plot, origin.x);
    list.PushClipRect(plot.min, plot.max, true);
    drawModules(panel, plot, history);
    drawCurve(panel, plot, history);
    list.PopClipRect();
    drawRate(panel, plot, k60Hz, "60 Hz");
    drawRate(panel, plot, k30Hz, "30 Hz");
    if (hovered)
    {
        readOut(panel, plot, history);
    }
}

void frameTime(const Panel& panel)
{
    const FrameHistory* history = panel.model.history;
    const auto spread = intervalSpread(history);
    const std::string& dash = panel.theme.notMeasured;
    const std::string fps = spread && spread->median > 0 ? fmt::format("{:.1f} fps", 1000 / spread->median) : dash;
    valueRow(panel, spread ? fmt::format("newest frames: {}", history->size()) : "no frame yet", fps);
    if (spread)
    {
        graph(panel, *history, axisTop(*spread));
    }
    const auto ms = [&](double Spread::*member) { return spread ? msText((*spread).*member) + " ms" : dash; };
    valueRow(panel, "min", ms(&Spread::minimum));
    valueRow(panel, "median", ms(&Spread::median));
    valueRow(panel, "p99", ms(&Spread::p99));
    valueRow(panel, "CPU, newest", history && history->size() > 0 ? msText(panel.model.stats.cpuMs) + " ms" : dash);
}

double medianOf(std::vector<double> ms)
{
    std::ranges::nth_element(ms, ms.begin() + std::ptrdiff_t(ms.size() / 2));
    return ms[ms.size() / 2];
}

// What compute modules do to the frame time: the frames in the graph with one, and those without.
void computeBeside(const Panel& panel)
{
    const FrameHistory* history = panel.model.history;
    std::vector<double> with, without;
    for (std::size_t i = 0; history && i < history->size(); ++i)
        ((*history)[i].modules != 0 ? with : without).push_back((*history)[i].intervalMs);
    if (with.empty()) return;
    section(panel, "while a module ran (shaded)");
    valueRow(panel, "frames", grouped(with.size()));
    valueRow(panel, "median with", msText(medianOf(with)) + " ms");
    valueRow(panel, "median without", without.empty() ? panel.theme.notMeasured : msText(medianOf(without)) + " ms");
}

// Registers what was drawn since the cursor was at `start`, over the panel's width.
void noteArea(const Panel& panel, std::string_view name, ImVec2 start)
{
    panel.items.addArea(panel.name, name, start, {start.x + buttonWidth(panel, 1), ImGui::GetCursorScreenPos().y});
}

void passBar(const Panel& panel, std::string_view name, const std::optional<double>& ms, double full)
{
    const Theme& theme = panel.theme;
    const float right = ImGui::GetWindowContentRegionMax().x;
    const float value = ImGui::CalcTextSize("0.000 ms").x, label = ImGui::CalcTextSize("decode").x + 8 * theme.scale;
    textLine(theme.dim, std::string(name));
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
}

void passes(const Panel& panel)
{
    section(panel, "GPU, mean of 30 frames");
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const auto means = panel.model.history ? meanPassMs(*panel.model.history) : decltype(FrameStats::gpuMs){};
    double sum = 0;
    for (const auto& mean : means)
    {
        sum += mean.value_or(0);
    }
    const bool measured = std::ranges::any_of(means, [](const auto& mean) { return mean.has_value(); });
    for (std::size_t pass = 0; pass < means.size(); ++pass)
    {
        passBar(panel, kGpuPassNames[pass], means[pass], sum);
    }
    passBar(panel, "sum", measured ? std::optional(sum) : std::nullopt, sum);
    if (measured && !panel.model.stats.gpuTimerIsHardware)
    {
        textLine(panel.theme.warning, "software timer: go by the frame time", true);
    }
    noteArea(panel, "passes", start);
}

void work(const Panel& panel)
{
    const FrameStats& stats = panel.model.stats;
    const Theme& theme = panel.theme;
    section(panel, "work");
    const bool counted = stats.work.leaves > 0;  // a tree has two leaves at least
    const auto count = [&](std::uint64_t n) { return counted ? grouped(n) : theme.notMeasured; };
    valueRow(panel, "triangles", count(stats.work.triangles));
    valueRow(panel, "leaves", count(stats.work.leaves));
    valueRow(panel, "visible leaves", count(stats.work.visible));
    valueRow(panel, "deepest", count(stats.work.maxDepth));
    valueRow(panel, "splits, merges",
             counted ? fmt::format("{}, {}", grouped(stats.work.splits), grouped(stats.work.merges))
                     : theme.notMeasured);
    valueRow(panel, "refused at capacity", count(stats.work.refused),
             stats.work.refused > 0 ? std::optional(theme.warning) : std::nullopt);
    valueRow(panel, "OpenGL errors", grouped(stats.glErrors),
             stats.glErrors > 0 ? std::optional(theme.error) : std::nullopt);
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
    computeBeside(panel);
    passes(panel);
    work(panel);
    memory(panel);
    if (!panel.model.context.empty())
    {
        section(panel, "context");
        for (const std::string& line : panel.model.context)
        {
            textLine(panel.theme.dim, line, true);
        }
    }
    endPanel(panel);
    return height;
}

}  // namespace orogen::app
