// orogen bench render: cost and benefit of level of detail, with and without each of its parts, in one run. A round is
// one update of the triangulation (app/render/leaf_rounds.h).
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/bench/harness/bench.h"
#include "app/bench/render/mark_bench.h"
#include "app/bench/render/stage.h"
#include "core/leb/leb.h"
#include "core/leb/round.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/earth/earth_source.h"
#include "core/terrain/tiles/tile_cache.h"

namespace orogen::app::bench {
namespace {

constexpr int kFlightWarmUpFrames = 24;
constexpr std::uint64_t kEarthTileBytes = 256u << 20;
constexpr double kFlightStep = 1.0 / 2400;  // fraction of the flight per frame

// Context and terrain that several cases share; the first of these cases creates them.
struct Scene
{
    std::string dem;
    std::unique_ptr<Context> context;
    std::optional<Ground> ground;
};

Status open(Scene& scene)
{
    if (scene.context) return Status::ok();
    ContextOptions options;
    options.headless = true;
    Result<std::unique_ptr<Context>> context = Context::create(options);
    if (!context) return context.error();
    Result<Ground> ground = makeGround(scene.dem);
    if (!ground) return ground.error();
    scene.ground.emplace(std::move(*ground));
    scene.context = std::move(*context);
    return Status::ok();
}

// ---- frames of a slow flight, with one part on or off ----

struct FrameVariant
{
    const char* name;
    void (*set)(Settings& settings);
    Status (*prepare)(Renderer& renderer);
};

Status nothing(Renderer&) { return Status::ok(); }
Status validated(Renderer& renderer) { return renderer.checks().validateEachFrame(true); }

constexpr FrameVariant kFrames[] = {
    {"edge", [](Settings& s) { s.lod.geomorph = false; }, nothing},
    {"edge, geomorph", [](Settings&) {}, nothing},
    {"edge, geomorph, validated", [](Settings&) {}, validated},
    {"error", [](Settings& s) { s.lod.criterion = LodCriterion::kError, s.lod.geomorph = false; }, nothing},
    {"error, geomorph", [](Settings& s) { s.lod.criterion = LodCriterion::kError; }, nothing},
};

constexpr std::size_t kQuickFrames = 3;  // number of variants with --quick, since each variant compiles its shaders

struct Flown
{
    std::unique_ptr<Stage> stage;
    int frame = 0;
    double triangles = 0, leaves = 0;
};

double flyOn(Flown& flown)
{
    const double ms = flown.stage->draw(flown.stage->flight(0.2 + kFlightStep * flown.frame++));
    const WorkCounters& work = flown.stage->renderer().stats().work;
    flown.triangles = double(work.triangles);
    flown.leaves = double(work.leaves);
    return ms;
}

Status measureFrames(Scene& scene, bool quick, BenchRun& run, std::size_t table)
{
    if (Status s = open(scene); !s) return s;
    std::vector<Flown> flights(quick ? kQuickFrames : std::size(kFrames));
    std::vector<Contender> contenders;
    for (std::size_t i = 0; i < flights.size(); ++i)
    {
        Settings settings;
        settings.cbt.depth = 20;
        kFrames[i].set(settings);
        Result<std::unique_ptr<Stage>> stage = Stage::create(*scene.context, *scene.ground, settings);
        if (!stage) return stage.error();
        flights[i].stage = std::move(*stage);
        if (Status s = kFrames[i].prepare(flights[i].stage->renderer()); !s) return s;
        contenders.push_back({.section = [&flown = flights[i]]() -> Result<double> { return flyOn(flown); }});
    }
    run.head()["gpu"] = scene.context->info().renderer;
    const int frames = quick ? 12 : 120;
    const Result<std::vector<Timing>> timings =
        run.time("frames", std::move(contenders),
                 {.warmUpRounds = kFlightWarmUpFrames, .leastRounds = frames, .mostRounds = frames});
    if (!timings) return timings.error();
    for (std::size_t i = 0; i < flights.size(); ++i)
    {
        Json row = {{"variant", kFrames[i].name},
                    {"leaves", flights[i].leaves},
                    {"triangles", flights[i].triangles},
                    {"check", nullptr}};
        addPair(row, (*timings)[i], timings->front(), "edge");
        run.add(std::move(row), table);
    }
    return Status::ok();
}

// ---- rounds until the tree converges ----

// Requests a single leaf at `depth`. Returns the number of rounds until that leaf exists; null if it does not exist
// after 1000 rounds. Without `wholePaths`, each round has room for only two splits: those of a leaf and of the leaf
// across its base.
Json roundsOfALoneWish(int depth, bool wholePaths)
{
    Cbt tree(depth, 1);
    const NodeId target = (NodeId(1) << depth) + (NodeId(1) << depth) / 3;
    const auto wish = [&](NodeId leaf) {
        const int above = depth - depthOf(leaf);
        return leb::Wish{.split = above > 0 && target >> above == leaf};
    };
    SerialExecutor executor;
    for (int rounds = 0; rounds < 1'000; ++rounds)
    {
        const NodeId capacity = wholePaths ? NodeId(1) << 30 : tree.leafCount() + 2;
        if (leb::runRound(tree, capacity, wish, executor).requested == 0) return rounds;
    }
    return nullptr;
}

Status measureLoneWish(bool quick, BenchRun& run, std::size_t table)
{
    for (const int depth : quick ? std::vector{12} : std::vector{12, 16, 20, 24})
        for (const bool wholePaths : {false, true})
            run.add({{"what", fmt::format("a lone wish, D = {}", depth)},
                     {"variant", wholePaths ? "whole paths" : "pairs"},
                     {"rounds", roundsOfALoneWish(depth, wholePaths)},
                     {"leaves", nullptr},
                     {"check", nullptr}},
                    table);
    return Status::ok();
}

Status measureJump(Scene& scene, BenchRun& run, std::size_t table)
{
    if (Status s = open(scene); !s) return s;
    Settings settings;
    settings.cbt.depth = 24;
    Result<std::unique_ptr<Stage>> stage = Stage::create(*scene.context, *scene.ground, settings);
    if (!stage) return stage.error();
    const auto settled = [&](double t) -> Json {
        const int before = (*stage)->rounds();
        if (!(*stage)->settle((*stage)->flight(t))) return nullptr;
        return (*stage)->rounds() - before;
    };
    for (const auto& [what, t] : {std::pair{"the first view", 0.1}, {"a jump of the camera", 0.9}})
    {
        const Json rounds = settled(t);
        run.add({{"what", what},
                 {"variant", "whole paths"},
                 {"rounds", rounds},
                 {"leaves", (*stage)->renderer().stats().work.leaves},
                 {"check", nullptr}},
                table);
    }
    return Status::ok();
}

// ---- first pass of a round: decisions (verdicts) on all leaves, or only where the cached one has expired ----

Status measureMark(Scene& scene, bool quick, BenchRun& run, std::size_t table)
{
    if (Status s = open(scene); !s) return s;
    Settings settings;
    settings.cbt.depth = 24;
    settings.patch.level = 0;  // draws each leaf as one triangle, so that the same picture needs many leaves
    settings.lod.splitPixels = 5.0f;
    settings.lod.mergePixels = settings.lod.splitPixels * 3 / 7;
    Result<std::unique_ptr<Stage>> stage = Stage::create(*scene.context, *scene.ground, settings);
    if (!stage) return stage.error();
    const double slowly = kFlightStep / 20;  // about 0.6 m per frame: synthetic landscapes are 41 km wide
    const Camera from = (*stage)->flight(0.2), to = (*stage)->flight(0.2 + (quick ? 10 : 40) * slowly);
    const Result<MarkCost> cost = markCost((*stage)->renderer(), from, to, quick ? 10 : 40);
    if (!cost) return cost.error();
    const std::pair<const char*, const Timing*> rows[] = {{"every leaf evaluated", &cost->evaluated},
                                                          {"verdicts kept", &cost->kept}};
    for (const auto& [name, timing] : rows)
    {
        Json row = {{"variant", name}, {"leaves", cost->leaves}, {"check", cost->sameDecisions}};
        addPair(row, *timing, cost->evaluated, "evaluated");
        run.add(std::move(row), table);
    }
    return Status::ok();
}

// ---- fixed workloads for comparing GPUs ----

// Size of the workloads by which GPUs are compared (judged).
struct Judged
{
    std::string dem;
    double leaves;  // approximate number of leaves in a round
    int width, height;
    int frames;
};

Judged judgedSizes(bool small)
{
    return small ? Judged{"synthetic:512", 20'000, 320, 180, 6} : Judged{"synthetic:4096", 1'000'000, 1920, 1080, 40};
}

constexpr int kJudgedDepth = 26;

// Sets thresholds that give about `leaves` leaves. Assumes that the number of leaves is inversely proportional to the
// threshold's square, and corrects the threshold up to five times.
Status findThreshold(Renderer& renderer, const Camera& camera, double leaves)
{
    constexpr int kMostTries = 5;
    constexpr double kNearEnough = 0.03;
    for (int i = 0; i < kMostTries; ++i)
    {
        const Result<std::uint32_t> found = leavesAt(renderer, camera);
        if (!found) return found.error();
        const double share = double(*found) / leaves;
        if (std::abs(share - 1) < kNearEnough) break;
        Settings settings = renderer.settings();
        settings.lod.splitPixels = std::clamp(settings.lod.splitPixels * float(std::sqrt(share)), 1.0f, 64.0f);
        settings.lod.mergePixels = settings.lod.splitPixels * 3 / 7;
        if (Status s = renderer.apply(settings); !s) return s;
    }
    return Status::ok();
}

// Adds a row for each pass of a round. `kind` is appended to the names of the passes.
void addPasses(const PassCosts& costs, const std::string& kind, BenchRun& run, std::size_t table)
{
    for (const auto& [name, timing] : costs.passes)
    {
        Json row = {{"variant", name + kind}, {"leaves", costs.leaves}, {"visible", costs.visible}, {"check", nullptr}};
        addPair(row, timing, costs.passes.back().second, "round");
        run.add(std::move(row), table);
    }
}

Status measureRoundCost(Scene& scene, const Judged& sizes, BenchRun& run, std::size_t table, std::size_t passTable)
{
    if (Status s = open(scene); !s) return s;
    Settings settings;
    settings.cbt.depth = kJudgedDepth;
    settings.cbt.leafCapacity = 1u << 21;
    settings.patch.level = 0;
    settings.lod.splitPixels = 3.0f;
    settings.lod.mergePixels = settings.lod.splitPixels * 3 / 7;
    Result<std::unique_ptr<Stage>> stage = Stage::create(*scene.context, *scene.ground, settings);
    if (!stage) return stage.error();
    Renderer& renderer = (*stage)->renderer();
    const Camera from = (*stage)->flight(0.2), to = (*stage)->flight(0.2 + sizes.frames * kFlightStep / 20);
    if (Status s = findThreshold(renderer, from, sizes.leaves); !s) return s;
    const Result<RoundClocks> clocks = clockRounds(renderer, from, to, sizes.frames);
    if (!clocks) return clocks.error();
    const std::pair<const char*, const GpuClock*> rows[] = {
        {"in flight", &clocks->evaluated}, {"in flight, verdicts kept", &clocks->kept}, {"at rest", &clocks->atRest}};
    for (const auto& [variant, clock] : rows)
    {
        Json row = {{"variant", variant},   {"depth", kJudgedDepth}, {"leaves", clocks->leaves},
                    {"triangles", nullptr}, {"size", "640x360"},     {"check", nullptr}};
        clock->addTo(row);
        run.add(std::move(row), table);
    }
    for (const bool keep : {false, true})
    {
        const Result<PassCosts> costs = passCosts(renderer, from, to, sizes.frames, keep);
        if (!costs) return costs.error();
        addPasses(*costs, keep ? ", verdicts kept" : "", run, passTable);
    }
    return Status::ok();
}

Status measureFrameCost(Scene& scene, const Judged& sizes, BenchRun& run, std::size_t table)
{
    if (Status s = open(scene); !s) return s;
    Settings settings;
    settings.cbt.depth = kJudgedDepth;
    settings.lod.splitPixels = 7.0f;
    settings.lod.mergePixels = 3.0f;
    settings.patch.level = 3;
    Result<std::unique_ptr<Stage>> stage = Stage::create(*scene.context, *scene.ground, settings);
    if (!stage) return stage.error();
    if (Status s = (*stage)->renderer().resize(sizes.width, sizes.height); !s) return s;
    (void)(*stage)->settle((*stage)->flight(0.2));
    for (const bool atRest : {false, true})
    {
        GpuClock clock;
        for (int frame = 0; frame < sizes.frames; ++frame)
        {
            const Camera camera = (*stage)->flight(0.2 + (atRest ? sizes.frames : frame + 1) * kFlightStep);
            if (atRest && frame == 0) (void)(*stage)->settle(camera);
            clock.time([&] { (void)(*stage)->draw(camera); });
        }
        const WorkCounters& work = (*stage)->renderer().stats().work;
        Json row = {{"variant", atRest ? "at rest" : "in flight"},
                    {"depth", kJudgedDepth},
                    {"leaves", work.leaves},
                    {"triangles", work.triangles},
                    {"size", fmt::format("{}x{}", sizes.width, sizes.height)},
                    {"check", nullptr}};
        clock.addTo(row);
        run.add(std::move(row), table);
    }
    return Status::ok();
}

// ---- a round on the Earth, part by part ----

// Flies low over the Alps, with thresholds that give large numbers of leaves.
Status measureEarth(Scene& scene, bool quick, BenchRun& run, std::size_t table)
{
    if (Status s = open(scene); !s) return s;
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    Result<std::shared_ptr<EarthSource>> source = EarthSource::open(*root / kEarthRelief, {}, {});
    if (!source) return source.error();
    Result<std::unique_ptr<TileCache>> tiles = TileCache::create(*source, kEarthTileBytes);
    if (!tiles) return tiles.error();
    Settings settings;
    settings.terrain.detail = false;
    Result<std::unique_ptr<Stage>> stage = Stage::create(*scene.context, *scene.ground, settings);
    if (!stage) return stage.error();
    Renderer& renderer = (*stage)->renderer();
    if (Status s = renderer.setEarth(std::move(*tiles)); !s) return s;
    Camera from, to;
    from.position = earthFixed({46.0, 8.0, 4000});
    to.position = earthFixed({46.0001, 8.0001, 4000});
    from.yaw = to.yaw = 30;
    from.pitch = to.pitch = -12;
    for (const auto& [capacity, pixels] : {std::pair{1 << 18, quick ? 40.0f : 9.4f}, {1'300'000, 2.95f}})
    {
        if (quick && capacity > 1 << 18) break;
        settings.earth.depth = 50;
        settings.cbt.leafCapacity = std::uint32_t(capacity);
        settings.patch.level = 0;
        settings.lod.splitPixels = pixels;
        settings.lod.mergePixels = pixels * 3 / 7;
        settings.terrain.waterLevel = 0.0f;
        if (Status s = renderer.apply(settings); !s) return s;
        (void)renderer.tiles().settle(from, 60);
        const Result<PassCosts> costs = passCosts(renderer, from, to, quick ? 4 : 20, false);
        if (!costs) return costs.error();
        addPasses(*costs, "", run, table);
    }
    return Status::ok();
}

// ---- picture quality along the shipped path ----

Status measurePath(bool quick, BenchRun& run, std::size_t table)
{
    const Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    Scene scene{.dem = (*root / kBenchTerrain).string(), .context = {}, .ground = {}};
    if (Status s = open(scene); !s) return s;
    const Result<CameraPath> path = findCameraPath("overview", *root / kCameraPaths);
    if (!path) return path.error();
    for (const FrameVariant& variant : kFrames)
    {
        if (variant.prepare == validated) continue;  // differs from "edge, geomorph" only in cost
        if (run.shouldStop(fmt::format("the shipped path, {}", variant.name)))
            return Error{ExitCode::kInterrupted, "interrupted"};
        Settings settings;
        variant.set(settings);
        Result<std::unique_ptr<Stage>> stage = Stage::create(*scene.context, *scene.ground, settings);
        if (!stage) return stage.error();
        const CameraFlight flight(*path, (*stage)->renderer().terrain().extent(), [&](double east, double north) {
            return heightAt(scene.ground->field, east, north);
        });
        const Result<PathQuality> quality = qualityAlong(**stage, flight, quick ? 30 : 240);
        if (!quality) return quality.error();
        run.add({{"variant", variant.name},
                 {"leaves", quality->leaves},
                 {"frames", quality->frames},
                 {"jump_max_px", quality->largestJump},
                 {"jump_p99_px", quality->jumpP99},
                 {"error_max_px", quality->largestError},
                 {"error_p99_px", quality->errorP99},
                 {"cracks", quality->cracks},
                 {"check", quality->cracks == 0}},
                table);
    }
    return Status::ok();
}

Plan renderPlan(const BenchOptions& options)
{
    const auto scene = std::make_shared<Scene>();
    scene->dem = options.quick ? "synthetic:512" : "synthetic:4096";
    Plan plan;
    plan.head = {{"algorithm", "render"}, {"backend", "opengl"}, {"gpu", nullptr},
                 {"terrain", scene->dem}, {"size", "640x360"},   {"baseline", "the first row"}};
    plan.legend =
        "Frames: a slow flight, all variants in turn frame by frame, the whole frame until the GPU is done, by the "
        "CPU's clock.\nRounds: of the tree's update until one changes nothing.\nThe shipped path: a 60th of a second "
        "and a "
        "round a frame; the jump is measured in every frame, error and mesh in every tenth.";
    plan.tables.push_back(
        {.key = "frames",
         .title = "A frame",
         .columns = {wordColumn("", "/variant"), numberColumn("min ms", "/time_ms/minimum", 3),
                     numberColumn("median ms", "/time_ms/median", 3), numberColumn("ratio", "/ratio", 2),
                     integerColumn("leaves", "/leaves"), integerColumn("triangles", "/triangles")}});
    plan.tables.push_back({.key = "rounds",
                           .title = "Rounds until the tree rests",
                           .columns = {wordColumn("", "/what"), wordColumn("", "/variant"),
                                       integerColumn("rounds", "/rounds"), integerColumn("leaves", "/leaves")}});
    plan.tables.push_back(
        {.key = "mark",
         .title = "The first pass of a round",
         .columns = {wordColumn("", "/variant"), numberColumn("min ms", "/time_ms/minimum", 3),
                     numberColumn("median ms", "/time_ms/median", 3), numberColumn("ratio", "/ratio", 2),
                     integerColumn("leaves", "/leaves"), checkColumn()}});
    plan.tables.push_back({.key = "earth",
                           .title = "A round on the Earth",
                           .columns = {wordColumn("", "/variant"), numberColumn("min ms", "/time_ms/minimum", 3),
                                       numberColumn("median ms", "/time_ms/median", 3),
                                       integerColumn("leaves", "/leaves"), integerColumn("in view", "/visible")}});
    plan.tables.push_back(
        {.key = "path",
         .title = "The picture along the shipped path",
         .columns = {wordColumn("", "/variant"), integerColumn("leaves", "/leaves"),
                     numberColumn("jump max px", "/jump_max_px", 3), numberColumn("99 % of frames", "/jump_p99_px", 3),
                     numberColumn("error max px", "/error_max_px", 3), numberColumn("error p99 px", "/error_p99_px", 3),
                     integerColumn("cracks", "/cracks")}});
    for (const auto& [key, title] : {std::pair{"round_cost", "A round at D = 26"}, {"frame_cost", "A frame at D = 26"}})
        plan.tables.push_back(
            {.key = key,
             .title = title,
             .columns = {wordColumn("", "/variant"), wordColumn("size", "/size"),
                         numberColumn("min ms", "/time_ms/minimum", 3), numberColumn("median ms", "/time_ms/median", 3),
                         numberColumn("GPU min ms", "/gpu_ms/minimum", 3),
                         numberColumn("GPU median ms", "/gpu_ms/median", 3), integerColumn("leaves", "/leaves"),
                         integerColumn("triangles", "/triangles")}});
    plan.tables.push_back({.key = "round_passes",
                           .title = "A round at D = 26, pass by pass",
                           .columns = {wordColumn("", "/variant"), numberColumn("min ms", "/time_ms/minimum", 3),
                                       numberColumn("median ms", "/time_ms/median", 3),
                                       integerColumn("leaves", "/leaves"), integerColumn("in view", "/visible")}});
    const bool quick = options.quick;
    const Judged sizes = judgedSizes(quick && !options.fullGpu);
    const auto judged = std::make_shared<Scene>();
    judged->dem = sizes.dem;
    plan.cases.push_back({"round", 0, [=](BenchRun& run) { return measureRoundCost(*judged, sizes, run, 5, 7); }});
    plan.cases.push_back({"frame", 0, [=](BenchRun& run) {
                              run.head()["gpu"] = judged->context->info().renderer;
                              const Status measured = measureFrameCost(*judged, sizes, run, 6);
                              *judged = {.dem = sizes.dem, .context = {}, .ground = {}};
                              return measured;
                          }});
    plan.cases.push_back({"frames", 0, [scene, quick](BenchRun& run) { return measureFrames(*scene, quick, run, 0); }});
    plan.cases.push_back({"a lone wish", 0, [quick](BenchRun& run) { return measureLoneWish(quick, run, 1); }});
    plan.cases.push_back({"a jump", 0, [scene](BenchRun& run) { return measureJump(*scene, run, 1); }});
    plan.cases.push_back({"mark", 0, [scene, quick](BenchRun& run) { return measureMark(*scene, quick, run, 2); }});
    plan.cases.push_back({"earth", 0, [scene, quick](BenchRun& run) { return measureEarth(*scene, quick, run, 3); }});
    plan.cases.push_back({"path", 0, [quick](BenchRun& run) { return measurePath(quick, run, 4); }});
    return plan;
}

}  // namespace

Bench renderBench()
{
    Bench bench{"render", "level of detail: what its parts cost and gain, with and without each",
                "a small terrain and few frames", renderPlan};
    bench.fullGpuHelp = "with --quick: the round and the frame that a GPU is judged by as large as without it";
    return bench;
}

}  // namespace orogen::app::bench
