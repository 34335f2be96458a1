#include "core/view/view_controller.h"

#include <algorithm>

namespace orogen {

namespace {

double groundBelow(const Camera& camera, const ViewSurroundings& around)
{
    return around.ground(camera.position.x, camera.position.y);
}

Settings::View withCamera(Settings::View view, const Camera& camera)
{
    storeCamera(camera, view);
    return view;
}

}  // namespace

Settings::View ViewController::moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                                     const ViewSurroundings& around)
{
    if (input.idle())
    {
        return view;
    }
    const Camera before = cameraOf(view);
    const double ground = groundBelow(before, around);
    const Camera after = view.mode == ViewMode::kFly
                             ? flown(before, input, seconds, ground, around.terrain)
                             : mapped(before, input, seconds, ground, around.terrain, cursor, around.viewport);
    return withCamera(view, aboveGround(after, groundBelow(after, around)));
}

Settings::View ViewController::switched(Settings::View view, ViewMode to, const ViewSurroundings& around)
{
    if (view.mode == to)
    {
        return view;
    }
    view.mode = to;
    const Camera before = cameraOf(view);
    const glm::dvec3 spot = spotLookedAt(before, around.ground, around.terrain);
    if (to == ViewMode::kMap)
    {
        lastFly_ = before;
        return withCamera(view, toMap(before, spot));
    }
    const Camera after = toFly(before, lastFly_, spot);
    return withCamera(view, aboveGround(after, groundBelow(after, around)));
}

Settings::View ViewController::home(Settings::View view, const ViewSurroundings& around)
{
    const double aspect = around.viewport.x / std::max(around.viewport.y, 1.0);
    const bool fly = view.mode == ViewMode::kFly;
    return withCamera(view,
                      fly ? homeView(around.terrain, aspect, view.fov) : homeMap(around.terrain, aspect, view.fov));
}

}  // namespace orogen
