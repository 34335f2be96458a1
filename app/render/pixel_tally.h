// A number for every pixel of a picture that shows ground, measured on the GPU from the picture's depth and summed up
// to its largest, its 99th percentile and its mean.
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

// A picture that was drawn: what its depth buffer means.
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
    // `shader` adds to the tally (shaders/ground_points.glsl).  `library` must outlive it and finish before measure().
    // Error kLimit: out of memory.
    static Result<PixelTally> create(ShaderLibrary& library, const std::string& name, const std::string& shader);

    // One thread a pixel.  What else the shader reads must be bound.  `before`: the camera of the frame that it is
    // compared with, where it is.
    void measure(const PictureView& picture, std::uint64_t frame, const std::optional<Camera>& before = {});

    // Figures, oldest first; waits for at most `nanoseconds`.
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

// Of a tally as the GPU wrote it.  The largest is exact, the others to 0.4 %: the middle of a bin stands for what is in
// it.  The percentile is the least value that 99 % of the pixels do not exceed.
PixelFigures figuresOf(const gpu::PixelTally& tally, const std::uint32_t* bins);

}  // namespace orogen::app
