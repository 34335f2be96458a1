// Camera motion by keys, wheel and drags over a ground: stateless single steps.  Motion over several frames
// (acceleration, a drag, a flight to a point) is in view_controller.h.  Also the view that a session starts with.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <optional>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/view/camera.h"

namespace orogen {

// Requested motion of one frame, from held keys and the mouse; keys in [-1, 1].
struct CameraInput
{
    double forward = 0, right = 0, up = 0;
    double turnX = 0, turnY = 0;  // pixels dragged with the look button; y downwards
    double panX = 0, panY = 0;    // pixels dragged with the pan button; y downwards
    double zoom = 0;              // wheel notches, away from the user is positive
    double pace = 0;              // wheel notches that change the flying speed
    bool fast = false, slow = false;
    bool inverted = false;                 // dragging looks the other way (input.invert_drag)
    bool holding = false;                  // a drag button is held, even without motion
    std::optional<glm::dvec2> flyTo = {};  // in [-1, 1]², y up: place of a double click

    bool idle() const;  // no motion requested
};

// Height of the drawn ground above the ellipsoid (metres), below an earth-fixed position.
using EarthGround = std::function<double(const glm::dvec3& position)>;

// Surroundings of a view: ground and viewport.
struct ViewSurroundings
{
    GroundHeight ground;  // on a plane
    TerrainExtent terrain;
    glm::dvec2 viewport{1280, 720};      // in units of mouse motion
    glm::dvec2 freeLow{0}, freeHigh{1};  // area without panels: upper left and lower right, in shares of the viewport
    EarthGround earthGround = {};        // set on the Earth: `ground` is empty, and `terrain` only bounds heights
    std::optional<Camera> home = {};     // initial camera over a plane, if its terrain names one
    // On a plane: as `ground`, but outside the terrain the height of its nearest edge instead of the land drawn there.
    // Camera paths use it, so that a path is the same with any surroundings.  Empty: `ground` is such a function.
    GroundHeight withoutLand = {};

    bool onEarth() const { return bool(earthGround); }
    World world() const { return onEarth() ? World::kEarth : World::kPlane; }
};

// Returns a factor on the speed: 5 with `fast`, 0.2 with `slow`, 1 with both or neither.
double paceOf(const CameraInput& input);

// Returns the height above ground (metres), at least kEyeHeight.  Speeds and steps are proportional to it.
double heightAbove(const Camera& camera, double groundHeight);

// Returns the speed that a held key reaches (metres per second): the height above ground, times paceOf().  So keys work
// at heights of 2 m and of 20 km.
double flySpeed(const Camera& camera, double groundHeight, const CameraInput& input);

// Lifts the camera to kEyeHeight above `groundHeight` if it is below; for use after a move, with the new place's
// ground.
Camera aboveGround(Camera camera, double groundHeight);

// Moves from `from` to `to` in steps of a tenth of the height above ground; each ends at least kEyeHeight above the
// ground.  A step into a slope continues along the slope, but is no longer than a step in the air.  So a cliff is
// climbed gradually.  At most 256 steps: a longer way near the ground ends early.  The end lies below ceilingOver(),
// and its distance from the terrain's centre along each axis is at most four times the terrain's longer side, unless
// `from` is further out.
glm::dvec3 movedOverGround(const glm::dvec3& from, const glm::dvec3& to, const ViewSurroundings& around);

// Returns the highest place that keys and the wheel reach (metres above the sea).
double ceilingOver(const TerrainExtent& terrain);

// Returns the direction at `cursor` (in [-1, 1]², y up); its component along the view is 1.
glm::dvec3 rayAt(const Camera& camera, glm::dvec2 cursor, glm::dvec2 viewport);

// Returns the first point of the ground on a ray, to about a millimetre; nothing if the ray meets no ground within a
// few terrain sizes.  Assumes that no ground is higher than the larger of terrain.maxHeight and terrain.landHeight.
// May miss thin ground: see firstMetGround().  Cost: some hundred ground heights.  groundUnder() uses the ray through
// `cursor`.
std::optional<glm::dvec3> groundAlong(const glm::dvec3& origin, const glm::dvec3& direction, const GroundHeight& ground,
                                      const TerrainExtent& terrain);
std::optional<glm::dvec3> groundUnder(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around);

// Returns the turn (degrees: clockwise, and up) of a camera that looks around by dragging `pixels` (y downwards).  The
// scene follows the cursor: dragging to the right turns the camera to the left.  `inverted` (input.invert_drag): the
// other way.  Limits the yaw when looking nearly straight up or down.
glm::dvec2 lookTurn(glm::dvec2 pixels, double pitch, double fov, double viewportHeight, bool inverted);

// Moves towards or away from `target` by wheel notches, 15 % of the distance each; the target stays in place in the
// picture.
glm::dvec3 zoomed(const glm::dvec3& position, const glm::dvec3& target, double notches);

// Returns the wheel's target: the ground under the cursor, or a point on its ray if that is too far away or missing.
glm::dvec3 zoomTarget(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around);

// Returns the camera at the end of a flight to `spot` after a double click.  In flying mode it is at 0.3 of the
// distance, at least 8 m, and looks down at the spot.  In the map it is at half the height above it, at least 8 m.
Camera closeTo(const glm::dvec3& spot, const Camera& camera, bool map);

// ---- initial view of a session, also used by Home ----

// Returns the terrain's own home view, if it has one.  Otherwise the camera stands in the southern third of the
// terrain, above the ground there and ahead, and looks north and slightly down: near ground, relief and horizon.  The
// view's centre is moved to the middle of the area that no panel covers.  `fov`: degrees.  Cost: some hundred ground
// heights.
Camera homeView(const ViewSurroundings& around, double fov = 60.0);

// Returns a view of steep ground, ridges behind each other and an uneven skyline: the home view of a terrain of plains
// and mountains.  `size`: metres, east and north; `spacing`: metres between the samples of `ground`.  It faces
// north-west, or up to 90 degrees aside, since the sun of the default settings stands in the south-east. Deterministic.
// Cost: some 800,000 ground heights.
Camera viewOfRelief(const GroundHeight& ground, glm::dvec2 size, double spacing);

// ---- common to views of a plane and of the Earth ----

// Returns the first distance in [from, to] at which `above(distance)`, the ray's height above ground (metres), is not
// positive; to 2^-30 of the last step.  A step is a quarter of that height, but at least 5e-4 of the distance and 2 cm.
// It may pass through ground thinner than itself.  Cost: some hundred evaluations.
template <class Above>
std::optional<double> firstMetGround(double from, double to, const Above& above)
{
    constexpr double kStepOfHeight = 0.25, kLeastOfDistance = 5e-4, kLeastMetres = 0.02;
    constexpr int kHalvings = 30;  // bisections of the last step
    double before = from, distance = from, height = above(from);
    while (height > 0)
    {
        before = distance;
        distance += std::max({kStepOfHeight * height, kLeastOfDistance * distance, kLeastMetres});
        if (distance > to) return std::nullopt;
        height = above(distance);
    }
    for (int halving = 0; halving < kHalvings; ++halving)
    {
        const double middle = 0.5 * (before + distance);
        (above(middle) <= 0 ? distance : before) = middle;
    }
    return distance;
}

// Motion parameters of the view controllers.
namespace motion {

inline constexpr double kLongestFrame = 0.25;   // seconds: longer frames count as this, so the camera does not leap
inline constexpr double kStep = 1.0 / 120;      // seconds between samples of the ground
inline constexpr double kDriveSeconds = 0.12;   // time constant of acceleration
inline constexpr double kHeightSeconds = 0.35;  // time constant of the speed's reference height
inline constexpr double kZoomSeconds = 0.07;    // time constant of the wheel
inline constexpr double kLeastDrive = 0.002;    // share of full speed below which the camera stops
inline constexpr double kLeastZoom = 0.01;      // notches: a smaller remainder is applied at once
inline constexpr double kPacePerNotch = std::numbers::sqrt2, kMostPace = 16;  // speed factor per notch; its limit
inline constexpr double kMapZoomPerSecond = 0.9163;  // rate of the height's logarithm: a factor of 0.4 or 2.5 a second
inline constexpr double kHoldReach = 20;             // largest distance of a held point, in heights above ground

// Returns the remainder of an exponential decay after `seconds`.
inline double remaining(double seconds, double timeConstant) { return std::exp(-seconds / timeConstant); }

// Returns a smooth step from 0 to 1: speed and acceleration are 0 at both ends.
inline double eased(double t) { return t * t * t * (10 + t * (6 * t - 15)); }

}  // namespace motion

}  // namespace orogen
