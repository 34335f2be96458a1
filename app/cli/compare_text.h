// Text output of orogen compare.
#pragma once

#include <string>
#include <string_view>

#include "core/frames/compare/comparison.h"

namespace orogen::app {

// Returns the verdict, noise warnings, the compared sides, a table of metrics with verdicts, and other differences.
std::string comparisonText(const Comparison& comparison);

}  // namespace orogen::app
