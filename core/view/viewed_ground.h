// Heights of the ground in view, for colours and contour lines that follow the view.
#pragma once

#include <functional>
#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/view/navigation.h"

namespace orogen {

struct ViewedGround
{
    double low = 0, high = 0;   // metres, unscaled; nearly the lowest and highest ground
    double slope = 0;           // mean, metres per metre
    double metresPerPixel = 1;  // median over the picture
};

// Height of the data at a position (metres, unscaled).
using DataHeight = std::function<double(const glm::dvec3& position)>;

// Returns the heights and slopes of the ground on 220 lines of sight; nothing if no line meets ground within the
// terrain.  The heights change continuously with the camera.  `scale`: height scale of the drawn ground.  Relief that
// hides other ground is not considered.  Cost: about four calls of `height` per line.
std::optional<ViewedGround> viewedGround(const Camera& camera, const ViewSurroundings& around, const DataHeight& height,
                                         double scale);

// Heights that approach those in view without jumps: each frame covers a share of the remaining difference.
class FollowedHeights
{
public:
    // Returns the lowest and the highest height to show (metres).  `wanted`: the heights in view; `share`: 0 to 1.
    glm::dvec2 follow(const glm::dvec2& wanted, double share);
    void forget() { shown_.reset(); }  // the next call of follow() returns `wanted` at once

private:
    std::optional<glm::dvec2> shown_;
};

}  // namespace orogen
