#include "app/bench/figures/figure.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"

namespace orogen::app::bench {
namespace {

// Quotes a CSV field if needed, since a name may hold a comma.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

bool isDashed(const std::string& name)
{
    constexpr const char* kReferences[] = {"formula", "printed", "over GMP"};
    return std::ranges::any_of(kReferences, [&](const char* word) { return name.find(word) != std::string::npos; });
}

}  // namespace

std::string figureCsv(const FigureData& data)
{
    std::string text;
    for (const std::string& note : data.notes)
        text.append("# ").append(note).append("\n");
    text += field(data.xName);
    for (const std::string& name : data.names)
        text.append(",").append(field(name));
    text += "\n";
    for (const FigureRow& row : data.rows)
    {
        assert(row.values.size() == data.names.size());
        text += fmt::format("{}", row.x);
        for (const std::optional<double>& value : row.values)
            text += value ? fmt::format(",{}", *value) : ",";
        text += "\n";
    }
    return text;
}

std::string figureSvg(const Figure& figure, const FigureData& data)
{
    LinePlot plot = figure.plot;
    plot.notes = data.notes;
    for (std::size_t i = 0; i < data.names.size(); ++i)
    {
        PlotLine line{data.names[i], {}, isDashed(data.names[i])};
        for (const FigureRow& row : data.rows)
            if (row.values[i] && row.x <= figure.lastX) line.points.emplace_back(row.x, *row.values[i]);
        plot.lines.push_back(std::move(line));
    }
    return linePlotSvg(plot);
}

std::vector<const Figure*> allFigures()
{
    std::vector<const Figure*> figures;
    for (const auto ofPaper : {signedDigitFigures, multiwordFigures, linearAlgebraFigures, treeFigures})
        for (const Figure& figure : ofPaper())
            figures.push_back(&figure);
    return figures;
}

// ---- plots of time over problem size ----

std::string LineEnds::note(const std::string& line, const std::string& where) const
{
    return fmt::format("{}: more than {} s from {} on", line, seconds_, where);
}

Result<double> shortestOf(const SelfTimed& run, double seconds, int mostRuns, const std::function<bool()>& shouldStop)
{
    const Result<std::vector<Timing>> timings = timeInterleaved(
        {{.section = run}},
        {.warmUpRounds = 0, .leastRounds = 1, .mostRounds = mostRuns, .seconds = seconds, .shouldStop = shouldStop});
    if (!timings) return timings.error();
    return timings->front().minimumMs;
}

std::optional<std::string> noteOfMissingCuda()
{
    const compute::CudaReport cuda = compute::discoverCuda();
    if (cuda.available) return std::nullopt;
    return fmt::format("lines of host-kernel: no CUDA device here ({}); the kernels' source runs on the CPU, to {} "
                       "without --sizes",
                       cuda.reason, kLargestOnHost);
}

const char* kernelBackend() { return compute::discoverCuda().available ? "cuda" : "host-kernel"; }

Result<std::unique_ptr<compute::KernelTarget>> kernelTarget()
{
    if (compute::discoverCuda().available) return compute::makeCudaTarget(compute::processCuda(), 0);
    return compute::makeHostTarget(compute::HostSchedule{});
}

}  // namespace orogen::app::bench
