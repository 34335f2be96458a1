#include "core/frames/statistics/figure_text.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/base/text.h"

namespace orogen {
namespace {

constexpr int kSignificantDigits = 4;
constexpr std::uint64_t kFewestFrames = 10;  // minimum for any percentile

}  // namespace

std::string figureText(double value)
{
    if (value == 0) return "0";
    const int whole = int(std::floor(std::log10(std::abs(value)))) + 1;  // digits before the point
    return (value < 0 ? "-" : "") +
           grouped(std::abs(value), std::clamp(kSignificantDigits - whole, 0, kSignificantDigits));
}

std::uint64_t ShownPercentile::framesNeeded() const
{
    return std::max<std::uint64_t>(kFewestFrames, 1000 / std::uint64_t(1000 - perMille));
}

std::string ShownPercentile::textOf(const Distribution& distribution) const
{
    return distribution.count < framesNeeded() ? std::string(kNoFigure) : figureText(distribution.*value);
}

const ShownPercentile& shownPercentile(std::string_view name)
{
    const auto found = std::ranges::find(kShownPercentiles, name, &ShownPercentile::name);
    assert(found != kShownPercentiles.end());
    return *found;
}

}  // namespace orogen
