// State of contour lines and the draped image as panels show it, and the actions panels request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

namespace orogen::app {

// A contour line's height label in the picture.
struct ContourLabel
{
    glm::dvec2 place{0.0};  // share of the picture, (0, 0) at the top left
    double turn = 0;        // the line's direction (radians, clockwise from level, -pi/2 to pi/2)
    std::string text;
};

struct CoverState
{
    double contourInterval = 0;        // interval in effect (metres); 0: unknown
    std::vector<ContourLabel> labels;  // empty unless contour lines are shown

    std::string image;                    // the draped image, or the one being loaded; empty: none
    std::optional<double> imageOnItsWay;  // loading progress, 0 to 1; empty: not loading
};

struct CoverActions
{
    std::optional<std::string> openImage;
    bool dropImage = false;
};

}  // namespace orogen::app
