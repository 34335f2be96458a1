#include "app/session/void_filling_session.h"

#include <algorithm>
#include <thread>

#include "app/session/terrain_loading.h"
#include "compute/job/job.h"
#include "compute/voids/filled_voids.h"
#include "compute/voids/void_filling.h"

namespace orogen::app {
namespace {

const double kTolerance = compute::VoidFillingOptions{}.tolerance;
constexpr double kSolvingShare = 0.8;  // share of the progress; bounds take the rest
constexpr const char* kFill = "fill-voids";
constexpr const char* kUndo = "undo-fill";
const std::string kProcessor = "cpu";

// Leaves one processor to the frames.
int fillingThreads() { return std::max(1, int(std::thread::hardware_concurrency()) - 1); }

Result<ChangedHeights> withBounds(ChangedHeights changed, const TaskContext& context)
{
    Result<TerrainBounds> bounds = boundsWithProgress(changed.field, context, kSolvingShare);
    if (!bounds) return bounds.error();
    changed.bounds = std::move(*bounds);
    return changed;
}

Result<ChangedHeights> filled(const HeightField& field, const TaskContext& context)
{
    context.progress.enter("solving");
    context.progress.follow("relative residual", kTolerance);
    double first = 0;
    compute::VoidFillingOptions options = {.threads = fillingThreads(), .stop = context.stop};
    options.watch = [&](std::uint64_t iteration, double residual) {
        if (iteration == 0) first = residual;
        context.progress.add(residual);
        context.progress.set(kSolvingShare * compute::progressOf(residual, first, options.tolerance));
    };
    const Result<compute::VoidFilling> filling =
        compute::solveVoids(knownHeights(field), field.width, field.height, options);
    if (!filling) return filling.error();
    return withBounds({.field = withVoidsFilled(field, filling->heights),
                       .bounds = {},
                       .filled = filling->heights.size(),
                       .iterations = filling->iterations,
                       .relativeResidual = filling->relativeResidual,
                       .solveMs = filling->solveMs},
                      context);
}

Result<ChangedHeights> unfilled(const HeightField& field, const TaskContext& context)
{
    const auto voids = std::ranges::count_if(field.voidMask, [](std::uint8_t mask) { return mask != 0; });
    return withBounds({.field = field, .bounds = {}, .voids = std::uint64_t(voids)}, context);
}

// Reserves the CPU against compute modules, whose times a concurrent solve would distort.
struct HeldProcessor
{
    ~HeldProcessor() { compute::processJobDevices().release(kProcessor); }
};

// Returns null if a compute module runs on the CPU.
std::shared_ptr<HeldProcessor> holdProcessor()
{
    if (!compute::processJobDevices().take(kProcessor)) return nullptr;
    return std::make_shared<HeldProcessor>();
}

}  // namespace

Status VoidFillingSession::start(std::string name, Task::Work work)
{
    Result<std::unique_ptr<Task>> task = Task::start(std::move(name), std::move(work));
    if (!task) return task.error();
    task_ = std::move(*task);
    return Status::ok();
}

Status VoidFillingSession::fill(const HeightField& field)
{
    if (running()) return Error{ExitCode::kUsage, "fill-voids: a run is under way"};
    if (field.voidMask.empty()) return Error{ExitCode::kUsage, "fill-voids: the terrain has no voids"};
    const std::shared_ptr<HeldProcessor> processor = holdProcessor();
    if (!processor) return Error{ExitCode::kLimit, "fill-voids: cpu is running another job"};
    const auto original = std::make_shared<const HeightField>(field);
    Status status =
        start(kFill, [original, processor](const TaskContext& context) { return filled(*original, context); });
    if (status) original_ = original;
    return status;
}

Status VoidFillingSession::undo()
{
    if (running()) return Error{ExitCode::kUsage, "undo-fill: a run is under way"};
    if (filled_ == 0) return Error{ExitCode::kUsage, "undo-fill: no voids were filled"};
    return start(kUndo, [original = original_](const TaskContext& context) { return unfilled(*original, context); });
}

void VoidFillingSession::cancel()
{
    if (task_) task_->cancel();
}

void VoidFillingSession::forget()
{
    task_.reset();
    original_.reset();
    history_.clear();
    filled_ = 0;
}

VoidState VoidFillingSession::state() const
{
    VoidState state{.filled = filled_, .running = running(), .tolerance = kTolerance};
    state.history = task_ ? task_->progress().curve().values : history_;
    if (!task_) return state;
    state.fraction = task_->progress().fraction();
    state.phase = task_->progress().phase();
    state.seconds = std::chrono::duration<double>(task_->elapsed()).count();
    return state;
}

std::optional<Result<ChangedHeights>> VoidFillingSession::take()
{
    if (!task_ || task_->running()) return std::nullopt;
    const std::unique_ptr<Task> task = std::move(task_);
    history_ = task->progress().curve().values;
    if (task->state() == TaskState::kDone) return task->take();
    if (filled_ == 0) original_.reset();
    if (task->state() == TaskState::kFailed) return task->take();
    return Error{ExitCode::kInterrupted, task->name() + ": cancelled"};
}

void VoidFillingSession::shown(const ChangedHeights& changed)
{
    filled_ = changed.filled;
    if (filled_ == 0) original_.reset();
}

}  // namespace orogen::app
