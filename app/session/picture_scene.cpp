#include "app/session/picture_scene.h"

#include <glm/geometric.hpp>

namespace orogen::app {

bool isHidden(const PictureScene& scene, const glm::dvec3& place)
{
    const glm::dvec3 way = place - scene.camera.position;
    const double distance = glm::length(way);
    if (distance < 1) return false;
    const auto met = groundAlong(scene.camera.position, way, scene.around.ground, scene.around.terrain);
    return met && glm::distance(*met, scene.camera.position) < 0.985 * distance - 1;
}

SeenPoint seenPoint(const PictureScene& scene, glm::dvec2 place)
{
    const glm::dvec3 drawn(place, scene.around.ground(place.x, place.y));
    return {drawn, isHidden(scene, drawn)};
}

}  // namespace orogen::app
