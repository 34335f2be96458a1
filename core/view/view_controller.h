// Control of a session's view by keys, mouse and mode.
#pragma once

#include <optional>

#include "core/settings.h"
#include "core/view/camera.h"
#include "core/view/navigation.h"

namespace orogen {

// State of movements in progress: the speed of the keys, the remainder of a zoom, the point that a drag holds, a flight
// to a point.  Also the orientation before the map, for the return from the map to flying.
//
// Keys accelerate and decelerate with a time constant of 0.12 s; the distance flown is full speed times the time for
// which they were held.  That distance does not depend on the frame rate, except through the speed: it follows the
// height above ground, which is sampled 120 times a second.
class ViewController
{
public:
    // Advances one frame with `input` in the view's mode, and movements in progress.  `cursor` in [-1, 1]², y up.  With
    // idle input, a camera at rest stays unchanged.  Movements end at least kEyeHeight above the ground and within the
    // limits of movedOverGround().  `seconds` is limited to 0.25, to avoid a leap after a hitch.  If the view differs
    // from the last result, other code has moved it: movements in progress end.
    //
    // Flying: keys move along the view, sideways and straight up, at a speed of the height above ground per second.  A
    // drag with the look button looks around.  A drag with the pan button keeps the point where it began under the
    // cursor.  The wheel moves towards the point under the cursor, which stays there.  In the map (north up, straight
    // down) both drags move the ground with the cursor.  The keys for forward and right scroll, up and down zoom.
    Settings::View moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                         const ViewSurroundings& around);
    bool moving() const { return drive_ != glm::dvec3(0.0) || zoomLeft_ != 0 || flight_; }
    void rest();  // ends movements in progress

    // Returns the speed that a held key reaches, without fast or slow (metres per second): flySpeed() times pace().
    double speed(const Camera& camera, double groundHeight) const;
    double pace() const { return pace_; }  // chosen by the wheel: 1/16 .. 16

    // Returns the view in mode `to`, with the point looked at kept in the middle; unchanged if already in that mode.
    Settings::View switched(Settings::View view, ViewMode to, const ViewSurroundings& around);

    // Returns the initial view (homeView()), or in the map the whole terrain between the panels (homeMap()); keeps the
    // field of view.
    Settings::View home(Settings::View view, const ViewSurroundings& around);

private:
    // Flight to a point: its first and last camera.
    struct Flight
    {
        Camera from, to;
        double seconds = 0;  // elapsed
    };
    // Point that a drag keeps under the cursor.
    struct Hold
    {
        glm::dvec3 point{0.0};
        double ahead = 0;  // the point's distance along the view when the drag began (metres); only for flying
    };

    void begin(const CameraInput& input, const Camera& camera, bool map, glm::dvec2 cursor,
               const ViewSurroundings& around);
    void drag(Camera& camera, const CameraInput& input, bool map, glm::dvec2 cursor, const ViewSurroundings& around);
    void drive(Camera& camera, const CameraInput& input, bool map, double seconds, const ViewSurroundings& around);
    void driveStep(Camera& camera, const glm::dvec3& wanted, bool map, double seconds, const ViewSurroundings& around);
    void zoom(Camera& camera, double seconds, const ViewSurroundings& around);
    void fly(Camera& camera, double seconds, const ViewSurroundings& around);

    Camera lastFly_{.pitch = -30.0};      // only yaw and pitch are used
    std::optional<Settings::View> left_;  // view after the last call
    glm::dvec3 drive_{0.0};               // forward, right, up, as shares of full speed
    double height_ = 0;                   // smoothed height above ground that sets the speed, metres
    double zoomLeft_ = 0;                 // wheel notches that remain to be applied
    glm::dvec3 zoomTo_{0.0};
    std::optional<Hold> hold_;
    std::optional<Flight> flight_;
    double pace_ = 1;
};

}  // namespace orogen
