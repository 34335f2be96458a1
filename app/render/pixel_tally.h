// GPU measurement of one number per ground pixel of a picture, from its depth: maximum, 99th percentile and mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/readback.h"
#include "app/gl/shader_library.h"
#include "app/render/render_target.h"
#include "app/render/terrain_gpu.h"
#include "core/frames/sample/frame_stats.h"
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

class PixelTally
{
public:
    // `shader` writes the tally (shaders/ground_points.glsl).  `library` must outlive this object and finish before
    // measure().  Error kLimit: out of memory.
    static Result<PixelTally> create(ShaderLibrary& library, const std::string& name, const std::string& shader);

    // Runs one thread per pixel.  The shader's other inputs must be bound.  `before`: camera of the frame to compare
    // with.
    void measure(const PictureView& picture, std::uint64_t frame, const std::optional<Camera>& before = {});

    // Returns figures, oldest first; waits at most `nanoseconds`.
    std::optional<PixelFigures> poll(std::uint64_t nanoseconds = 0);
    int inFlight() const { return readback_.inFlight(); }
    std::uint64_t bytes() const { return tally_.bytes() + view_.bytes(); }

private:
    PixelTally() = default;
    void bindPicture(const PictureView& picture, const std::optional<Camera>& before);

    const ShaderLibrary* library_ = nullptr;
    ProgramHandle single_{}, multisampled_{};
    Buffer view_, tally_;
    ReadbackRing readback_;
};

// Evaluates a tally as written by the GPU.  The maximum is exact, the others are within 0.4 %, as the middle of a bin
// stands for its values.  The percentile is the smallest value that 99 % of the pixels do not exceed.
PixelFigures figuresOf(const gpu::PixelTally& tally, const std::uint32_t* bins);

}  // namespace orogen::app
