// What keys, the mouse and the mode do to the view of a session.
#pragma once

#include <optional>

#include "core/settings.h"
#include "core/view/camera.h"
#include "core/view/navigation.h"

namespace orogen {

// Remembers what is under way: how fast the keys drive, what the wheel has left to do, what a drag holds, a flight to a
// point; and how the camera looked while flying, so that leaving the map comes back to it.
//
// Keys gather speed and lose it again within a few tenths of a second, with a time constant of 0.12 s; the distance
// flown is that of the time they were held.  It depends on the time alone and not on how many frames it is cut into,
// but for the ground's height, which is looked at 120 times a second.
class ViewController
{
public:
    // One frame of `input` in the view's mode, and what earlier ones have left.  `cursor` in [-1, 1]², y up.  With idle
    // input nothing changes once the camera is at rest; any movement ends at least kEyeHeight above the ground and no
    // further from the terrain than four of its sizes.  At most 0.25 of the `seconds` are flown: a hitch must not
    // become a leap.  A view that is not as the last call left it was moved by somebody else: what is under way ends.
    //
    // Flying: keys along the view, sideways and straight up, as fast as the camera is high above ground; dragging looks
    // around, or pulls what is under the cursor along; the wheel goes towards the point under the cursor.  In the map
    // (north up, straight down) both drags pull the ground along, the keys forward and right scroll, up and down zoom.
    // What is pulled along, and what is zoomed to, stays under the cursor.
    Settings::View moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                         const ViewSurroundings& around);
    bool moving() const { return drive_ != glm::dvec3(0.0) || zoomLeft_ != 0 || flight_; }
    void rest();  // ends what is under way

    // Metres a second that a full key drives to: flySpeed() times what the wheel chose.
    double speed(const Camera& camera, double groundHeight) const;
    double pace() const { return pace_; }  // chosen by the wheel: 1/16 .. 16

    // The view in mode `to`, with the spot looked at kept in the middle; the same view if it is in that mode already.
    Settings::View switched(Settings::View view, ViewMode to, const ViewSurroundings& around);

    // Where a session starts (home_view.h), or in the map the whole terrain; with the view's field of view.
    Settings::View home(Settings::View view, const ViewSurroundings& around);

private:
    // On the way to a point: cameras at its beginning and its end.
    struct Flight
    {
        Camera from, to;
        double seconds = 0;
    };
    // What is dragged: a point, and for a camera that flies how far ahead of it that is.
    struct Hold
    {
        glm::dvec3 point{0.0};
        double ahead = 0;
    };

    void begin(const CameraInput& input, const Camera& camera, bool map, glm::dvec2 cursor,
               const ViewSurroundings& around);
    void drag(Camera& camera, const CameraInput& input, bool map, glm::dvec2 cursor, const ViewSurroundings& around);
    void drive(Camera& camera, const CameraInput& input, bool map, double seconds, const ViewSurroundings& around);
    void driveStep(Camera& camera, const glm::dvec3& wanted, bool map, double seconds, const ViewSurroundings& around);
    void zoom(Camera& camera, double seconds, const ViewSurroundings& around);
    void fly(Camera& camera, double seconds, const ViewSurroundings& around);

    Camera lastFly_{.pitch = -30.0};      // of which yaw and pitch count
    std::optional<Settings::View> left_;  // as the last call left it
    glm::dvec3 drive_{0.0};               // forward, right, up: in parts of full speed
    double height_ = 0;                   // metres above ground that the speed goes by, following the camera's
    double zoomLeft_ = 0;                 // notches
    glm::dvec3 zoomTo_{0.0};
    std::optional<Hold> hold_;
    std::optional<Flight> flight_;
    double pace_ = 1;
};

}  // namespace orogen
