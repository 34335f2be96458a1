// Benchmark of the tree's passes and a whole frame on a flight, with glFinish before and after each pass of the real
// frame.
//
//     orogen_lod_bench [DEM] [FRAMES] [SPLIT_PIXELS]        (synthetic:4096, 240 frames, 7 pixels)
//
// 640x360, patch level 3, a camera that moves every frame. Depths are interleaved frame by frame, so that other load
// affects all alike. Prints medians (milliseconds) for each depth: update (mark, plan, apply), reduce, decode, their
// sum and the frame. The last two are also given relative to depth 16. Prints the work as well: leaves, triangles,
// frames that changed.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/base/installation.h"
#include "app/bench/harness/interleaved_trials.h"
#include "app/gl/context.h"
#include "app/render/lod_tree.h"
#include "app/render/renderer.h"
#include "core/terrain/bounds/terrain_bounds.h"
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

// Returns a camera on a level flight to the north-east, a tenth of the relief above the highest point.
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

// Renderer of one depth, with its measured times.
struct Flight
{
    int depth = 0, frame = 0;  // next frame
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

Result<std::unique_ptr<Flight>> flightOf(Context& context, const Raster& raster, const HeightField& field,
                                         const TerrainBounds& bounds, int depth, double splitPixels)
{
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    Settings settings;
    settings.cbt.depth = depth;
    settings.patch.level = 3;
    settings.lod.splitPixels = float(splitPixels);
    settings.lod.mergePixels = float(splitPixels * 3 / 7);
    auto made = std::make_unique<Flight>();
    made->depth = depth;
    Result<std::unique_ptr<Renderer>> renderer = Renderer::create(context, *root, settings);
    if (!renderer) return renderer.error();
    made->renderer = std::move(*renderer);
    if (Status s = made->renderer->resize(640, 360); !s) return s.error();
    if (Status s = made->renderer->setTerrain(raster, field, bounds); !s) return s.error();
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

// Returns milliseconds.
double flyOneFrame(Flight& flight, int frames)
{
    Renderer& renderer = *flight.renderer;
    const int frame = flight.frame++;
    flight.now = {};
    glFinish();
    const Clock::time_point begin = Clock::now();
    renderer.timers().beginFrame(std::uint64_t(frame));
    renderer.frame(cameraAt(std::max(frame - kWarmUp, 0), frames, renderer.terrain().extent()), std::uint64_t(frame),
                   0);
    renderer.timers().endFrame();
    glFinish();
    flight.now.frame = msSince(begin);
    renderer.collect(1'000'000'000);
    if (frame < kWarmUp) return flight.now.frame;
    const WorkCounters& work = renderer.stats().work;
    flight.samples.push_back(flight.now);
    flight.leaves += work.leaves;
    flight.triangles += double(work.triangles);
    flight.changed += work.splits + work.merges > 0;
    return flight.now.frame;
}

// Flies all depths, frame by frame.
Status fly(const std::vector<std::unique_ptr<Flight>>& flights, int frames)
{
    std::vector<bench::Contender> contenders;
    for (const auto& flight : flights)
        contenders.push_back(
            {.section = [&flight, frames]() -> Result<double> { return flyOneFrame(*flight, frames); }});
    const auto timings =
        timeInterleaved(std::move(contenders), {.warmUpRounds = kWarmUp, .leastRounds = frames, .mostRounds = frames});
    return timings ? Status::ok() : timings.error();
}

double medianOf(const Flight& flight, const std::function<double(const Sample&)>& value)
{
    std::vector<double> values;
    for (const Sample& sample : flight.samples)
        values.push_back(value(sample));
    return bench::medianOf(std::move(values));
}

double sumOf(const Sample& sample) { return sample.sum(); }
double frameOf(const Sample& sample) { return sample.frame; }

void print(const Flight& flight, const Flight& reference, int frames)
{
    std::printf("%5d", flight.depth);
    for (std::size_t pass = 0; pass < kPasses; ++pass)
        std::printf(" %8.3f", medianOf(flight, [pass](const Sample& s) { return s.ms[pass]; }));
    const double sum = medianOf(flight, sumOf), frame = medianOf(flight, frameOf);
    std::printf(" %8.3f %8.3f %7.2f %7.2f %8.0f %9.0f %6.0f %%\n", sum, frame, sum / medianOf(reference, sumOf),
                frame / medianOf(reference, frameOf), flight.leaves / frames, flight.triangles / frames,
                100.0 * flight.changed / frames);
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
    const Result<TerrainBounds> bounds = buildBounds(field);
    if (!bounds) return bounds.error();
    double load = 0;
    if (getloadavg(&load, 1) != 1) load = -1;
    std::vector<std::unique_ptr<Flight>> flights;
    for (const int depth : {16, 12, 20, 24, 26, 28})  // the first is the reference
    {
        if (depth > largestDepth((*context)->limits())) continue;
        Result<std::unique_ptr<Flight>> made = flightOf(**context, *raster, field, *bounds, depth, splitPixels);
        if (!made) return made.error();
        flights.push_back(std::move(*made));
    }
    if (Status status = fly(flights, frames); !status) return status;
    std::printf("%s on %s; %s, %d frames a depth; load %.2f\n", dem.c_str(), (*context)->info().renderer.c_str(),
                (*context)->info().version.c_str(), frames, load);
    std::printf("depth   update   reduce   decode      sum    frame  sum/16 frame/16  leaves triangles changed\n");
    for (const auto& one : flights)
        print(*one, *flights.front(), frames);
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
