// Contour lines: their interval, and the position of a line.
#pragma once

#include <functional>
#include <optional>

#include <glm/vec2.hpp>

#include "core/terrain/raster/height_field.h"

namespace orogen {

inline constexpr int kIndexContours = 5;  // every fifth line is drawn stronger and numbered

// Returns the mean steepness of the ground (metres per metre), which determines the spacing of contour lines. Samples
// fewer than 512 x 512 places, a whole number of samples (1/512 to 1/256 of the terrain) apart.
double meanSlope(const HeightField& field);

// Returns the contour interval (metres): lines on ground of slope `slope` are far enough apart on screen, unless a
// relief of `relief` metres would have fewer than kLeastLines. It is 0.1 m times one of 1, 2, 5, 10, ....
// `metresPerPixel`: on the ground, at the view's target.
inline constexpr int kLeastLines = 10;
double contourInterval(double slope, double metresPerPixel, double relief);

// Chooses the interval while the camera moves. Keeps an interval until another fits clearly better, so that lines do
// not flicker at a limit.
class ContourChoice
{
public:
    double choose(double slope, double metresPerPixel, double relief);
    void forget() { interval_ = 0; }

private:
    double interval_ = 0;  // 0: none yet
};

using GroundHeight = std::function<double(double east, double north)>;  // metres

// A point of the index contour nearest to `place` (metres east and north). nearestIndexContour() returns none where the
// ground is too flat, or if it finds no line within `reach` metres. `spacing`: metres to either side, for the slope.
struct ContourPoint
{
    glm::dvec2 place{0.0};
    glm::dvec2 along{1.0, 0.0};  // unit: the line's direction there
    double height = 0;           // height of the line (metres)
};
std::optional<ContourPoint> nearestIndexContour(const GroundHeight& ground, glm::dvec2 place, double interval,
                                                double spacing, double reach);

}  // namespace orogen
