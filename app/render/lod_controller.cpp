#include "app/render/lod_controller.h"

#include <algorithm>
#include <utility>

#include <glm/geometric.hpp>

#include "app/render/frame_uniforms.h"

namespace orogen::app {
namespace {

// Most rounds in one frame after a camera jump or a change of settings: enough to converge nearly completely.  On a
// software rasteriser these rounds take less time than an additional picture of the unconverged tree.
constexpr int kSettlingRoundsPerFrame = 12;
constexpr int kChangedHeightsRounds = 3;  // minimum, so that the first frame with new heights meets the error threshold
constexpr int kGovernedFrames = 24;       // identical frames until a tree under a frame time budget counts as stable

bool usesError(const Settings& settings) { return settings.lod.criterion == LodCriterion::kError; }

}  // namespace

Status prepareErrors(TerrainGpu& terrain, bool wait, Settings& settings)
{
    if (!usesError(settings)) return Status::ok();
    terrain.heights().setPatchLevel(settings.patch.level);  // prepareErrors() also measures the codes of this level
    const Result<bool> measured = terrain.prepareErrors(wait);
    if (!measured) return measured.error();
    if (!*measured) settings.lod.criterion = LodCriterion::kEdge;
    return Status::ok();
}

void LodController::apply(const Settings& before, const Settings& wanted)
{
    const bool other =
        !(wanted.render == before.render) || !(wanted.lod == before.lod) || wanted.patch.level != before.patch.level;
    if (other) governor_.forget();
    const bool byTime = wanted.budget.mode == BudgetMode::kFrameMs, byError = usesError(wanted);
    finer_ = wanted.budget.finer;
    const double set = double(byError ? wanted.lod.errorPixels : wanted.lod.splitPixels);
    const double lowest = double(byError ? gpu::kBudgetLowestError : gpu::kBudgetLowestEdge);
    const double highest = double(byError ? gpu::kBudgetHighestError : gpu::kBudgetHighestEdge);
    governor_.setRange(double(wanted.render.scale), finer_ ? std::max(lowest / set, 1 / kMostCoarser) : 1.0,
                       std::min(highest / set, kMostCoarser));
    governor_.setTarget(byTime ? wanted.budget.value : 0.0);
}

void LodController::restart()
{
    governor_.forget();
    input_.reset();
}

void LodController::treeReplaced()
{
    input_.reset();
    cullAgain();
}

bool LodController::restored() const { return atRest_ && governor_.lowered(); }

bool LodController::asSetAtRest() const { return restored() || (atRest_ && !finer_); }

std::optional<GovernorReport> LodController::report() const
{
    const std::optional<GovernorReport> governed = governor_.report();
    if (!governed || !asSetAtRest()) return governed;
    return GovernorReport{GovernorState::kAtRest, governed->targetMs, std::nullopt, governed->wholeScale};
}

void LodController::beginFrame(std::uint64_t frame)
{
    if (std::exchange(restored_, restored()) && !restored_)
        governor_.forget();  // frame times of a picture at rest, drawn with the set thresholds, do not count
    if (!restored_) governor_.begin(frame);
}

void LodController::recordTime(std::uint64_t frame, double ms)
{
    if (!restored_) governor_.measured(frame, ms);
}

float LodController::triangleBudget(const Settings& settings)
{
    return settings.budget.mode == BudgetMode::kTriangles ? float(settings.budget.value) : 0.0f;
}

GovernedDetail LodController::detail(const Settings& settings) const
{
    const GovernedDetail asSet{double(settings.render.scale), 1};
    return governor_.targetMs() == 0 || restored() ? asSet : governor_.detail();
}

// Returns the settings with the thresholds in effect.  With a frame time as budget, leaves merge just below the
// threshold of splitting.  Otherwise leaves between the two thresholds would stay, and raising both thresholds would
// remove few triangles.
Settings LodController::inEffect(const Settings& settings) const
{
    Settings now = settings;
    if (governor_.targetMs() == 0) return now;
    const auto factor = float(detail(settings).coarser);
    now.lod.errorPixels *= factor;
    now.lod.splitPixels *= factor;
    now.lod.mergePixels = std::max(now.lod.mergePixels * factor, kTightMerge * now.lod.splitPixels);
    return now;
}

LodController::Input LodController::inputOf(const Frame& frame, const Settings& settings, const RenderWorld& world,
                                            const TerrainGpu& terrain, int depth) const
{
    const Camera& camera = frame.camera;
    const float budget = triangleBudget(settings);
    const bool aimed = budget > 0 || world.refinesByAim();
    return {camera.position,
            camera.fov,
            camera.shift,
            frame.height,
            depth,
            settings.cbt.leafCapacity,
            settings.lod,
            settings.patch.level,
            settings.terrain.heightScale,
            frame.shaders,
            budget,
            governor_.targetMs() > 0 ? detail(settings).coarser : 0.0,
            aimed ? glm::dvec3(camera.yaw, camera.pitch, frame.width) : glm::dvec3(0.0),
            aimed ? frame.seen : PicturePart{},
            terrain.heights().residency(),
            terrain.heightChanges(),
            world.seaInGround(settings),
            settings.earth.detailEdge};
}

void LodController::plan(const Frame& frame, const Settings& settings, const RenderWorld& world,
                         const TerrainGpu& terrain, Triangulation& tree, const std::optional<Slices>& slices,
                         FrameSteps& steps, GpuTimers& timers)
{
    frame_ = frame.number;
    const int wanted = rounds(frame, settings, world, terrain, tree);
    const HeightStore& heights = terrain.heights();
    const CullInput input{frame.camera, frame.seen, frame.width, frame.height, settings.patch.level,
                          settings.terrain.heightScale, frame.shaders, heights.residency(),
                          // Procedural detail fades in with its tiles and extends the bounds for culling.
                          settings.detailShown() ? heights.shown() : 0, terrain.heightChanges(),
                          world.seaInGround(settings)};
    const bool culls = wanted == 0 && cull_ != input;
    cull_ = input;
    tree.moveTo(frame.camera.position, terrain.squareSide());
    const bool byError = usesError(settings);
    tree.setCriterion(byError ? gpu::kCriterionError : gpu::kCriterionEdge);
    // Caches the decisions on leaves (verdicts) only on a software rasteriser.  A GPU evaluates a leaf faster than it
    // looks up a cached decision: on an H200, 300,000 leaves take 0.10 ms instead of 0.13.
    tree.keepVerdicts(!timers.hardware() && triangleBudget(settings) <= 0 && !world.refinesByAim());
    const Triangulation::AddStep add = [&steps](std::function<void()> work) {
        steps.add(StepKind::kTree, std::move(work));
    };
    add([&tree, wanted] { tree.beginFrame(wanted > 0); });
    for (int round = 0; round < wanted; ++round)
    {
        const bool last = round + 1 == wanted;
        if (slices)
            tree.roundSteps(slices->known, slices->leaves, last, &timers, add);
        else
            add([&tree, &timers, last] { tree.round(last, &timers); });
    }
    if (culls && slices) tree.cullSteps(slices->known, slices->leaves, &timers, add);
    if (culls && !slices) add([&tree, &timers] { tree.cull(&timers); });
}

// Returns the number of rounds that the tree runs in this frame.
int LodController::rounds(const Frame& frame, const Settings& settings, const RenderWorld& world,
                          const TerrainGpu& terrain, Triangulation& tree)
{
    if (std::exchange(countsAnew_, false)) tree.countRoundsAnew();
    if (settings.lod.frozen)
    {
        settled_ = true;
        if (input_) input_->lod.frozen = true;  // unfreezing is a change
        return 0;
    }
    const Input input = inputOf(frame, settings, world, terrain, tree.depth());
    const bool changed = !input_ || !(*input_ == input);
    if (changed)
    {
        Input still = input;  // the new input with the old camera position and direction, budgets and heights
        if (input_)
        {
            still.position = input_->position;
            still.triangleBudget = input_->triangleBudget;
            still.coarser = input_->coarser;
            still.aim = input_->aim;
            still.residency = input_->residency;
            still.heights = input_->heights;
            // Heights have changed in some places, or the thresholds have changed.
            if (still.residency != input.residency || still.heights != input.heights || still.coarser != input.coarser)
                tree.forgetVerdicts();
            if (still.heights != input.heights) settlingRounds_ = std::max(settlingRounds_, kChangedHeightsRounds);
        }
        // Another input has changed, on which cached verdicts depend.
        if (!input_ || !(*input_ == still)) tree.forgetVerdicts();
        // After a jump of the camera the tree needs several rounds to converge.
        const bool jumped =
            input_ && glm::length(input.position - input_->position) > world.leastJump(input.position, terrain);
        if (!input_ || !(*input_ == still) || jumped) settlingRounds_ = tree.depth() + 8;
        settled_ = false;
        inputFrame_ = frame.number;
        tree.inputChanged();
    }
    const bool first = !input_.has_value();
    input_ = input;
    if (settled_) return 0;
    const int burst = first ? settlingRounds_ : std::min(settlingRounds_, kSettlingRoundsPerFrame);
    settlingRounds_ -= burst;
    return std::max(settings.lod.rounds, burst);
}

void LodController::record(const Triangulation::Record& record)
{
    roundChanges_ = record.roundChanges;
    if (record.work.frame >= roundsFrom_) roundsToSettle_ = record.rounds;
    if (record.work.frame >= inputFrame_ && record.roundChanges == 0 && input_) settled_ = true;
}

bool LodController::calm(int sameFrames) const
{
    if (governor_.targetMs() == 0 || asSetAtRest()) return settled_;
    const bool settling = governor_.state() == GovernorState::kSettling;
    return sameFrames > (settling ? int(kGovernorSettling) : kGovernedFrames);
}

void LodController::countRoundsAnew()
{
    countsAnew_ = true;
    roundsToSettle_ = 0;
    roundsFrom_ = input_ ? frame_ + 1 : frame_;
}

}  // namespace orogen::app
