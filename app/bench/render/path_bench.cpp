#include "app/bench/render/path_bench.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace orogen::app::bench {
namespace {

constexpr double kStep = 1.0 / 60.0;  // seconds
constexpr int kCheckEvery = 10;       // frames

Status check(Renderer& renderer, PathQuality& quality)
{
    const Result<PixelFigures> error = renderer.measureErrorNow();
    if (!error) return error.error();
    quality.largestError = std::max(quality.largestError, error->largest);
    quality.errorP99 = std::max(quality.errorP99, error->p99);
    const Result<MeshVerdict> mesh = renderer.validateNow();
    if (!mesh) return mesh.error();
    quality.cracks += mesh->faults;
    ++quality.checked;
    return Status::ok();
}

}  // namespace

Result<PathQuality> qualityAlong(Stage& stage, const CameraFlight& flight, int frames)
{
    Renderer& renderer = stage.renderer();
    (void)stage.settle(flight.at(0, kStep));
    if (Status s = renderer.measureJumps(true); !s) return s.error();
    (void)stage.draw(flight.at(0, kStep));
    (void)renderer.takeLargestJump();
    PathQuality quality;
    std::vector<double> jumps;
    for (int frame = 1; frame <= frames; ++frame)
    {
        (void)stage.draw(flight.at(std::uint64_t(frame), kStep));
        jumps.push_back(renderer.takeLargestJump().value_or(0.0));
        quality.leaves += double(renderer.stats().work.leaves) / frames;
        if (frame % kCheckEvery == 0)
            if (Status s = check(renderer, quality); !s) return s.error();
    }
    quality.frames = frames;
    std::ranges::sort(jumps);
    quality.largestJump = jumps.empty() ? 0.0 : jumps.back();
    quality.jumpP99 = jumps.empty() ? 0.0 : jumps[std::size_t(0.99 * double(jumps.size() - 1))];
    if (Status s = renderer.measureJumps(false); !s) return s.error();
    return quality;
}

}  // namespace orogen::app::bench
