// Lines and marks on the ground, drawn over the picture and under all panels.
#pragma once

#include <optional>
#include <span>

#include <imgui.h>

#include "app/ui/picture_tools_state.h"

namespace orogen::app {

class PictureLines
{
public:
    // For a picture that fills the display.
    PictureLines(const Camera& camera, ImVec2 display);

    // Where a point of the world appears; empty: behind the camera.
    std::optional<ImVec2> at(const glm::dvec3& place) const;

    // A line through points, what is hidden of it faintly.
    void line(std::span<const SeenPoint> points, const ImVec4& colour, float width) const;
    void dot(const SeenPoint& point, const ImVec4& colour, float radius) const;

private:
    Camera camera_;
    ImVec2 display_;
    glm::dvec3 right_, up_, forward_;
    glm::dvec2 focal_;  // pixels
};

}  // namespace orogen::app
