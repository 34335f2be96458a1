// What the shaders are told of the Earth in a frame: where the camera is, how its axes lie, and how the sun shines.
#pragma once

#include <optional>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "app/gl/objects.h"
#include "core/gpu_layout.h"
#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen::app {

// A camera on the Earth: its position is earth-fixed, yaw and pitch count from its own north and horizon.
struct EarthFrame
{
    Camera camera;
    std::optional<Camera> frozen;  // that the triangulation was made for, where it is not the present one
    int width = 0, height = 0;     // of the picture
};

// Towards the sun, earth-fixed, unit.  Azimuth and elevation are those at the place that the camera looks at: where its
// line of sight comes closest to the Earth, but no farther from the point below the camera than the camera is high, so
// that the sun stands still for who looks around on the ground.  Continuous in the camera.
glm::dvec3 sunOnEarth(const Settings::Render& render, const Camera& camera);

gpu::EarthUniforms earthUniforms(const EarthFrame& frame, const Settings& settings);
gpu::AirUniforms airUniforms(const Camera& camera, const Settings& settings);

// A plane of a camera's frustum (as in Projection) in earth-fixed axes, from the same camera.
glm::vec4 inEarthAxes(const glm::vec4& plane, const Camera& camera);
// A plane relative to one camera, in the axes of another and relative to that.
glm::vec4 seenFrom(const glm::vec4& plane, const Camera& of, const Camera& from);

// The blocks on the GPU.
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
