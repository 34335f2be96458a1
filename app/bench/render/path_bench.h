// How good the picture is along a camera path: how far what is drawn lies from the elevation model, how much it jumps
// from frame to frame, and whether the mesh is whole.
#pragma once

#include <cstdint>

#include "app/bench/render/stage.h"
#include "core/view/camera_flight.h"

namespace orogen::app::bench {

struct PathQuality
{
    double largestJump = 0;       // pixels, between any two frames of the path
    double jumpP99 = 0;           // of the frames' largest jumps
    double largestError = 0;      // pixels, of the frames in which it was measured
    double errorP99 = 0;          // the largest of these frames' 99th percentiles
    std::uint64_t cracks = 0;     // faults of the mesh, of the frames in which it was validated
    double leaves = 0;            // mean
    int frames = 0, checked = 0;  // checked: error and mesh, every tenth frame
};

// Begins with the tree at rest in the path's first view; then `frames` frames of a 60th of a second, a round of the
// tree's update each.  Errors: those of the renderer's checks.
Result<PathQuality> qualityAlong(Stage& stage, const CameraFlight& flight, int frames);

}  // namespace orogen::app::bench
