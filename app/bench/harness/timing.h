// What repeated measurements of one thing come to.
#pragma once

#include <vector>

namespace orogen::app::bench {

struct Timing
{
    double minimumMs = 0, medianMs = 0;
    int rounds = 0;
    bool checked = false, equal = true;  // every result that was checked
    double spread() const { return minimumMs > 0 ? medianMs / minimumMs - 1 : 0; }
    double totalMs() const { return rounds * medianMs; }  // roughly
};

// Of an even number of values, the upper one of the middle two; 0 of none.
double medianOf(std::vector<double> values);

Timing timingOf(std::vector<double> milliseconds);

// How many times as fast as the baseline: of the minima, which other work on the machine changes least.
inline double timesAsFast(const Timing& timing, const Timing& baseline)
{
    return baseline.minimumMs / timing.minimumMs;
}

}  // namespace orogen::app::bench
