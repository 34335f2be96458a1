// Session: imagery, colours by height and contour lines over the ground, and how they follow the view.
#include <algorithm>
#include <utility>

#include "app/session/session.h"
#include "core/terrain/tiles/tiled_ground.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr double kViewMargin = 0.1;         // share of the heights found in view, added at both ends
constexpr double kFollowShare = 0.15;       // share of the way to those heights in each frame
constexpr double kLeastEarthSlope = 0.002;  // gradient that flatter ground in view is assumed to have

glm::dvec2 pixelsOf(const PixelSize& size) { return {size.width, size.height}; }

}  // namespace

CoverState Session::coverState() const
{
    CoverState state;
    for (const PictureLayer& layer : imagery.layers())
    {
        const auto known = terrain.pictures().find(layer.name);
        state.layers.push_back(
            {layer, known != terrain.pictures().end() && known->second ? known->second->credit() : std::string()});
    }
    if (terrain.earth() && terrain.imagery()) state.base = "Blue Marble (NASA), below all";
    if (terrain.imagery() && settings.wanted().imageryShown()) state.credit = terrain.imagery()->credit();
    state.imageryOnItsWay = imagery.fraction();
    if (!terrain.info()) return state;
    state.ramp = graphics.renderer().ramp();
    state.viewHeights = graphics.renderer().options().viewHeights;
    if (!settings.wanted().render.contours) return state;
    state.contourInterval = graphics.renderer().options().contourInterval;
    state.labels = contourLabels_;
    return state;
}

// Inspects the ground in view where colours or contour lines follow it.
void Session::followView()
{
    const Settings& wanted = settings.wanted();
    FrameOptions& drawn = graphics.renderer().options();
    const bool tints = wanted.render.shading == Shading::kHypsometric && wanted.render.tintRange == TintRange::kView;
    if (!tints)
    {
        drawn.viewHeights.reset();
        followed_.forget();
    }
    if (!tints && !(terrain.earth() && wanted.render.contours)) return;
    const std::optional<TileStats>& tiles = stats.tiles;
    const Viewed now{cameraOf(wanted.view), graphics.size(), wanted.terrain.heightScale,
                     terrain.heights() + (terrain.opened() << 32), tiles ? tiles->loaded : 0};
    const auto height = [this](const glm::dvec3& at) {
        return terrain.earth() ? drawnGroundUnder(*terrain.cache(), at, {.heightScale = 1, .sea = {}, .detail = {}})
                               : terrain.groundAt(at.x, at.y, 1, false);
    };
    const double scale = wanted.terrain.heightScale;
    ViewSurroundings around = surroundings();
    around.viewport = {std::max(now.size.width, 1), std::max(now.size.height, 1)};
    const bool changed = viewed_ != now;
    if (viewed_ && viewed_->heights != now.heights) followed_.forget();
    if (changed) viewedGround_ = viewedGround(now.camera, around, height, scale);
    viewed_ = now;
    if (!viewedGround_) return;
    const ViewedGround& seen = *viewedGround_;
    // Ground between the lines of sight may lie somewhat lower or higher.
    const double margin = std::max(kViewMargin * (seen.high - seen.low), 0.5);
    if (tints)
    {
        const bool flown = !headless || captures.running();  // a script's picture is that of its view
        const glm::dvec2 shown = followed_.follow({seen.low - margin, seen.high + margin}, flown ? kFollowShare : 1.0);
        drawn.viewHeights = HeightRange{shown.x, shown.y};
    }
    if (!terrain.earth() || !wanted.render.contours) return;
    const double interval =
        wanted.render.contourInterval > 0
            ? double(wanted.render.contourInterval)
            : earthContours_.choose(std::max(seen.slope, kLeastEarthSlope), seen.metresPerPixel, seen.high - seen.low);
    const bool relabel = changed || interval != drawn.contourInterval || contourLabels_.empty();
    drawn.contourInterval = interval;
    if (relabel && labelsContours())
        contourLabels_ = contours.labels(wanted, {std::move(around), height, scale}, interval, pixelsOf(now.size));
}

// Panels draw the labels.
bool Session::labelsContours() const
{
    const bool shown = !captures.capture() || captures.capture()->request().panels;
    return shown && (!headless || !options.script.empty());
}

void Session::updateContours()
{
    if (terrain.info() && !settings.wanted().render.contours) contourLabels_.clear();
    if (terrain.info()) followView();
    if (!terrain.info() || terrain.earth() || !settings.wanted().render.contours) return;
    const PixelSize size = graphics.size();
    double& interval = graphics.renderer().options().contourInterval;
    interval = contours.update(settings.wanted(), terrain.field(), pixelsOf(size));
    if (labelsContours())
        contourLabels_ = contours.labels(settings.wanted(),
                                         contourGround(terrain.field(), double(settings.wanted().terrain.heightScale)),
                                         interval, pixelsOf(size));
}

}  // namespace orogen::app
