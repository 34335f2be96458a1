// Per-frame uniforms: camera, picture, thresholds of the level of detail, sun; on the Earth also axes and atmosphere.
#pragma once

#include <cstdint>
#include <optional>

#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "app/gl/objects.h"
#include "app/render/terrain_gpu.h"
#include "app/render/terrain_picture.h"
#include "core/gpu_layout.h"
#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen::app {

// Least camera height (metres) that is used where a distance on the Earth is proportional to it.
inline constexpr double kLowCamera = 2000;

// A camera and the size of its picture.  On the Earth its position is earth-fixed (metres); yaw and pitch refer to its
// local north and horizon.
struct FrameView
{
    static constexpr double kNearPlane = 0.2;  // metres; a reversed float depth buffer has ample precision

    Camera camera;
    std::optional<Camera> frozen;  // camera for which the tree was frozen (lod.frozen); empty: not frozen
    int width = 0, height = 0;     // pixels
};

// Returns the length of the legs of the smallest triangles that these settings can draw (metres).
float finestLeg(const Settings& settings, const TerrainGpu& terrain);

// `leafCapacity`: Triangulation::mostLeaves().  `triangleBudget`: triangles in view; 0: no limit.
gpu::FrameUniforms frameUniforms(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                                 std::uint32_t leafCapacity, float triangleBudget);

// Returns the corners of the frozen camera's frustum.
FrustumCorners frozenFrustum(const FrameView& view, const TerrainGpu& terrain);

// Returns the unit vector towards the sun over planar terrain.
glm::vec3 sunOnPlane(const Settings::Render& render);

// Returns the unit vector towards the sun, earth-fixed.  Azimuth and elevation refer to the place where the line of
// sight comes closest to the Earth.  That place is limited to the camera's height from the point below the camera, so
// the sun stands still for a viewer who looks around on the ground.  Continuous in the camera.
glm::dvec3 sunOnEarth(const Settings::Render& render, const Camera& camera);

gpu::EarthUniforms earthUniforms(const FrameView& view, const Settings& settings);
gpu::AirUniforms airUniforms(const Camera& camera, const Settings& settings);

// Converts a plane of a camera's frustum (see Projection) to earth-fixed axes; the origin stays at the camera.
glm::vec4 inEarthAxes(const glm::vec4& plane, const Camera& camera);

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
