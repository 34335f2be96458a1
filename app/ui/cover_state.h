// What panels know of contour lines and of the draped image, and what they ask for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

namespace orogen::app {

// A height on a contour line, in the picture.
struct ContourLabel
{
    glm::dvec2 place{0.0};  // share of the picture, (0, 0) at the top left
    double turn = 0;        // of the line, radians, clockwise, within a right angle of level
    std::string text;
};

struct CoverState
{
    double contourInterval = 0;        // metres, in effect; 0: none is known
    std::vector<ContourLabel> labels;  // where contour lines are shown

    std::string image;                    // what is draped, or on its way; empty: nothing
    std::optional<double> imageOnItsWay;  // how much of it is done
};

struct CoverActions
{
    std::optional<std::string> openImage;
    bool dropImage = false;
};

}  // namespace orogen::app
