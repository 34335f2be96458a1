// Comparing two ways to do one thing: in turns A B A B, so that what else the machine does falls on both, and by their
// minima, which it changes least.
#pragma once

#include <cstdint>
#include <functional>

namespace orogen::compute {

// Does the thing so often, without looking at a clock.
using TimedBody = std::function<void(std::int64_t times)>;

struct PairTimingOptions
{
    double batchSeconds = 0.002;      // a body is repeated until it takes about so long, and is then one measurement
    int rounds = 41;                  // A B each; fewer where `seconds` end
    double seconds = 2;               // all rounds, but three
    std::function<bool()> goOn = {};  // asked after each round; empty: always
};

struct SideTiming
{
    double minimumMs = 0, medianMs = 0;  // of one time
    double spread() const { return minimumMs > 0 ? medianMs / minimumMs - 1 : 0; }
};

struct PairTiming
{
    SideTiming a, b;
    int rounds = 0;
    bool stopped = false;                                       // goOn() said no
    double ratio() const { return b.minimumMs / a.minimumMs; }  // how many times as fast as b a is
};

PairTiming timePair(const TimedBody& a, const TimedBody& b, const PairTimingOptions& options = {});

}  // namespace orogen::compute
