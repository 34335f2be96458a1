// Formatting of report numbers for terminal, panels and pages.  CSV and JSON keep every digit.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/frames/statistics/statistics.h"

namespace orogen {

inline constexpr std::string_view kNoFigure = "–";

// Formats with four significant digits, beyond the noise of times: "16.67", "0.1234", "1,235".
std::string figureText(double value);

struct ShownPercentile
{
    std::string_view name;
    double Distribution::*value;
    int perMille;

    // Returns the number of frames below which the percentile only reflects the slowest ones.
    std::uint64_t framesNeeded() const;
    // Returns the figure, or a dash if the distribution has too few values.
    std::string textOf(const Distribution& distribution) const;
};
inline constexpr std::array<ShownPercentile, 5> kShownPercentiles = {{{"p50", &Distribution::p50, 500},
                                                                      {"p90", &Distribution::p90, 900},
                                                                      {"p95", &Distribution::p95, 950},
                                                                      {"p99", &Distribution::p99, 990},
                                                                      {"p99.9", &Distribution::p999, 999}}};
const ShownPercentile& shownPercentile(std::string_view name);  // `name` must be in kShownPercentiles

}  // namespace orogen
