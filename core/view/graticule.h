// A grid over the part of the world that a view shows: parallels and meridians, or lines at round metres on a plane
// that has no georeference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec3.hpp>

#include "core/view/camera.h"

namespace orogen {

// Region and steps of a grid, in degrees of longitude (x) and latitude (y), or in metres east and north.
struct GridRegion
{
    double west = 0, south = 0, east = 0, north = 0;  // east may exceed 180
    double step = 1, across = 1;                      // from parallel to parallel, from meridian to meridian
    bool degrees = true;                              // false: metres

    bool operator==(const GridRegion&) const = default;
};

struct GridLine
{
    std::vector<glm::dvec3> points;  // world positions on the ground
    glm::dvec3 labelled{0.0};        // point of the line at which its label stands
    bool meridian = false;           // runs north
    std::string label;               // "46° 30' N", "12 km east"; empty: no label
};

// Returns the largest round step that is at most `wanted` (degrees or metres), or else the smallest one.  In metres the
// steps are 1, 2 and 5 times a power of ten, from 0.1 on.  In degrees they are 30, 10, 5, 2 and 1 degrees, minutes or
// seconds, and fractions of a second down to 0.01.
double gridStep(double wanted, bool degrees);

// Returns "46° 30' N", with as many parts as `step` needs.
std::string gridDegrees(double value, double step, bool latitude);

// Returns a region around the place below the camera and the middle of the view.
GridRegion gridOnEarth(const Camera& camera);

// Returns the lines of a region.  `place` maps x and y to a world position on the ground; empty outside the terrain,
// which interrupts the line.  `steps`: number of pieces per line; `labelX`, `labelY`: place near which labels stand.
std::vector<GridLine> gridLines(const GridRegion& region, int steps,
                                const std::function<std::optional<glm::dvec3>(double x, double y)>& place,
                                double labelX, double labelY);

}  // namespace orogen
