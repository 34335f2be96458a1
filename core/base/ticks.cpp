#include "core/base/ticks.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <utility>

namespace orogen {
namespace {

constexpr double kSlack = 1e-9;         // tolerance for rounding errors: share of a step, or of a value
constexpr double kLeastGap = 0.8;       // smallest distance of two ticks, as a share of an even division by `most`
constexpr double kLeastRange = 1e-12;   // shorter ranges, as shares of their values, have no distinct round values
constexpr std::size_t kUsualTicks = 3;  // with fewer, finer ticks are tried, too

// Factors of the ticks between powers of ten, finest first; 0 is unused.
constexpr std::array<std::array<double, 6>, 4> kFactors = {
    {{1, 1.5, 2, 3, 5, 7}, {1, 2, 5, 0, 0, 0}, {1, 3, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}}};

// Keeps every k-th value, with the smallest k that leaves at most `most`.
std::vector<double> thinned(const std::vector<double>& values, int most)
{
    const std::size_t stride = values.empty() ? 1 : (values.size() - 1) / std::size_t(most) + 1;
    std::vector<double> kept;
    for (std::size_t i = 0; i < values.size(); i += stride)
        kept.push_back(values[i]);
    return kept;
}

std::vector<double> multiplesIn(const TickRange& range, double step)
{
    const double first = std::ceil(range.low / step - kSlack), last = std::floor(range.high / step + kSlack);
    std::vector<double> values;
    for (int i = 0; i <= last - first; ++i)
        values.push_back((first + i) * step + 0.0);  // turns -0 into 0
    return values;
}

// Refines the step until more ticks would not fit.
std::vector<double> linearTicks(const TickRange& range, int most)
{
    std::vector<double> ticks;
    const int power = int(std::ceil(std::log10(range.high - range.low)));
    for (int p = range.whole ? std::max(power, 0) : power;; --p)
        for (const double factor : {1.0, 0.5, 0.2})
        {
            const double step = factor * std::pow(10.0, p);
            if (range.whole && step < 1) return ticks;
            std::vector<double> finer = multiplesIn(range, step);
            if (int(finer.size()) > most)
            {
                finer = thinned(finer, most);
                return ticks.size() < kUsualTicks && finer.size() > ticks.size() ? finer : ticks;
            }
            ticks = std::move(finer);
        }
}

std::vector<double> productsIn(const TickRange& range, const std::array<double, 6>& factors)
{
    std::vector<double> values;
    const int last = int(std::floor(std::log10(range.high) + kSlack));
    for (int power = int(std::floor(std::log10(range.low))); power <= last; ++power)
        for (const double factor : factors)
            if (const double value = factor * std::pow(10.0, power);
                value >= range.low * (1 - kSlack) && value <= range.high * (1 + kSlack))
                values.push_back(value);
    return values;
}

bool fitLogarithmic(const TickRange& range, const std::vector<double>& ticks, int most)
{
    const double least = kLeastGap / most * std::log(range.high / range.low);
    for (std::size_t i = 1; i < ticks.size(); ++i)
        if (std::log(ticks[i] / ticks[i - 1]) < least) return false;
    return int(ticks.size()) <= most;
}

std::vector<double> logarithmicTicks(const TickRange& range, int most)
{
    std::vector<double> ticks, tooFine;
    for (const std::array<double, 6>& factors : kFactors)
    {
        ticks = productsIn(range, factors);
        if (fitLogarithmic(range, ticks, most)) break;
        tooFine = ticks;
    }
    if (int(ticks.size()) > most) ticks = thinned(ticks, most);
    if (ticks.size() < kUsualTicks && range.high < 10 * range.low)
    {
        const std::vector<double> even = linearTicks({range.low, range.high}, most);
        const bool fit = fitLogarithmic(range, even, most);
        if (fit && even.size() > ticks.size()) ticks = even;
        if (!fit && ticks.size() < 2 && even.size() >= 2) ticks = {even.front(), even.back()};
    }
    return ticks.size() < 2 ? thinned(tooFine, most) : ticks;
}

}  // namespace

std::vector<double> ticksIn(const TickRange& range, int most)
{
    assert(most >= 2);
    if (range.logarithmic && !(range.low > 0)) return {};
    const double length = range.high - range.low;
    const double least = std::max(kLeastRange * std::max(std::abs(range.low), std::abs(range.high)), 1e-300);
    if (!(length > least) || !std::isfinite(length)) return {};
    return range.logarithmic ? logarithmicTicks(range, most) : linearTicks(range, most);
}

}  // namespace orogen
