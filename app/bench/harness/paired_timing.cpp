#include "app/bench/harness/paired_timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;

double secondsOf(const TimedBody& body, std::int64_t times)
{
    const Clock::time_point start = Clock::now();
    body(times);
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Warms up: runs in growing batches until one takes as long as is wanted.
std::int64_t batchOf(const TimedBody& body, double wanted)
{
    for (std::int64_t times = 1;;)
    {
        const double took = secondsOf(body, times);
        if (took >= wanted / 2) return std::max<std::int64_t>(1, std::int64_t(double(times) * wanted / took));
        times = took > wanted / 1000 ? std::int64_t(std::ceil(double(times) * wanted / took)) : 10 * times;
    }
}

SideTiming summed(std::vector<double>& seconds, std::int64_t times)
{
    std::ranges::sort(seconds);
    const double toMs = 1000 / double(times);
    return {seconds.front() * toMs, seconds[seconds.size() / 2] * toMs};
}

}  // namespace

PairTiming timePair(const TimedBody& a, const TimedBody& b, const PairTimingOptions& options)
{
    constexpr int kLeastRounds = 3;
    const std::int64_t timesA = batchOf(a, options.batchSeconds), timesB = batchOf(b, options.batchSeconds);
    std::vector<double> secondsA, secondsB;
    PairTiming timing;
    for (double spent = 0; timing.rounds < options.rounds && (timing.rounds < kLeastRounds || spent < options.seconds);)
    {
        secondsA.push_back(secondsOf(a, timesA));
        secondsB.push_back(secondsOf(b, timesB));
        spent += secondsA.back() + secondsB.back();
        ++timing.rounds;
        timing.stopped = options.goOn && !options.goOn();
        if (timing.stopped) break;
    }
    timing.a = summed(secondsA, timesA);
    timing.b = summed(secondsB, timesB);
    return timing;
}

}  // namespace orogen::compute
