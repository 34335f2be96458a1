// Session: imagery, colours by height and contour lines over the ground, and how they follow the view.
#include <algorithm>
#include <utility>

#include "app/session/session.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

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
    state.ramp = graphics.renderer().world().picture().cover().ramp();
    state.viewHeights = graphics.renderer().options().viewHeights;
    if (!settings.wanted().render.contours) return state;
    state.contourInterval = graphics.renderer().options().contourInterval;
    state.labels = contourLabels_;
    return state;
}

// Panels draw the labels.
bool Session::labelsContours() const
{
    const bool shown = !captures.capture() || captures.capture()->request().panels;
    return shown && (!headless || !options.script.empty());
}

void Session::updateContours()
{
    if (!terrain.info()) return;
    const Settings& wanted = settings.wanted();
    if (!wanted.render.contours) contourLabels_.clear();
    const PixelSize size = graphics.size();
    const bool flown = !headless || captures.running();  // a script's picture is that of its view
    const bool changed = groundInView_.update(wanted, terrain, surroundings(), size, graphics.renderer(), flown);
    if (!wanted.render.contours) return;
    double& interval = graphics.renderer().options().contourInterval;
    const double scale = wanted.terrain.heightScale;
    if (terrain.earth())
    {
        if (!labelsContours() || !(changed || contourLabels_.empty())) return;
        ViewSurroundings around = surroundings();
        around.viewport = {std::max(size.width, 1), std::max(size.height, 1)};
        contourLabels_ =
            contours.labels(wanted, {std::move(around), dataHeightOf(terrain), scale}, interval, pixelsOf(size));
        return;
    }
    interval = contours.update(wanted, terrain.field(), pixelsOf(size));
    if (labelsContours())
        contourLabels_ = contours.labels(wanted, contourGround(terrain.field(), scale), interval, pixelsOf(size));
}

}  // namespace orogen::app
