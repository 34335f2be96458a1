// What orogen compare prints for people.
#pragma once

#include <string>
#include <string_view>

#include "core/frames/compare/comparison.h"

namespace orogen::app {

// The sentence, what was noisy, who was compared, a table of the metrics with their verdicts, and what else differs.
std::string comparisonText(const Comparison& comparison);

}  // namespace orogen::app
