// The camera: position, orientation and projection.  Its control by keys and mouse is in navigation.h.
#pragma once

#include <array>
#include <functional>
#include <limits>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "core/settings.h"

namespace orogen {

inline constexpr double kEyeHeight = 2.0;  // metres above ground: the least height that keys and the mouse reach

// Metres and degrees.  On a plane: x east, y north of the terrain's centre, z above sea; on the Earth: earth_view.h.
struct Camera
{
    glm::dvec3 position{0.0};
    double yaw = 0.0;    // from north, clockwise
    double pitch = 0.0;  // up is positive; -90 looks straight down
    double fov = 60.0;   // vertical
    // Position of the view axis in the picture, in [-1, 1]², y up, 0 in the middle.  A shifted lens moves the
    // perspective within the picture without turning or scaling it.
    glm::dvec2 shift{0.0};

    bool operator==(const Camera&) const = default;
};

Camera cameraOf(const Settings::View& view);
double wrappedYaw(double degrees);  // returns the yaw within [0, 360)
// Stores a camera in the settings, except for its shift. The view's mode stays; the stored yaw is within [0, 360).
void storeCamera(const Camera& camera, Settings::View& view);

glm::dvec3 forward(const Camera& camera);  // unit vectors, right-handed: right x forward = up
glm::dvec3 right(const Camera& camera);
glm::dvec3 up(const Camera& camera);

// Camera matrices for shaders.  Camera-relative: the camera is the origin, so that floats stay precise near it.
struct Projection
{
    glm::mat4 clipFromRelative;  // reversed depth: 1 at nearPlane, 0 at infinity; clip z in [0, 1]
    glm::mat4 relativeFromClip;
    std::array<glm::vec4, 5> planes;  // left, right, bottom, top, near; inward, normalised, camera-relative
    float pixelsPerRadian = 0;        // focal length in pixels: viewport height / (2 tan(fov / 2))
};

// A part of a picture: shares of its width and height, from its lower left corner.
struct PicturePart
{
    double left = 0, bottom = 0, right = 1, top = 1;
    bool operator==(const PicturePart&) const = default;
};

// Returns the matrices for a picture of width x height pixels.  `nearPlane`: its distance (metres).  The planes enclose
// `part` of the picture.
Projection project(const Camera& camera, int width, int height, double nearPlane, const PicturePart& part = {});

struct TerrainExtent
{
    glm::dvec2 size{1.0};                 // metres, east and north
    double minHeight = 0, maxHeight = 0;  // metres, scaled as drawn
    // Land outside the terrain rises no higher than this or maxHeight (metres, scaled).
    double landHeight = -std::numeric_limits<double>::infinity();
};

// Height of the ground (metres, scaled as drawn) at (east, north); outside the terrain, that of the land drawn there,
// or of the terrain's nearest edge.
using GroundHeight = std::function<double(double east, double north)>;

// Returns the view of the whole terrain from straight above: the home view of map mode.  The terrain lies within
// `free`, the part of the picture that no panel covers; sides below 0.3 count as 0.3.  `aspect`: width / height of the
// picture; `fov`: degrees.
Camera homeMap(const TerrainExtent& terrain, double aspect, double fov = 60.0, const PicturePart& free = {});

// Returns the point of the ground on the view axis, to a millimetre or 10^-5 of its distance.  If the camera looks past
// the terrain: a point on the axis, as far away as the terrain's centre.
glm::dvec3 spotLookedAt(const Camera& camera, const GroundHeight& ground, const TerrainExtent& terrain);

// Convert a camera from flying to map mode and back.  The new view axis meets `spot` at the old camera's distance.
// toFly() takes yaw and pitch from `last`.  toFly(toMap(c, s), c, s) == c up to rounding if s lies on c's view axis.
Camera toMap(const Camera& fly, const glm::dvec3& spot);
Camera toFly(const Camera& map, const Camera& last, const glm::dvec3& spot);

}  // namespace orogen
