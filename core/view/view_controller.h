// What keys, the mouse and the mode do to the view of a session.
#pragma once

#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen {

// What a view moves over and is seen through.
struct ViewSurroundings
{
    GroundHeight ground;
    TerrainExtent terrain;
    glm::dvec2 viewport{1280, 720};  // in the units in which the mouse moves
};

// Remembers how the camera looked while flying, so that leaving the map comes back to it.
class ViewController
{
public:
    // One frame of `input` in the view's mode; idle input changes nothing.  `cursor` in [-1, 1]², y up.
    Settings::View moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                         const ViewSurroundings& around);

    // The view in mode `to`, with the spot looked at kept in the middle; the same view if it is in that mode already.
    Settings::View switched(Settings::View view, ViewMode to, const ViewSurroundings& around);

    // The whole terrain, in the view's mode and with its field of view.
    Settings::View home(Settings::View view, const ViewSurroundings& around);

private:
    Camera lastFly_{.pitch = -30.0};  // of which yaw and pitch count
};

}  // namespace orogen
