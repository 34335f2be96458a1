// Heights of the ground in view, for colours and contour lines that follow the view.
#pragma once

#include <functional>
#include <optional>

#include <glm/vec3.hpp>

#include "core/view/navigation.h"

namespace orogen {

struct ViewedGround
{
    double low = 0, high = 0;   // metres, unscaled
    double slope = 0;           // mean, metres a metre
    double metresPerPixel = 1;  // median over the picture
};

// Returns the height of the data at a position (metres, unscaled).
using DataHeight = std::function<double(const glm::dvec3& position)>;

// Inspects the ground on some 80 lines of sight.  `scale`: height scale of the drawn ground.  Relief that hides other
// ground is not considered.  Nothing if no line meets ground within the terrain.  Cost: five heights a line.
std::optional<ViewedGround> viewedGround(const Camera& camera, const ViewSurroundings& around, const DataHeight& height,
                                         double scale);

}  // namespace orogen
