// Session: imagery, colours by height and contour lines over the ground, and how they follow the view.
#include "app/session/session.h"

namespace orogen::app {

CoverState Session::coverState() const
{
    CoverState state;
    for (const PictureLayer& layer : imagery.layers())
    {
        const auto known = terrain.pictures().find(layer.name);
        state.layers.push_back(
            {layer, known != terrain.pictures().end() && known->second ? known->second->credit() : std::string()});
    }
    state.base = terrain.imageryBase();
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

// Returns whether labels of contour lines are needed: the panels draw them, and this session shows panels.
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
    const bool flown = !headless || captures.running();  // a script's picture shows the colours of its view at once
    const ViewSurroundings around = surroundings();
    const bool changed = groundInView_.update(wanted, terrain, around, size, graphics.renderer(), contours, flown);
    if (!wanted.render.contours || !labelsContours() || !(changed || contourLabels_.empty())) return;
    contourLabels_ = contours.labels(wanted, contourGround(terrain, around, size, wanted.terrain.heightScale),
                                     graphics.renderer().options().contourInterval, {size.width, size.height});
}

}  // namespace orogen::app
