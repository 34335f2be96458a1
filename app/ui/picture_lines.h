// Lines and marks on the ground, drawn over the picture and below all panels.
#pragma once

#include <optional>
#include <span>

#include <imgui.h>

#include "app/ui/picture_tools_state.h"

namespace orogen::app {

class PictureLines
{
public:
    // The picture fills the display.
    PictureLines(const Camera& camera, ImVec2 display);

    // Projects a world point to display pixels; empty: behind the camera, or too far outside the picture.
    std::optional<ImVec2> at(const glm::dvec3& place) const;

    // Draws a line through points; hidden segments are faint.
    void line(std::span<const SeenPoint> points, const ImVec4& colour, float width) const;
    void dot(const SeenPoint& point, const ImVec4& colour, float radius) const;

private:
    Camera camera_;
    ImVec2 display_;
    glm::dvec3 right_, up_, forward_;
    glm::dvec2 focal_;  // pixels
};

}  // namespace orogen::app
