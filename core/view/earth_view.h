// Cameras on the Earth: Camera::position is earth-fixed, in metres (core/planet/ellipsoid.h); yaw and pitch are
// relative to east, north and up at the camera.
//
// Yaw is ill-defined near the poles, where east turns quickly.  So all motion is applied to an EarthPose, which
// contains no compass directions: for it, poles and the date line are not special.  A pose has no roll: its right
// vector is level.
#pragma once

#include <array>
#include <functional>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/planet/ellipsoid.h"
#include "core/view/camera.h"
#include "core/view/navigation.h"

namespace orogen {

inline constexpr double kDegreesARadian = 180.0 / std::numbers::pi;

struct EarthPose
{
    glm::dvec3 up{0, 0, 1};     // ellipsoid's normal through the camera, unit
    double height = 0;          // metres above the ellipsoid
    glm::dvec3 right{1, 0, 0};  // unit, perpendicular to `up`
    double pitch = -90;         // degrees, as Camera's
    double fov = 60;            // degrees, as Camera's
    glm::dvec2 shift{0.0};      // as Camera's
};
EarthPose poseOf(const Camera& camera);
Camera cameraOf(const EarthPose& pose);  // yaw within [0, 360)

// positionAbove() returns the point `height` metres above the ellipsoid where the normal is `up`.  upThrough() returns
// the normal through a point.
glm::dvec3 positionAbove(const glm::dvec3& up, double height);
glm::dvec3 upThrough(const glm::dvec3& position);
inline glm::dvec3 positionOf(const EarthPose& pose) { return positionAbove(pose.up, pose.height); }

// Unit vectors, earth-fixed.
glm::dvec3 forwardOf(const EarthPose& pose);
glm::dvec3 pictureUpOf(const EarthPose& pose);
glm::dvec3 earthForward(const Camera& camera);
glm::dvec3 earthRight(const Camera& camera);
glm::dvec3 earthUp(const Camera& camera);

// Applies the shortest rotation about the Earth's centre from the normal `from` to `to`.  Height, pitch and the heading
// relative to the path of that rotation stay.
EarthPose carried(EarthPose pose, const glm::dvec3& from, const glm::dvec3& to);

// Returns the direction at `cursor` (in [-1, 1]², y up), earth-fixed; its component along the view is 1.
glm::dvec3 earthRay(const EarthPose& pose, glm::dvec2 cursor, glm::dvec2 viewport);

// Returns the first intersection of a ray with the ellipsoid raised by `height` metres; nothing if the ray misses it.
std::optional<glm::dvec3> onRaisedEllipsoid(const glm::dvec3& origin, const glm::dvec3& direction, double height);
// Returns the intersection of onRaisedEllipsoid(), or else about the point of the raised ellipsoid that is closest to
// the ray, so that drags beyond the globe's edge have a point.
glm::dvec3 nearRaisedEllipsoid(const glm::dvec3& origin, const glm::dvec3& direction, double height);

// Returns the intersection of onRaisedEllipsoid(), or else the horizon in that direction, seen from outside the raised
// ellipsoid.
glm::dvec3 raisedEllipsoidOrHorizon(const glm::dvec3& origin, const glm::dvec3& direction, double height);

// Returns the first point of the ground on a ray, to about a millimetre.  `highest`: upper bound of the ground, metres
// above the ellipsoid.  Nothing if the ray misses the ground.  earthGroundUnder() uses the ray through `cursor`.
std::optional<glm::dvec3> earthGroundAlong(const glm::dvec3& origin, const glm::dvec3& direction,
                                           const EarthGround& ground, double highest);
std::optional<glm::dvec3> earthGroundUnder(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around);

// Returns the ground on the view's axis; if the camera looks past the Earth, the ground point closest to the line of
// sight.
glm::dvec3 earthSpotLookedAt(const Camera& camera, const ViewSurroundings& around);

// Returns the metres above the ground, at least kEyeHeight.
double heightAboveEarth(const EarthPose& pose, const EarthGround& ground);
// Lift the camera to kEyeHeight above the ground if it is below.
EarthPose aboveEarth(EarthPose pose, const EarthGround& ground);
Camera aboveEarth(const Camera& camera, const EarthGround& ground);

// Moves `pose` over the globe until `target` appears at `cursor`; height, pitch and the heading relative to the path
// stay. Exact to a micrometre if the cursor's ray reaches the height of `target`, else as close as possible.
EarthPose heldUnder(EarthPose pose, const glm::dvec3& target, glm::dvec2 cursor, glm::dvec2 viewport);

// ---- the map: north up, straight down ----

inline constexpr double kMostMapLatitude = 89.9;  // degrees: no direction is north at a pole
EarthPose mapPose(EarthPose pose);                // over the same place, but within kMostMapLatitude
// Does the same as heldUnder() for a map: north remains up, and the view straight down.
EarthPose heldInMap(EarthPose pose, const glm::dvec3& target, glm::dvec2 cursor, glm::dvec2 viewport);

// Returns Camera::shift for a view of the Earth.  High up the globe is centred in the area that no panel covers; near
// the ground the axis is in the middle of the picture, as on a plane.  Blended by globeShare() of the height above the
// ellipsoid, which does not depend on loaded data.
glm::dvec2 globeShift(const ViewSurroundings& around, const glm::dvec3& position);

// Returns the weight of globe-like motion, in [0, 1]: 0 below 3 km above the ground, 1 above 60 km.
double globeShare(double heightAboveGround);

inline constexpr double kStraightDownFrom = 100'000;  // metres above the ellipsoid
// Returns a view from a place to the north.  It looks straight down from kStraightDownFrom or higher, and from lower
// heights 20 degrees down.  The height is above the ellipsoid, and may lie below the ground.
Camera goTo(const Geodetic& place, double fov = 60);
// Returns a view of the whole Earth from above a place, as large as fits into the area that no panel covers.
Camera earthHome(const ViewSurroundings& around, double fov = 60,
                 const Geodetic& above = {.latitude = 25, .longitude = 10});

// Returns a view of the ground between parallels and meridians (degrees; east < west across the date line): from above
// if large, from the south if closer than kStraightDownFrom.
Camera viewOfExtent(double west, double south, double east, double north, const ViewSurroundings& around,
                    double fov = 60);

// ---- for either world ----

// Return the height of a position, and that of the ground below it (metres above the sea of a plane, or the ellipsoid).
double heightIn(const ViewSurroundings& around, const glm::dvec3& position);
double groundIn(const ViewSurroundings& around, const glm::dvec3& position);
glm::dvec3 upIn(const ViewSurroundings& around, const glm::dvec3& position);   // unit vector
LocalAxes axesIn(const ViewSurroundings& around, const glm::dvec3& position);  // east, north and up there
// Returns the position at another height.
glm::dvec3 atHeight(const ViewSurroundings& around, const glm::dvec3& position, double height);
// Returns the direction at `cursor` (in [-1, 1]², y up) in the coordinates of positions; its component along the view
// is 1.
glm::dvec3 rayIn(const ViewSurroundings& around, const Camera& camera, glm::dvec2 cursor, glm::dvec2 viewport);
// Returns the first point of the ground in the direction of `cursor`; see groundUnder() and earthGroundUnder().
std::optional<glm::dvec3> groundMet(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around);
// Height of the eye (metres) above which the ground hides next to nothing, so that groundHides() need not be asked.
inline constexpr double kGroundHidesBelow = 60'000;
// Returns whether ground on the way from `eye` hides a place.  Compares heights at 23 steps that grow with the
// distance, so thin ridges are missed.
bool groundHides(const ViewSurroundings& around, const glm::dvec3& eye, const glm::dvec3& place);
// Returns `own` with the higher one of its ground and that of `other`, which must lie in the same world.  The ground of
// `other` counts only while `shown` returns true; its range of heights always counts.
ViewSurroundings higherOf(ViewSurroundings own, const ViewSurroundings& other, const std::function<bool()>& shown);
// Lifts the camera to kEyeHeight above the ground if it is below.
Camera keptAbove(const Camera& camera, const ViewSurroundings& around);
// Turns the camera around the spot that it looks at, or else in place, until north is up.
Camera turnedNorth(const Camera& camera, const ViewSurroundings& around);

// ---- views that a user stores ----

using Bookmarks = std::array<std::optional<Camera>, kBookmarks>;

// Returns "LAT LON HEIGHT YAW PITCH FOV": degrees, and metres above the ellipsoid; precise to about a centimetre.
std::string bookmarkText(const Camera& camera);
// Parses a text of bookmarkText().  Returns nothing if the text is malformed or a value is out of a camera's range.
std::optional<Camera> bookmarkIn(std::string_view text);

}  // namespace orogen
