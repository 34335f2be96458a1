#include "app/bench/figures/sweep.h"

#include <fmt/format.h>

#include "compute/device/discovery.h"

namespace orogen::app::bench {

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
    return "lines of cuda are empty: no CUDA device here: " + cuda.reason;
}

}  // namespace orogen::app::bench
