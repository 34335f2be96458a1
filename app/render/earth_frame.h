// Per-frame uniforms of the Earth: camera position and axes, sun direction, atmosphere.
#pragma once

#include <optional>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "app/gl/objects.h"
#include "core/gpu_layout.h"
#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen::app {

// A camera on the Earth.  Its position is earth-fixed (metres); yaw and pitch refer to its local north and horizon.
struct EarthFrame
{
    Camera camera;
    std::optional<Camera> frozen;  // camera of the triangulation, if it differs from `camera`
    int width = 0, height = 0;     // pixels
};

// Returns the unit vector towards the sun, earth-fixed.  Azimuth and elevation refer to the place where the line of
// sight comes closest to the Earth.  That place is limited to the camera's height from the point below the camera, so
// the sun stands still for a viewer who looks around on the ground.  Continuous in the camera.
glm::dvec3 sunOnEarth(const Settings::Render& render, const Camera& camera);

gpu::EarthUniforms earthUniforms(const EarthFrame& frame, const Settings& settings);
gpu::AirUniforms airUniforms(const Camera& camera, const Settings& settings);

// Converts a plane of a camera's frustum (see Projection) to earth-fixed axes; the origin stays at the camera.
glm::vec4 inEarthAxes(const glm::vec4& plane, const Camera& camera);
// Converts a plane in the axes of camera `of`, relative to it, to the axes of camera `from`, relative to that.
glm::vec4 seenFrom(const glm::vec4& plane, const Camera& of, const Camera& from);

// Uniform buffers of the Earth and its atmosphere.
class EarthBlocks
{
public:
    static Result<EarthBlocks> create();
    void write(const gpu::EarthUniforms& earth, const gpu::AirUniforms& air) const;
    void bind() const;

private:
    Buffer earth_, air_;
};

}  // namespace orogen::app
