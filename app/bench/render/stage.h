// A renderer without a window, for benchmarks of whole frames: a flight over its terrain, and the quality of its
// pictures along a camera path.
#pragma once

#include <cstdint>
#include <memory>

#include "app/gl/context.h"
#include "app/render/renderer.h"
#include "core/terrain/bounds/terrain_bounds.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"
#include "core/view/camera_flight.h"

namespace orogen::app::bench {

struct Ground
{
    Raster raster;
    HeightField field;
    TerrainBounds bounds;
};
// Loads a terrain into memory, with its error bounds. `dem`: file or synthetic name. Errors: those of loadRaster() and
// buildBounds().
Result<Ground> makeGround(const std::string& dem);

class Stage
{
public:
    static constexpr int kWidth = 640, kHeight = 360;

    // Creates a renderer that shows `ground`; `ground` is not needed afterwards. Errors: those of dataDirectory() and
    // Renderer.
    static Result<std::unique_ptr<Stage>> create(Context& context, const Ground& ground, const Settings& settings);

    // Returns the camera at t in [0, 1] of a level flight to the north-east, a tenth of the relief above the summit.
    Camera flight(double t) const;

    // Draws a frame and waits for the GPU; returns milliseconds by the CPU's clock.
    double draw(const Camera& camera);
    // Draws frames until the tree converges. Returns their number, at most 400; empty if the tree does not converge.
    std::optional<int> settle(const Camera& camera);
    int rounds() const { return rounds_; }  // tree updates since creation
    Renderer& renderer() { return *renderer_; }

private:
    std::unique_ptr<Renderer> renderer_;
    std::uint64_t frame_ = 0;
    int rounds_ = 0;
};

// Picture quality along a camera path: error against the elevation model, jumps between frames, and mesh faults.
struct PathQuality
{
    double largestJump = 0;       // pixels, between any two successive frames
    double jumpP99 = 0;           // pixels, 99th percentile of the frames' largest jumps
    double largestError = 0;      // pixels, in the frames that were checked
    double errorP99 = 0;          // pixels, largest of the checked frames' 99th percentiles
    std::uint64_t cracks = 0;     // faults of the mesh, in the frames that were checked
    double leaves = 0;            // mean number per frame
    int frames = 0, checked = 0;  // checked: frames whose error and mesh were checked, every tenth
};

// Starts with a converged tree in the path's first view, then draws `frames` frames of 1/60 s with one tree update
// each. Errors: those of the renderer's checks.
Result<PathQuality> qualityAlong(Stage& stage, const CameraFlight& flight, int frames);

}  // namespace orogen::app::bench
