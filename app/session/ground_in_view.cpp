#include "app/session/ground_in_view.h"

#include <algorithm>
#include <utility>

#include "app/render/renderer.h"
#include "app/session/open_terrain.h"
#include "core/terrain/tiles/tiled_ground.h"

namespace orogen::app {

namespace {

constexpr double kViewMargin = 0.1;         // share of the range of heights in view, added at both ends
constexpr double kFollowShare = 0.15;       // part of the way to a new range that the colours' range moves per frame
constexpr double kLeastEarthSlope = 0.002;  // minimum gradient assumed for the ground in view

// Returns a function for the heights that are drawn (metres), without procedural detail and without height scale.
DataHeight dataHeightOf(const OpenTerrain& terrain)
{
    return [&terrain](const glm::dvec3& at) {
        return terrain.earth() ? drawnGroundUnder(*terrain.cache(), at, {.heightScale = 1, .sea = {}, .detail = {}})
                               : terrain.groundAt(at.x, at.y, 1, false);
    };
}

glm::dvec2 viewportOf(PixelSize size) { return {std::max(size.width, 1), std::max(size.height, 1)}; }

}  // namespace

ContourGround contourGround(const OpenTerrain& terrain, ViewSurroundings around, PixelSize size, double heightScale)
{
    if (!terrain.earth()) return contourGround(terrain.field(), heightScale);
    around.viewport = viewportOf(size);
    return {std::move(around), dataHeightOf(terrain), heightScale};
}

bool GroundInView::update(const Settings& settings, const OpenTerrain& terrain, ViewSurroundings around, PixelSize size,
                          Renderer& renderer, ContourLabeler& labeler, bool flown)
{
    FrameOptions& drawn = renderer.options();
    const bool tints =
        settings.render.shading == Shading::kHypsometric && settings.render.tintRange == TintRange::kView;
    if (!tints)
    {
        drawn.viewHeights.reset();
        followed_.forget();
    }
    // On a plane the interval needs no sampled ground, so it is chosen in each frame, and labels are updated, too.
    const bool onPlane = settings.render.contours && !terrain.earth(), onEarth = settings.render.contours && !onPlane;
    if (onPlane) drawn.contourInterval = labeler.update(settings, terrain.field(), {size.width, size.height});
    if (!tints && !onEarth) return onPlane;
    const std::optional<TileStats>& tiles = renderer.stats().tiles;
    const Viewed now{cameraOf(settings.view), size, settings.terrain.heightScale,
                     terrain.heights() + (terrain.opened() << 32), tiles ? tiles->loaded : 0};
    const bool changed = viewed_ != now;
    if (viewed_ && viewed_->heights != now.heights) followed_.forget();
    if (changed)
    {
        around.viewport = viewportOf(size);
        ground_ = viewedGround(now.camera, around, dataHeightOf(terrain), settings.terrain.heightScale);
    }
    viewed_ = now;
    if (!ground_) return onPlane;
    if (tints)
    {
        // Adds a margin, because ground between the sampled lines of sight may lie somewhat lower or higher.
        const double margin = std::max(kViewMargin * (ground_->high - ground_->low), 0.5);
        const glm::dvec2 shown =
            followed_.follow({ground_->low - margin, ground_->high + margin}, flown ? kFollowShare : 1.0);
        drawn.viewHeights = HeightRange{shown.x, shown.y};
    }
    if (!onEarth) return onPlane;
    const double before = std::exchange(drawn.contourInterval,
                                        settings.render.contourInterval > 0
                                            ? double(settings.render.contourInterval)
                                            : contours_.choose(std::max(ground_->slope, kLeastEarthSlope),
                                                               ground_->metresPerPixel, ground_->high - ground_->low));
    return changed || before != drawn.contourInterval;
}

}  // namespace orogen::app
