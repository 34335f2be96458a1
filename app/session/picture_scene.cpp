#include "app/session/picture_scene.h"

#include <cmath>

#include <glm/geometric.hpp>

#include "core/terrain/tiles/tiled_ground.h"

namespace orogen::app {

SceneGround sceneGround(const PictureScene& scene, double east, double north)
{
    if (!scene.tiles) return {groundPointAt(scene.field, east, north)};
    const FinerGround finer = tiledGround(*scene.tiles, *scene.raster, east, north);
    return {groundPointAt(scene.field, finer, east, north),
            int(std::lround(std::log2(finer.spacingEast / scene.raster->pixelWidth)))};
}

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
