#include "app/bench/render/stage.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/base/installation.h"
#include "core/terrain/io/load_raster.h"

namespace orogen::app::bench {
namespace {

constexpr int kMostSettlingFrames = 400;
constexpr std::uint64_t kPatience = 2'000'000'000;  // longest wait for a frame's counters (nanoseconds)

}  // namespace

Result<Ground> makeGround(const std::string& dem)
{
    Result<Raster> raster = loadRaster(dem);
    if (!raster) return raster.error();
    Ground ground;
    ground.field = quantise(*raster);
    Result<TerrainBounds> bounds = buildBounds(ground.field);
    if (!bounds) return bounds.error();
    ground.bounds = std::move(*bounds);
    ground.raster = std::move(*raster);
    return ground;
}

Result<std::unique_ptr<Stage>> Stage::create(Context& context, const Ground& ground, const Settings& settings)
{
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    auto stage = std::make_unique<Stage>();
    Result<std::unique_ptr<Renderer>> renderer = Renderer::create(context, *root, settings);
    if (!renderer) return renderer.error();
    stage->renderer_ = std::move(*renderer);
    if (Status s = stage->renderer_->resize(kWidth, kHeight); !s) return s.error();
    if (Status s = stage->renderer_->setTerrain(ground.raster, ground.field, ground.bounds); !s) return s.error();
    stage->renderer_->timers().observe(
        [stage = stage.get()](GpuPass pass, bool begins) { stage->rounds_ += pass == GpuPass::kUpdate && begins; });
    return stage;
}

Camera Stage::flight(double t) const
{
    const TerrainExtent& terrain = renderer_->terrain().extent();
    Camera camera;
    camera.position = {terrain.size.x * (-0.35 + 0.5 * t), terrain.size.y * (-0.4 + 0.45 * t),
                       terrain.maxHeight + 0.1 * (terrain.maxHeight - terrain.minHeight)};
    camera.yaw = 40 + 20 * std::sin(6.0 * t);
    camera.pitch = -14;
    return camera;
}

double Stage::draw(const Camera& camera)
{
    using Clock = std::chrono::steady_clock;
    glFinish();
    const Clock::time_point begin = Clock::now();
    renderer_->timers().beginFrame(frame_);
    renderer_->frame(camera, frame_++, 0);
    renderer_->timers().endFrame();
    glFinish();
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    renderer_->collect(kPatience);
    return ms;
}

std::optional<int> Stage::settle(const Camera& camera)
{
    for (int frames = 1; frames <= kMostSettlingFrames; ++frames)
    {
        (void)draw(camera);
        if (renderer_->stats().settled) return frames;
    }
    return std::nullopt;
}

// ---- quality along a path ----

namespace {

constexpr double kStep = 1.0 / 60.0;  // seconds between frames of the flight
constexpr int kCheckEvery = 10;       // frames between checks of error and mesh

Status check(Renderer& renderer, PathQuality& quality)
{
    const Result<PixelFigures> error = renderer.checks().measureErrorNow();
    if (!error) return error.error();
    quality.largestError = std::max(quality.largestError, error->largest);
    quality.errorP99 = std::max(quality.errorP99, error->p99);
    const Result<MeshVerdict> mesh = renderer.checks().validateNow();
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
    if (Status s = renderer.checks().measureJumps(true); !s) return s.error();
    (void)stage.draw(flight.at(0, kStep));
    (void)renderer.checks().takeLargestJump();
    PathQuality quality;
    std::vector<double> jumps;
    for (int frame = 1; frame <= frames; ++frame)
    {
        (void)stage.draw(flight.at(std::uint64_t(frame), kStep));
        jumps.push_back(renderer.checks().takeLargestJump().value_or(0.0));
        quality.leaves += double(renderer.stats().work.leaves) / frames;
        if (frame % kCheckEvery == 0)
            if (Status s = check(renderer, quality); !s) return s.error();
    }
    quality.frames = frames;
    std::ranges::sort(jumps);
    quality.largestJump = jumps.empty() ? 0.0 : jumps.back();
    quality.jumpP99 = jumps.empty() ? 0.0 : jumps[std::size_t(0.99 * double(jumps.size() - 1))];
    if (Status s = renderer.checks().measureJumps(false); !s) return s.error();
    return quality;
}

}  // namespace orogen::app::bench
