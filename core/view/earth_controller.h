// Control of a view of the Earth by keys and mouse, from orbit to the ground.
#pragma once

#include <optional>

#include "core/settings.h"
#include "core/view/earth_view.h"

namespace orogen {

// State of movements in progress.  Keys accelerate as in ViewController, the controller for a plane.
//
// The camera moves between kMostEarthHeight and kEyeHeight: high up it looks at a globe, near the ground it flies.
// Below, "high" and "low" mean these two behaviours.  In between they are blended smoothly by globeShare():
// - The wheel moves towards the point under the cursor, which stays there: 15 % of the distance per notch.
// - Dragging with the left button, high: turns the globe, so that the point where the drag began stays under the
//   cursor.  Low: looks around; the scene follows the cursor, unless CameraInput::inverted is set.
// - Dragging with the right or middle button, high: turns the camera around the point in the middle.  Low: moves the
//   camera, so that the point where the drag began stays under the cursor.
// - Keys follow the curved surface.  The speed is the height above ground per second.  Low, the forward key also
//   follows the pitch up or down.  The heading relative to the great circle being flown stays constant.
// - A double click flies to a point; long flights follow an arc that rises in the middle.
//
// The map (north up, straight down, up to kMostMapLatitude): all drags move the ground with the cursor.  The keys for
// forward and right scroll, those for up and down zoom.
class EarthController
{
public:
    // Advances one frame, as ViewController::moved().
    Settings::View moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                         const ViewSurroundings& around);
    bool moving() const { return drive_ != glm::dvec3(0.0) || zoomLeft_ != 0 || flight_; }
    void rest();  // ends movements in progress

    // Returns the view in mode `to`, with the point looked at kept in the middle at the same distance.
    Settings::View switched(Settings::View view, ViewMode to, const ViewSurroundings& around);

    // Returns the speed that a held key reaches, without fast or slow (metres per second).
    double speed(double heightAboveGround) const { return heightAboveGround * pace_; }
    double pace() const { return pace_; }  // factor chosen by the wheel: 1/16 .. 16

private:
    struct Flight
    {
        EarthPose from, to;
        double over = 0;     // height of the arc in the middle of the way, metres
        double turn = 0;     // change of heading, radians, in addition to the parallel transport along the way
        double length = 0;   // duration, seconds
        double seconds = 0;  // elapsed
    };
    // Point that a drag keeps under the cursor.
    struct Hold
    {
        glm::dvec3 point{0.0};
        double ahead = 0;  // the point's distance along the view when the drag began, metres
    };
    struct Zoom
    {
        std::optional<glm::dvec3> target;  // empty: zoom towards the point below the camera
        glm::dvec2 cursor{0.0};
    };

    void begin(const CameraInput& input, const EarthPose& pose, bool map, glm::dvec2 cursor,
               const ViewSurroundings& around);
    void beginFlight(const EarthPose& pose, const EarthPose& end, const ViewSurroundings& around);
    Zoom zoomAt(const EarthPose& pose, glm::dvec2 cursor, const ViewSurroundings& around) const;
    void drag(EarthPose& pose, const CameraInput& input, glm::dvec2 cursor, const ViewSurroundings& around);
    Hold taken(const EarthPose& pose, glm::dvec2 cursor, const ViewSurroundings& around) const;
    void pullMap(EarthPose& pose, const CameraInput& input, glm::dvec2 cursor, const ViewSurroundings& around);
    void zoom(EarthPose& pose, bool map, double seconds, const ViewSurroundings& around);
    void drive(EarthPose& pose, const CameraInput& input, bool map, double seconds, const ViewSurroundings& around);
    void driveStep(EarthPose& pose, const glm::dvec3& wanted, bool map, double seconds, const ViewSurroundings& around);
    void fly(EarthPose& pose, double seconds, const ViewSurroundings& around);

    // Orientation (degrees) of the last view before the map, in east, north and up of the spot that it looked at.
    double flyYaw_ = 0, flyPitch_ = -30;
    std::optional<Settings::View> left_;  // view after the last call
    glm::dvec3 drive_{0.0};               // forward, right, up, as shares of full speed
    double height_ = 0;                   // smoothed height above ground that sets the speed, metres
    double zoomLeft_ = 0;                 // wheel notches that remain to be applied
    Zoom zoomTo_;
    std::optional<Hold> hold_;
    std::optional<Flight> flight_;
    double pace_ = 1;
};

// Returns the pose after a zoom by wheel notches towards `target`, which stays at `cursor`.  Blends two motions by
// `globe` (globeShare()): at 1 the globe turns under a camera of constant pitch, at 0 the camera moves straight and
// turns.
EarthPose zoomedOverEarth(const EarthPose& pose, const glm::dvec3& target, glm::dvec2 cursor, double notches,
                          double globe, glm::dvec2 viewport);

// Moves from one pose to another in at most 256 steps of a tenth of the height above ground.  Each ends at least
// kEyeHeight above the ground.  Returns `to` itself if the steps reach it, nothing is in the way, and it is no higher
// than kMostEarthHeight.
EarthPose movedOverEarth(const EarthPose& from, const EarthPose& to, const EarthGround& ground);

}  // namespace orogen
