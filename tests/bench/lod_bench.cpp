// What the tree's passes and a whole frame cost on a flight, with glFinish before and after each: the frame's own
// passes, nothing faked.
//
//     orogen_lod_bench [DEM] [FRAMES] [SPLIT_PIXELS]        (synthetic:4096, 240 frames, 7 pixels)
//
// 640x360, patch level 3, a camera that moves every frame.  The depths take turns frame by frame, so that what else the
// machine does falls on all alike.  Prints, for each depth, medians in milliseconds of update (mark, plan, apply),
// reduce, decode, their sum and the frame, the last two also over those of depth 16, beside the work: leaves,
// triangles, frames that changed.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/base/paths.h"
#include "app/gl/context.h"
#include "app/render/renderer.h"
#include "core/terrain/bounds/height_pyramid.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/raster/height_field.h"
#include "core/terrain/raster/raster.h"

namespace orogen::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kPasses = 3;  // update, reduce, decode
constexpr int kWarmUp = 40;

struct Sample
{
    std::array<double, kPasses> ms{};
    double frame = 0;
    double sum() const { return ms[0] + ms[1] + ms[2]; }
};

double quantile(std::vector<double> values, double share)
{
    std::sort(values.begin(), values.end());
    return values[std::size_t(share * double(values.size() - 1))];
}

// A level flight towards the north-east at a tenth of the relief above the highest point.
Camera cameraAt(int frame, int frames, const TerrainExtent& terrain)
{
    const double t = double(frame) / double(frames);
    Camera camera;
    camera.position = {terrain.size.x * (-0.35 + 0.5 * t), terrain.size.y * (-0.4 + 0.45 * t),
                       terrain.maxHeight + 0.1 * (terrain.maxHeight - terrain.minHeight)};
    camera.yaw = 40 + 20 * std::sin(6.0 * t);
    camera.pitch = -14;
    return camera;
}

// A renderer of one depth, and what its frames took.
struct Contender
{
    int depth = 0;
    std::unique_ptr<Renderer> renderer;
    Sample now;
    Clock::time_point begin;
    std::vector<Sample> samples;
    double leaves = 0, triangles = 0;
    int changed = 0;
};

double msSince(Clock::time_point begin)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

Result<std::unique_ptr<Contender>> contender(Context& context, const Raster& raster, const HeightField& field,
                                             const HeightPyramid& pyramid, int depth, double splitPixels)
{
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    Settings settings;
    settings.cbt.depth = depth;
    settings.patch.level = 3;
    settings.lod.splitPixels = float(splitPixels);
    settings.lod.mergePixels = float(splitPixels * 3 / 7);
    auto made = std::make_unique<Contender>();
    made->depth = depth;
    Result<std::unique_ptr<Renderer>> renderer = Renderer::create(context, *root, settings);
    if (!renderer) return renderer.error();
    made->renderer = std::move(*renderer);
    if (Status s = made->renderer->resize(640, 360); !s) return s.error();
    if (Status s = made->renderer->setTerrain(raster, field, pyramid); !s) return s.error();
    made->renderer->timers().observe([made = made.get()](GpuPass pass, bool begins) {
        if (std::size_t(pass) >= kPasses) return;
        glFinish();
        if (begins)
            made->begin = Clock::now();
        else
            made->now.ms[std::size_t(pass)] += msSince(made->begin);
    });
    return made;
}

void runFrame(Contender& contender, int frame, int frames)
{
    Renderer& renderer = *contender.renderer;
    contender.now = {};
    glFinish();
    const Clock::time_point begin = Clock::now();
    renderer.timers().beginFrame(std::uint64_t(frame));
    renderer.frame(cameraAt(std::max(frame - kWarmUp, 0), frames, renderer.terrain().extent()), std::uint64_t(frame),
                   0);
    renderer.timers().endFrame();
    glFinish();
    contender.now.frame = msSince(begin);
    renderer.collect(1'000'000'000);
    if (frame < kWarmUp) return;
    const WorkCounters& work = renderer.stats().work;
    contender.samples.push_back(contender.now);
    contender.leaves += work.leaves;
    contender.triangles += double(work.triangles);
    contender.changed += work.splits + work.merges > 0;
}

double medianOf(const Contender& contender, const std::function<double(const Sample&)>& value)
{
    std::vector<double> values;
    for (const Sample& sample : contender.samples)
        values.push_back(value(sample));
    return quantile(std::move(values), 0.5);
}

double sumOf(const Sample& sample) { return sample.sum(); }
double frameOf(const Sample& sample) { return sample.frame; }

void print(const Contender& contender, const Contender& reference, int frames)
{
    std::printf("%5d", contender.depth);
    for (std::size_t pass = 0; pass < kPasses; ++pass)
        std::printf(" %8.3f", medianOf(contender, [pass](const Sample& s) { return s.ms[pass]; }));
    const double sum = medianOf(contender, sumOf), frame = medianOf(contender, frameOf);
    std::printf(" %8.3f %8.3f %7.2f %7.2f %8.0f %9.0f %6.0f %%\n", sum, frame, sum / medianOf(reference, sumOf),
                frame / medianOf(reference, frameOf), contender.leaves / frames, contender.triangles / frames,
                100.0 * contender.changed / frames);
}

Status run(const std::string& dem, int frames, double splitPixels)
{
    ContextOptions options;
    options.headless = true;
    Result<std::unique_ptr<Context>> context = Context::create(options);
    if (!context) return context.error();
    Result<Raster> raster = loadRaster(dem);
    if (!raster) return raster.error();
    const HeightField field = quantise(*raster);
    const HeightPyramid pyramid = buildPyramid(field);
    double load = 0;
    if (getloadavg(&load, 1) != 1) load = -1;
    std::vector<std::unique_ptr<Contender>> contenders;
    for (const int depth : {16, 12, 20, 24, 26, 28})  // the first is the reference
    {
        if (depth > largestDepth((*context)->limits())) continue;
        Result<std::unique_ptr<Contender>> made = contender(**context, *raster, field, pyramid, depth, splitPixels);
        if (!made) return made.error();
        contenders.push_back(std::move(*made));
    }
    for (int frame = 0; frame < kWarmUp + frames; ++frame)
        for (const auto& one : contenders)
            runFrame(*one, frame, frames);
    std::printf("%s on %s; %s, %d frames a depth; load %.2f\n", dem.c_str(), (*context)->info().renderer.c_str(),
                (*context)->info().version.c_str(), frames, load);
    std::printf("depth   update   reduce   decode      sum    frame  sum/16 frame/16  leaves triangles changed\n");
    for (const auto& one : contenders)
        print(*one, *contenders.front(), frames);
    return Status::ok();
}

}  // namespace
}  // namespace orogen::app

int main(int argc, char** argv)
{
    const orogen::Status status = orogen::app::run(
        argc > 1 ? argv[1] : "synthetic:4096", argc > 2 ? std::atoi(argv[2]) : 240, argc > 3 ? std::atof(argv[3]) : 7);
    if (status) return 0;
    std::fprintf(stderr, "orogen_lod_bench: %s\n", status.error().message.c_str());
    return int(status.error().code);
}
