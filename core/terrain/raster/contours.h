// Lines of equal height: which heights they have, and where one runs.
#pragma once

#include <functional>
#include <optional>

#include <glm/vec2.hpp>

#include "core/terrain/raster/height_field.h"

namespace orogen {

inline constexpr int kIndexContours = 5;  // every so many-th line is drawn stronger and numbered

// Mean steepness of the ground, metres a metre: what decides how close contour lines come.  Of at most 256 x 256
// places, a step of some 1/256 of the terrain each.
double meanSlope(const HeightField& field);

// The least interval of 1, 2, 5, 10, ... x 0.1 m at which lines on ground of that slope lie far enough apart on the
// screen; but no less than kLeastLines of them over a relief of `relief` metres.  `metresPerPixel`: on the ground,
// where the picture looks.
inline constexpr int kLeastLines = 10;
double contourInterval(double slope, double metresPerPixel, double relief);

// The same while the camera moves: an interval stays until another fits clearly better, so that lines do not come and
// go at a limit.
class ContourChoice
{
public:
    double choose(double slope, double metresPerPixel, double relief);
    void forget() { interval_ = 0; }

private:
    double interval_ = 0;  // 0: none yet
};

using GroundHeight = std::function<double(double east, double north)>;  // metres

// The point of the nearest index contour near a place, by steps down the slope: east and north in metres.  Empty where
// the ground is too flat to say, or none lies within `reach` metres.
struct ContourPoint
{
    glm::dvec2 place{0.0};
    glm::dvec2 along{1.0, 0.0};  // unit: the line's direction there
    double height = 0;           // of the line
};
std::optional<ContourPoint> nearestIndexContour(const GroundHeight& ground, glm::dvec2 place, double interval,
                                                double spacing, double reach);

}  // namespace orogen
