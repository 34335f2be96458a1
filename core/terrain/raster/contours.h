// Contour lines: their interval, and the position of a line.
#pragma once

#include <functional>
#include <optional>

#include <glm/vec2.hpp>

#include "core/terrain/raster/height_field.h"

namespace orogen {

inline constexpr int kIndexContours = 5;  // every fifth line is drawn stronger and numbered

// Returns the mean steepness of the ground (metres per metre), which determines the spacing of contour lines. Measures
// at fewer than 512 x 512 places, a whole number of samples apart.
double meanSlope(const HeightField& field);

inline constexpr int kLeastLines = 10;
// Returns the contour interval: 0.1 m times one of 1, 2, 5, 10, .... With it, lines on ground of slope `slope` are far
// enough apart on screen. The interval is smaller if a relief of `relief` metres would otherwise have fewer than
// kLeastLines lines. `metresPerPixel`: size of a pixel on the ground at the view's target.
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

// A point of a contour line.
struct ContourPoint
{
    glm::dvec2 place{0.0};
    glm::dvec2 along{1.0, 0.0};  // unit vector: the line's direction there
    double height = 0;           // height of the line (metres)
};
// Returns a point near `place` (metres east and north) on an index contour (every kIndexContours-th line): that whose
// height is nearest to the ground at `place`. `interval`: between all lines (metres). `spacing`: metres to either side
// over which the slope is measured. Returns nothing where the ground is too flat, or if no such line is found within
// `reach` metres.
std::optional<ContourPoint> nearestIndexContour(const GroundHeight& ground, glm::dvec2 place, double interval,
                                                double spacing, double reach);

}  // namespace orogen
