// What keys and the mouse do to a view of the Earth, from orbit to the ground.
#pragma once

#include <optional>

#include "core/settings.h"
#include "core/view/earth_view.h"

namespace orogen {

// Remembers what is under way, as ViewController does for a plane, with the same gathering and losing of speed.
//
// One camera from kMostEarthHeight to kEyeHeight.  High up it is one that looks at a globe, near the ground one that
// flies; in between (globeShare()) what it does is mixed, so that nowhere is a step:
// - The wheel goes towards the point under the cursor, which stays there: 15 % of the distance a notch.
// - The left button, high: turns the globe, and what was taken hold of stays under the cursor.  Low: looks around.
//   What is dragged moves with the cursor in both.
// - The right and middle buttons, high: swing the camera around what is in the middle.  Low: pull what is under the
//   cursor along.
// - Keys follow the curved surface, as many metres a second as the camera is high above ground; low, forward also leads
//   where the camera looks, up or down.  On a great circle that is left to itself the heading against it stays.
// - A double click flies to a point, high up along an arc.
class EarthController
{
public:
    // One frame, as ViewController::moved().  A view in the mode of the map is shown as one that flies.
    Settings::View moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                         const ViewSurroundings& around);
    bool moving() const { return drive_ != glm::dvec3(0.0) || zoomLeft_ != 0 || flight_; }
    void rest();

    // Metres a second that a full key drives to.
    double speed(double heightAboveGround) const { return heightAboveGround * pace_; }
    double pace() const { return pace_; }

private:
    struct Flight
    {
        EarthPose from, to;
        double over = 0;     // metres: how high the arc leads at its middle
        double turn = 0;     // radians: of the heading, beside what it turns by being carried along
        double length = 0;   // seconds
        double seconds = 0;  // that are over
    };
    struct Hold
    {
        glm::dvec3 point{0.0};
        double ahead = 0;  // along the view
    };
    struct Zoom
    {
        std::optional<glm::dvec3> target;  // none: what is below the camera
        glm::dvec2 cursor{0.0};
    };

    void begin(const CameraInput& input, const EarthPose& pose, glm::dvec2 cursor, const ViewSurroundings& around);
    void beginFlight(const EarthPose& pose, const glm::dvec3& spot, const ViewSurroundings& around);
    Zoom zoomAt(const EarthPose& pose, glm::dvec2 cursor, const ViewSurroundings& around) const;
    void drag(EarthPose& pose, const CameraInput& input, glm::dvec2 cursor, const ViewSurroundings& around);
    Hold taken(const EarthPose& pose, glm::dvec2 cursor, const ViewSurroundings& around) const;
    void zoom(EarthPose& pose, double seconds, const ViewSurroundings& around);
    void drive(EarthPose& pose, const CameraInput& input, double seconds, const ViewSurroundings& around);
    void driveStep(EarthPose& pose, const glm::dvec3& wanted, double seconds, const ViewSurroundings& around);
    void fly(EarthPose& pose, double seconds, const ViewSurroundings& around);

    std::optional<Settings::View> left_;  // as the last call left it
    glm::dvec3 drive_{0.0};               // forward, right, up: in parts of full speed
    double height_ = 0;                   // metres above ground that the speed goes by
    double zoomLeft_ = 0;                 // notches
    Zoom zoomTo_;
    std::optional<Hold> hold_;
    std::optional<Flight> flight_;
    double pace_ = 1;
};

// Towards `target`, which stays at `cursor`, by wheel notches.  Of the two ways, to turn the globe under a camera that
// keeps its pitch, and to go straight and turn the camera, the first counts as much as globeShare() says.
EarthPose zoomedOverEarth(const EarthPose& pose, const glm::dvec3& target, glm::dvec2 cursor, double notches,
                          double globe, glm::dvec2 viewport);

// The way from one pose to another in steps of a tenth of the height above ground, each of which ends at least
// kEyeHeight above it; `to` itself where nothing is in the way and it is no higher than kMostEarthHeight.
EarthPose movedOverEarth(const EarthPose& from, const EarthPose& to, const EarthGround& ground);

}  // namespace orogen
