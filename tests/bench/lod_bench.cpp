// What the tree's passes cost on a flight, with glFinish before and after each: the frame's own passes, nothing faked.
//
//     orogen_lod_bench [DEM] [FRAMES]        (synthetic:4096, 240 frames a depth)
//
// 640x360, patch level 3, a camera that moves every frame.  Prints, for each depth, medians and minima in milliseconds
// of update (mark, plan, apply), reduce, decode and their sum, beside the work: leaves, triangles, frames that changed.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "app/gl/context.h"
#include "app/paths.h"
#include "app/render/renderer.h"
#include "core/terrain/height_field.h"
#include "core/terrain/raster.h"

namespace orogen::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kPasses = 3;  // update, reduce, decode
constexpr int kWarmUp = 40;

struct Sample
{
    std::array<double, kPasses> ms{};
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

Status measure(Context& context, const Raster& raster, const HeightField& field, const HeightPyramid& pyramid,
               int depth, int frames)
{
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    Settings settings;
    settings.cbt.depth = depth;
    settings.patch.level = 3;
    Result<std::unique_ptr<Renderer>> made = Renderer::create(context, *root, settings);
    if (!made) return made.error();
    Renderer& renderer = **made;
    if (Status s = renderer.resize(640, 360); !s) return s;
    if (Status s = renderer.setTerrain(raster, field, pyramid); !s) return s;

    Sample now;
    Clock::time_point begin;
    renderer.timers().observe([&](GpuPass pass, bool begins) {
        if (std::size_t(pass) >= kPasses) return;
        glFinish();
        const Clock::time_point time = Clock::now();
        if (begins)
            begin = time;
        else
            now.ms[std::size_t(pass)] += std::chrono::duration<double, std::milli>(time - begin).count();
    });
    std::vector<Sample> samples;
    double leaves = 0, triangles = 0;
    int changed = 0;
    for (int frame = 0; frame < kWarmUp + frames; ++frame)
    {
        now = {};
        renderer.timers().beginFrame(std::uint64_t(frame));
        renderer.frame(cameraAt(std::max(frame - kWarmUp, 0), frames, renderer.terrain().extent()),
                       std::uint64_t(frame), 0);
        renderer.timers().endFrame();
        glFinish();
        renderer.collect(1'000'000'000);
        if (frame < kWarmUp) continue;
        const WorkCounters& work = renderer.stats().work;
        samples.push_back(now);
        leaves += work.leaves;
        triangles += double(work.triangles);
        changed += work.splits + work.merges > 0;
    }
    const auto column = [&](auto&& value) {
        std::vector<double> values;
        for (const Sample& sample : samples)
            values.push_back(value(sample));
        return values;
    };
    std::printf("%5d", depth);
    for (std::size_t pass = 0; pass < kPasses; ++pass)
        std::printf(" %8.3f", quantile(column([&](const Sample& s) { return s.ms[pass]; }), 0.5));
    const std::vector<double> sums = column([](const Sample& s) { return s.sum(); });
    std::printf(" %8.3f %8.3f %8.3f %8.0f %9.0f %6.0f %%\n", quantile(sums, 0.5), quantile(sums, 0.0),
                quantile(sums, 0.9), leaves / double(frames), triangles / double(frames), 100.0 * changed / frames);
    return Status::ok();
}

Status run(const std::string& dem, int frames)
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
    std::printf("%s on %s; %s, %d frames a depth; load %.2f\n", dem.c_str(), (*context)->info().renderer.c_str(),
                (*context)->info().version.c_str(), frames, load);
    std::printf("depth   update   reduce   decode      sum  minimum      p90   leaves triangles changed\n");
    for (const int depth : {12, 16, 20, 24, 26, 28})
        if (depth <= largestDepth((*context)->limits()))
            if (Status s = measure(**context, *raster, field, pyramid, depth, frames); !s) return s;
    return Status::ok();
}

}  // namespace
}  // namespace orogen::app

int main(int argc, char** argv)
{
    const orogen::Status status =
        orogen::app::run(argc > 1 ? argv[1] : "synthetic:4096", argc > 2 ? std::atoi(argv[2]) : 240);
    if (status) return 0;
    std::fprintf(stderr, "orogen_lod_bench: %s\n", status.error().message.c_str());
    return int(status.error().code);
}
