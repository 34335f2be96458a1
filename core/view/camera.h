// The camera: where it is, what it sees, and how keys and the mouse move it.
#pragma once

#include <array>

#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

namespace orogen {

// World: x east, y north from the terrain's centre, z up from the sea; metres.  Orientation in degrees.
struct Camera
{
    glm::dvec3 position{0.0};
    double yaw = 0.0;    // from north, clockwise
    double pitch = 0.0;  // up is positive; -90 looks straight down
    double fov = 60.0;   // vertical

    bool operator==(const Camera&) const = default;
};

glm::dvec3 forward(const Camera& camera);  // unit vectors, right-handed: right x forward = up
glm::dvec3 right(const Camera& camera);
glm::dvec3 up(const Camera& camera);

// What shaders get.  Camera-relative: the camera is the origin, so that floats stay exact near it.
struct Projection
{
    glm::mat4 clipFromRelative;          // reversed depth: 1 at nearPlane, 0 at infinity; clip z in [0, 1]
    glm::mat4 relativeFromClip;
    std::array<glm::vec4, 5> planes;     // left, right, bottom, top, near; inward, normalised, camera-relative
    float pixelsPerRadian = 0;           // focal length in pixels: viewport height / (2 tan(fov / 2))
};
Projection project(const Camera& camera, int width, int height, double nearPlane);

// Held keys and mouse motion of one frame, already mapped; every component in [-1, 1] except the mouse's.
struct CameraInput
{
    double forward = 0, right = 0, up = 0;
    double turnX = 0, turnY = 0;  // pixels dragged with the look button
    double panX = 0, panY = 0;    // pixels dragged with the pan button
    double zoom = 0;              // wheel notches
    bool fast = false, slow = false;
};

struct TerrainExtent
{
    glm::dvec2 size{1.0};          // metres, east and north
    double minHeight = 0, maxHeight = 0;  // metres, scaled as drawn
};

// Moves a flying camera: speed follows the height above `groundHeight`, so that one key serves 2 m and 20 km.  Never
// below ground.  `seconds` is the frame's time, at most 0.1 is used.
Camera flown(Camera camera, const CameraInput& input, double seconds, double groundHeight, const TerrainExtent& terrain);

// Moves a map camera (north up, straight down, zoom towards `cursor` in [-1, 1]² by the wheel, drag to pan).
Camera mapped(Camera camera, const CameraInput& input, double seconds, const TerrainExtent& terrain,
              glm::dvec2 cursor, double aspect);

// Where a session starts and Home returns to: the whole terrain in view, from the south, looking slightly down.
Camera homeView(const TerrainExtent& terrain, double aspect);
Camera homeMap(const TerrainExtent& terrain, double aspect);

}  // namespace orogen
