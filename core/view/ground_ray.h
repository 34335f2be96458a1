// Ray-ground intersection, for a plane and for the Earth.
#pragma once

#include <algorithm>
#include <optional>

namespace orogen {

// Returns the first distance in [from, to] at which `above(distance)`, the ray's height above ground (metres), is not
// positive; to about a ten-thousandth of it.  Steps by a quarter of that height, so it may pass slopes steeper than 75
// degrees that are thinner than a step.  Cost: some hundred evaluations.
template <class Above>
std::optional<double> firstMetGround(double from, double to, const Above& above)
{
    constexpr double kStepOfHeight = 0.25, kLeastOfDistance = 5e-4, kLeastMetres = 0.02;
    constexpr int kHalvings = 30;  // bisections of the last step
    double before = from, distance = from, height = above(from);
    while (height > 0)
    {
        before = distance;
        distance += std::max({kStepOfHeight * height, kLeastOfDistance * distance, kLeastMetres});
        if (distance > to) return std::nullopt;
        height = above(distance);
    }
    for (int halving = 0; halving < kHalvings; ++halving)
    {
        const double middle = 0.5 * (before + distance);
        (above(middle) <= 0 ? distance : before) = middle;
    }
    return distance;
}

}  // namespace orogen
