#include "compute/exact/plain_sums.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace orogen::compute {

double plainSum(std::span<const double> terms)
{
    double sum = 0;
    for (const double term : terms)
        sum += term;
    return sum;
}

double pairwiseSum(std::span<const double> terms)
{
    constexpr std::size_t kLeaf = 128, kSums = 8;
    if (terms.size() > kLeaf)
    {
        const std::size_t half = terms.size() / 2 / kSums * kSums;
        return pairwiseSum(terms.first(half)) + pairwiseSum(terms.subspan(half));
    }
    if (terms.size() < kSums) return plainSum(terms);
    double sums[kSums] = {};
    std::size_t i = 0;
    for (; i + kSums <= terms.size(); i += kSums)
        for (std::size_t k = 0; k < kSums; ++k)
            sums[k] += terms[i + k];
    double sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    for (; i < terms.size(); ++i)
        sum += terms[i];
    return sum;
}

double kahanSum(std::span<const double> terms)
{
    double sum = 0, lost = 0;
    for (const double term : terms)
    {
        const double mended = term - lost, next = sum + mended;
        lost = (next - sum) - mended;
        sum = next;
    }
    return sum;
}

double shewchukSum(std::span<const double> terms)
{
    std::vector<double> partials;
    for (double x : terms)
    {
        std::size_t kept = 0;
        for (std::size_t j = 0; j < partials.size(); ++j)
        {
            double y = partials[j];
            if (std::abs(x) < std::abs(y)) std::swap(x, y);
            const double high = x + y, low = y - (high - x);
            if (low != 0) partials[kept++] = low;
            x = high;
        }
        partials.resize(kept);
        if (!std::isfinite(x)) return std::numeric_limits<double>::quiet_NaN();
        if (x != 0) partials.push_back(x);
    }
    if (partials.empty()) return 0;
    double high = partials.back(), low = 0;
    std::size_t i = partials.size() - 1;
    while (i > 0 && low == 0)
    {
        const double x = high, y = partials[--i];
        high = x + y;
        low = y - (high - x);
    }
    // If `low` is exactly half a unit in the last place, the partial sums below it decide the direction of rounding.
    if (i > 0 && ((low < 0 && partials[i - 1] < 0) || (low > 0 && partials[i - 1] > 0)))
    {
        const double twice = low * 2, x = high + twice;
        if (twice == x - high) high = x;
    }
    return high;
}

}  // namespace orogen::compute
