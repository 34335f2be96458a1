// The frame that a renderer drew last, for checks and inspections.
#pragma once

#include <cstdint>
#include <functional>

#include "app/render/drawn_mesh.h"
#include "app/render/render_target.h"
#include "app/render/terrain_gpu.h"
#include "app/render/triangulation.h"
#include "core/frames/sample/frame_record.h"
#include "core/settings.h"
#include "core/view/camera.h"

namespace orogen::app {

// A drawn picture and the camera that its depth refers to.
struct PictureView
{
    const RenderTarget& target;
    const TerrainGpu& terrain;
    Camera camera;
    double nearPlane = 0;  // metres
};

struct DrawnFrame
{
    std::uint64_t number = 0;
    PictureView view;
    Triangulation& tree;
    const PatchMesh& patch;
    const Settings& settings;
    FrameHistory* history = nullptr;   // FrameOptions::history
    std::function<void()> drawGround;  // draws the ground again, since sky and water have changed the depth buffer
    std::function<void()> drawRest;    // draws all that follows the ground, and resolves the picture
};

// Completes the last frame, binds its uniforms and textures, and returns it.  Requires a terrain and a drawn frame.
using LastFrame = std::function<DrawnFrame()>;

}  // namespace orogen::app
