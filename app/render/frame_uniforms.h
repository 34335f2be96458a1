// Per-frame uniforms: camera, picture, thresholds of the level of detail.
#pragma once

#include <cstdint>
#include <optional>

#include "app/render/terrain_gpu.h"
#include "app/render/terrain_picture.h"
#include "core/gpu_layout.h"
#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen::app {

class RenderWorld;

// A camera and the size of its picture.  On the Earth the camera's position is earth-fixed (metres); its yaw and pitch
// refer to north and the horizon at that position.
struct FrameView
{
    static constexpr double kNearPlane = 0.2;  // metres; a reversed float depth buffer has ample precision

    const RenderWorld& world;
    Camera camera;
    std::optional<Camera> frozen;  // camera for which the tree was frozen (lod.frozen); empty: not frozen
    int width = 0, height = 0;     // pixels
    PicturePart seen;              // the part of the picture that will be visible
};

// Ratio of the merge to the split threshold for the criterion `error`, and the least ratio for both criteria under a
// frame time budget.  Must equal kLodTightMerge of lod_threshold.glsl, which applies under a triangle budget and while
// the tree is full.  morphedHeight() of drawn_surface.glsl explains why a smaller ratio would exceed kErrorMargin.
inline constexpr float kTightMerge = 0.97f;

// Returns the uniforms of a frame.  The caller sets the exposure, and detailPerEdge if it is limited.  `leafCapacity`:
// Triangulation::mostLeaves().  `triangleBudget`: triangles in view; 0: no limit.
gpu::FrameUniforms frameUniforms(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                                 std::uint32_t leafCapacity, float triangleBudget);

// Returns the frustum of the frozen camera, which must be set: eye and far corners, relative to the current camera
// (metres).
FrustumCorners frozenFrustum(const FrameView& view, const TerrainGpu& terrain);

}  // namespace orogen::app
