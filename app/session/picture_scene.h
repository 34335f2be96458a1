// What is looked at: a ground, and the camera that the picture shows it with.
#pragma once

#include <optional>
#include <vector>

#include "app/ui/picture_tools_state.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/tiles/tile_cache.h"
#include "core/view/navigation.h"

namespace orogen::app {

struct PictureScene
{
    const HeightField& field;
    ViewSurroundings around;
    Camera camera;
    double heightScale = 1;
    std::uint64_t heights = 0;         // counts the heights that there have been: another number, other heights
    std::uint64_t loaded = 0;          // tiles so far
    bool tilesSettled = true;          // none is missing
    const TileCache* tiles = nullptr;  // of a terrain in tiles, of which the field is an overview
    const Raster* raster = nullptr;    // that goes with them
    std::optional<double> syntheticBelow = {};  // metres: what is finer is made; empty: nothing is
};

// What the elevation model says there, by the finest tile that is drawn, and how fine that is.
struct SceneGround
{
    GroundPoint point;
    int level = 0;  // samples are 2^level times as far apart as the source's
};
SceneGround sceneGround(const PictureScene& scene, double east, double north);

// Points of the ground as they are drawn, with what hides them.  About 3 microseconds a point.
SeenPoint seenPoint(const PictureScene& scene, glm::dvec2 place);
bool isHidden(const PictureScene& scene, const glm::dvec3& place);

}  // namespace orogen::app
