#include "app/bench/harness/turns.h"

#include <algorithm>
#include <chrono>

namespace orogen::lab {
namespace {

// Seconds of one section; what its check says goes into the timing.
double timeSection(const Contender& contender, Timing& timing)
{
    using Clock = std::chrono::steady_clock;
    if (contender.prepare) contender.prepare();
    const Clock::time_point start = Clock::now();
    contender.run();
    const std::chrono::duration<double> took = Clock::now() - start;
    timing.checked = bool(contender.check);
    if (contender.check) timing.equal = contender.check() && timing.equal;
    return took.count();
}

}  // namespace

std::vector<Timing> timeTurns(std::span<const Contender> contenders, const TurnsOptions& options)
{
    std::vector<Timing> timings(contenders.size());
    std::vector<std::vector<double>> seconds(contenders.size());
    double spent = 0;
    for (int round = 0; round <= options.leastRounds || (round <= options.mostRounds && spent < options.seconds);
         ++round)
    {
        for (std::size_t i = 0; i < contenders.size(); ++i)
        {
            const double took = timeSection(contenders[i], timings[i]);
            if (options.goOn && !options.goOn()) return {};
            if (round == 0) continue;
            seconds[i].push_back(took);
            spent += took;
        }
    }
    for (std::size_t i = 0; i < contenders.size(); ++i)
    {
        std::ranges::sort(seconds[i]);
        timings[i].rounds = int(seconds[i].size());
        timings[i].minimumMs = 1000 * seconds[i].front();
        timings[i].medianMs = 1000 * seconds[i][seconds[i].size() / 2];
    }
    return timings;
}

}  // namespace orogen::lab
