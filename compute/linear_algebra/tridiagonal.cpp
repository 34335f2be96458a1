#include "compute/linear_algebra/tridiagonal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace orogen::compute {
namespace {

// Returns the number of eigenvalues below `x`: the number of negative pivots of the matrix minus
// x times the identity (Sylvester's law of inertia).
std::size_t countBelow(std::span<const double> diagonal, std::span<const double> beside, double x)
{
    std::size_t count = 0;
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size(); ++i)
    {
        const double square = i == 0 ? 0 : beside[i - 1] * beside[i - 1];
        pivot = diagonal[i] - x - square / pivot;
        if (pivot == 0) pivot = -std::numeric_limits<double>::min();
        count += pivot < 0;
    }
    return count;
}

}  // namespace

std::pair<double, double> extremesOfTridiagonal(std::span<const double> diagonal, std::span<const double> beside)
{
    // Gershgorin's circles contain all eigenvalues.
    double low = diagonal[0], high = diagonal[0];
    for (std::size_t i = 0; i < diagonal.size(); ++i)
    {
        const double reach =
            (i > 0 ? std::abs(beside[i - 1]) : 0) + (i + 1 < diagonal.size() ? std::abs(beside[i]) : 0);
        low = std::min(low, diagonal[i] - reach);
        high = std::max(high, diagonal[i] + reach);
    }
    const auto find = [&](std::size_t most) {
        double below = low, above = high;
        for (int i = 0; i < 200 && above - below > 1e-14 * std::max(std::abs(above), std::abs(below)); ++i)
        {
            const double middle = below + (above - below) / 2;
            (countBelow(diagonal, beside, middle) <= most ? below : above) = middle;
        }
        return below + (above - below) / 2;
    };
    return {find(0), find(diagonal.size() - 1)};
}

}  // namespace orogen::compute
