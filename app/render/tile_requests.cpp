#include "app/render/tile_requests.h"

#include <glm/geometric.hpp>

#include "app/render/world.h"

namespace orogen::app {
namespace {

// Longest wait for tiles before the first picture after the start or a jump (seconds): once for heights, and once for
// imagery.
constexpr double kJumpWait = 0.25;

// Returns the view for choosing tiles of imagery, whose texels may be half as wide as a pixel (imagery_tiles.glsl).
TileView finerView(TileView view)
{
    view.pixelsPerRadian *= 2;
    return view;
}

}  // namespace

// At the start and after a jump, new tiles appear at once until all tiles of the new place are resident: there is no
// earlier picture from which they could fade.  The first picture of a new place waits for its tiles, at most
// kJumpWait.  Without the wait, a software rasteriser would spend long on a frame that the next frame replaces.
void TileRequests::update(const Camera& camera, float fade)
{
    TerrainGpu& terrain = *parts_.terrain;
    const FrameView frame = parts_.viewOf(camera);
    if (before_ && glm::length(camera.position - *before_) > frame.world.leastJump(camera.position, terrain))
        before_.reset();
    arrives_ = arrives_ || !before_;
    if (!before_) (void)settle(camera, kJumpWait);
    const TileView view = viewFrom(camera);
    before_ = camera.position;
    if (arrives_) fade = 1;
    HeightStore& heights = terrain.heights();
    heights.update(view, fade);
    parts_.stats.tiles = heights.stats();
    bool rests = heights.rests();
    if (TiledColours* imagery = terrain.imagery())
    {
        imagery->update(finerView(view), fade);
        rests = rests && imagery->rests();
    }
    arrives_ = arrives_ && !rests;
}

bool TileRequests::settle(const Camera& camera, double seconds)
{
    if (!parts_.terrain) return true;
    const TileView view = viewFrom(camera);
    HeightStore& heights = parts_.terrain->heights();
    bool settled = heights.settle(view, seconds);
    parts_.stats.tiles = heights.stats();
    if (TiledColours* imagery = parts_.terrain->imagery())
        settled = imagery->settle(finerView(view), seconds) && settled;
    return settled;
}

TileView TileRequests::imageryView(const Camera& camera) const
{
    const FrameView view = parts_.viewOf(camera);
    return finerView(view.world.tileView(view, std::nullopt, parts_.settings.terrain.heightScale));
}

TileView TileRequests::viewFrom(const Camera& camera) const
{
    const FrameView view = parts_.viewOf(camera);
    return view.world.tileView(view, before_, parts_.settings.terrain.heightScale);
}

}  // namespace orogen::app
