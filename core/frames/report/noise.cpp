#include "core/frames/report/noise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace orogen {
namespace {

// Governors that adapt the clock to the load.
constexpr std::array<std::string_view, 4> kFollowing = {"powersave", "ondemand", "schedutil", "conservative"};

}  // namespace

std::optional<RunSpread> runSpread(std::span<const double> meanIntervalMs)
{
    if (meanIntervalMs.size() < 2 || !(std::ranges::min(meanIntervalMs) > 0)) return std::nullopt;
    const double n = double(meanIntervalMs.size());
    double sum = 0, squares = 0;
    for (const double ms : meanIntervalMs)
        sum += std::log(ms) / n;
    for (const double ms : meanIntervalMs)
        squares += (std::log(ms) - sum) * (std::log(ms) - sum);
    return RunSpread{1000 / std::ranges::max(meanIntervalMs), 1000 / std::ranges::min(meanIntervalMs),
                     std::sqrt(squares / (n - 1))};
}

std::string textOf(const RunSpread& spread)
{
    return fmt::format("differ by {:.0f} % ({:.2f} to {:.2f} fps, standard deviation {:.0f} %)",
                       100 * (spread.fastestFps / spread.slowestFps - 1), spread.slowestFps, spread.fastestFps,
                       100 * spread.deviation);
}

std::vector<std::string> machineWarnings(const ReportMetadata& metadata)
{
    std::vector<std::string> warnings;
    if (metadata.load && metadata.processors && *metadata.load >= kBusyLoad * double(*metadata.processors))
        warnings.push_back(fmt::format("the load average was {:.1f} on {} processor{} when the capture began: other "
                                       "programs took time from it",
                                       *metadata.load, *metadata.processors, *metadata.processors == 1 ? "" : "s"));
    if (metadata.governor && std::ranges::find(kFollowing, *metadata.governor) != kFollowing.end())
        warnings.push_back(fmt::format("the governor is {}, with which the clock follows the load; performance keeps "
                                       "it",
                                       *metadata.governor));
    return warnings;
}

std::vector<std::string> noiseWarnings(const FrameReport& report)
{
    std::vector<double> means;
    for (const ReportRun& run : report.runs)
        if (run.statistics.intervalMs && !run.interrupted) means.push_back(run.statistics.intervalMs->mean);
    std::vector<std::string> warnings;
    if (const std::optional<RunSpread> spread = runSpread(means); spread && spread->noisy())
        warnings.push_back("equal runs " + textOf(*spread));
    for (std::string& warning : machineWarnings(report.metadata))
        warnings.push_back(std::move(warning));
    return warnings;
}

}  // namespace orogen
