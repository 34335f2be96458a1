// Types and functions that both readers of colour ramps use.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/colour/colour_ramp.h"

namespace orogen {

inline constexpr double kHighestInRamp = 1e9;  // metres

using RampClass = std::pair<double, glm::dvec3>;  // a height (metres) or a position (0 to 1), and its colour

// Returns one piece of constant colour around each class's height.  Heights must ascend; neighbours meet half-way.
std::vector<RampPiece> piecesOfClasses(const std::vector<RampClass>& classes);

// Reads "#rrggbb" into components from 0 to 1.  Returns nothing for other text.
std::optional<glm::dvec3> hexColour(std::string_view text);

}  // namespace orogen
