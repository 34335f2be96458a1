// What is looked at: a ground, and the camera that the picture shows it with.
#pragma once

#include <vector>

#include "app/ui/picture_tools_state.h"
#include "core/terrain/raster/height_field.h"
#include "core/view/navigation.h"

namespace orogen::app {

struct PictureScene
{
    const HeightField& field;
    ViewSurroundings around;
    Camera camera;
    double heightScale = 1;
    std::uint64_t heights = 0;  // counts the heights that there have been: another number, other heights
};

// Points of the ground as they are drawn, with what hides them.  About 3 microseconds a point.
SeenPoint seenPoint(const PictureScene& scene, glm::dvec2 place);
bool isHidden(const PictureScene& scene, const glm::dvec3& place);

}  // namespace orogen::app
