#include "app/bench/harness/timing.h"

#include <algorithm>

namespace orogen::app::bench {

double medianOf(std::vector<double> values)
{
    if (values.empty()) return 0;
    const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

Timing timingOf(std::vector<double> milliseconds)
{
    if (milliseconds.empty()) return {};
    Timing timing;
    timing.rounds = int(milliseconds.size());
    timing.minimumMs = std::ranges::min(milliseconds);
    timing.medianMs = medianOf(std::move(milliseconds));
    return timing;
}

}  // namespace orogen::app::bench
