#include "app/session/ground_in_view.h"

#include <algorithm>

#include "app/render/renderer.h"
#include "app/session/open_terrain.h"
#include "core/terrain/tiles/tiled_ground.h"

namespace orogen::app {

namespace {

constexpr double kViewMargin = 0.1;         // share of the heights found in view, added at both ends
constexpr double kLeastEarthSlope = 0.002;  // gradient that flatter ground in view is assumed to have

}  // namespace

void GroundInView::update(const Settings& settings, const OpenTerrain& terrain, ViewSurroundings around, PixelSize size,
                          Renderer& renderer)
{
    FrameOptions& drawn = renderer.options();
    const bool tints =
        settings.render.shading == Shading::kHypsometric && settings.render.tintRange == TintRange::kView;
    if (!tints) drawn.viewHeights.reset();
    if (!tints && !(terrain.earth() && settings.render.contours)) return;
    const std::optional<TileStats>& tiles = renderer.stats().tiles;
    const Viewed now{cameraOf(settings.view), size, settings.terrain.heightScale,
                     terrain.heights() + (terrain.opened() << 32), tiles ? tiles->loaded : 0};
    if (viewed_ != now)
    {
        viewed_ = now;
        const double scale = settings.terrain.heightScale;
        const auto height = [&](const glm::dvec3& at) {
            return terrain.earth() ? drawnGroundUnder(*terrain.cache(), at, {.heightScale = 1, .sea = {}, .detail = {}})
                                   : terrain.groundAt(at.x, at.y, 1, false);
        };
        around.viewport = {std::max(size.width, 1), std::max(size.height, 1)};
        ground_ = viewedGround(now.camera, around, height, scale);
    }
    if (!ground_) return;
    // Ground between the lines of sight may lie somewhat lower or higher.
    const double margin = std::max(kViewMargin * (ground_->high - ground_->low), 0.5);
    if (tints) drawn.viewHeights = HeightRange{ground_->low - margin, ground_->high + margin};
    if (!terrain.earth() || !settings.render.contours) return;
    drawn.contourInterval = settings.render.contourInterval > 0
                                ? double(settings.render.contourInterval)
                                : contours_.choose(std::max(ground_->slope, kLeastEarthSlope), ground_->metresPerPixel,
                                                   ground_->high - ground_->low);
}

}  // namespace orogen::app
