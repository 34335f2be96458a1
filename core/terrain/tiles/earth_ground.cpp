#include "core/terrain/tiles/earth_ground.h"

#include <algorithm>
#include <limits>

#include "core/terrain/detail/detail_cube.h"

namespace orogen {

double drawnGroundUnder(const TileCache& cache, const glm::dvec3& position, const EarthLook& look)
{
    const FacePlace place = facePlaceOf(scaledDirectionUnder(position));
    const double sea = look.sea.value_or(-std::numeric_limits<double>::infinity());
    double height = double(cache.heightAt(place));
    if (look.detail && height > sea)
        height += madeHeightOnCube(*look.detail, place, cache.levelAt(place), cache.roughnessAt(place), height - sea);
    return std::max(height, sea) * look.heightScale;
}

}  // namespace orogen
