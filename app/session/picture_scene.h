// The ground shown, and the camera of the picture.
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
    std::uint64_t heights = 0;                  // changes whenever the heights do
    std::uint64_t loaded = 0;                   // tiles loaded so far
    bool tilesSettled = true;                   // no tile is missing
    const TileCache* tiles = nullptr;           // tiled terrain, of which the field is an overview; null: one image
    const Raster* raster = nullptr;             // raster of the terrain
    std::optional<double> syntheticBelow = {};  // detail below this size is procedural (metres); empty: none
};

// Ground by the elevation model at a point, from the finest tile drawn there.
struct SceneGround
{
    GroundPoint point;
    int level = 0;  // sample spacing is 2^level times the source's
};
SceneGround sceneGround(const PictureScene& scene, double east, double north);

// Returns a drawn ground point and whether terrain hides it.  About 3 microseconds per point.
SeenPoint seenPoint(const PictureScene& scene, glm::dvec2 place);
bool isHidden(const PictureScene& scene, const glm::dvec3& place);

}  // namespace orogen::app
