// Cameras on the Earth: Camera::position is earth-fixed, in metres (core/planet/ellipsoid.h); yaw and pitch are against
// east, north and up of the place where the camera is.
//
// Yaw means little near the poles, where east turns quickly.  So whatever moves a camera moves its EarthPose, which has
// no directions of the compass in it: over a pole or the date line nothing is different from anywhere else.  A pose has
// no roll: its right is level.
#pragma once

#include <numbers>
#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/planet/ellipsoid.h"
#include "core/view/camera.h"
#include "core/view/navigation.h"

namespace orogen {

inline constexpr double kDegreesARadian = 180.0 / std::numbers::pi;

struct EarthPose
{
    glm::dvec3 up{0, 0, 1};     // the ellipsoid's normal through the camera, unit
    double height = 0;          // metres above the ellipsoid
    glm::dvec3 right{1, 0, 0};  // unit, at right angles to `up`
    double pitch = -90;         // degrees, as Camera's
    double fov = 60;            // degrees, as Camera's
    glm::dvec2 shift{0.0};      // Camera's
};
EarthPose poseOf(const Camera& camera);
Camera cameraOf(const EarthPose& pose);  // yaw within [0, 360)

// The point `height` metres above the ellipsoid where its normal is `up`; and that normal through a point.
glm::dvec3 positionAbove(const glm::dvec3& up, double height);
glm::dvec3 upThrough(const glm::dvec3& position);
inline glm::dvec3 positionOf(const EarthPose& pose) { return positionAbove(pose.up, pose.height); }

// Unit vectors, earth-fixed.
glm::dvec3 forwardOf(const EarthPose& pose);
glm::dvec3 pictureUpOf(const EarthPose& pose);
glm::dvec3 earthForward(const Camera& camera);
glm::dvec3 earthRight(const Camera& camera);
glm::dvec3 earthUp(const Camera& camera);

// `pose` carried along by the rotation about the Earth's centre that takes the normal `from` to `to` by the shorter
// way: height and pitch stay, and so does the heading against the way that is gone.
EarthPose carried(EarthPose pose, const glm::dvec3& from, const glm::dvec3& to);

// The direction that appears at `cursor` (in [-1, 1]², y up), earth-fixed; its component along the view is 1.
glm::dvec3 earthRay(const EarthPose& pose, glm::dvec2 cursor, glm::dvec2 viewport);

// Where a ray meets the ellipsoid that is raised by `height` metres; none: it passes it, or leads away from it.
std::optional<glm::dvec3> onRaisedEllipsoid(const glm::dvec3& origin, const glm::dvec3& direction, double height);
// The same, or else the point of it that the ray comes closest to: a limb that is dragged stays one.
glm::dvec3 nearRaisedEllipsoid(const glm::dvec3& origin, const glm::dvec3& direction, double height);

// The first point of the ground that a ray meets, to about a ten-thousandth of its distance.  `highest`: metres above
// the ellipsoid, no ground lies above it.  As groundAlong() on a plane.
std::optional<glm::dvec3> earthGroundAlong(const glm::dvec3& origin, const glm::dvec3& direction,
                                           const EarthGround& ground, double highest);
std::optional<glm::dvec3> earthGroundUnder(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around);

// The ground on the view's axis; where the camera looks past the Earth: the point of it that is nearest to
// the line of sight.
glm::dvec3 earthSpotLookedAt(const Camera& camera, const ViewSurroundings& around);

// Metres above the ground, never less than kEyeHeight.
double heightAboveEarth(const EarthPose& pose, const EarthGround& ground);
// Lifted to kEyeHeight above the ground if it is below.
EarthPose aboveEarth(EarthPose pose, const EarthGround& ground);
Camera aboveEarth(const Camera& camera, const EarthGround& ground);

// `pose` moved over the globe until `target` appears at `cursor`; height, pitch and the heading against the way gone
// stay.  Exact to a micrometre where the ray there meets the height of `target`; else as near as it comes.
EarthPose heldUnder(EarthPose pose, const glm::dvec3& target, glm::dvec2 cursor, glm::dvec2 viewport);

// Camera::shift of a view of the Earth: a globe is in the middle of what no panel covers, and near the ground the view's
// axis is in the middle of the picture, as on a plane; between them it follows globeShare() of the height above the
// ellipsoid, which no data change.
glm::dvec2 globeShift(const ViewSurroundings& around, const glm::dvec3& position);

// How much a camera is moved as one that looks at a globe, in [0, 1]: 0 below 3 km above the ground, 1 from 60 km on.
double globeShare(double heightAboveGround);

// North up; straight down from kStraightDownFrom on, 20 degrees below the horizon under it.  `height` is above the sea,
// and at least kEyeHeight above the ground.
inline constexpr double kStraightDownFrom = 100'000;  // metres
Camera goTo(const Geodetic& place, const EarthGround& ground, double fov = 60);
// The whole Earth, from above the place that is given, as large as fits in what no panel covers.
Camera earthHome(const ViewSurroundings& around, double fov = 60,
                 const Geodetic& above = {.latitude = 25, .longitude = 10});

// A view of the ground between these parallels and meridians (degrees; east of 180 where west is beyond): from above
// where it is large, from the south where it is smaller than kStraightDownFrom.
Camera viewOfExtent(double west, double south, double east, double north, const ViewSurroundings& around,
                    double fov = 60);

}  // namespace orogen
