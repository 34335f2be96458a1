#include "app/session/filled_heights.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "app/session/terrain_loading.h"
#include "compute/job/module.h"
#include "compute/voids/void_filling.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/terrain/io/geotiff_writer.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {

namespace {

// ---- filling ----

const double kTolerance = compute::VoidFillingOptions{}.tolerance;
constexpr double kSolvingShare = 0.8;  // share of the progress for solving; bounds take the rest
constexpr const char* kFill = "fill-voids";
constexpr const char* kUndo = "undo-fill";
const std::string kProcessor = "cpu";

// Returns the number of threads for the solver; leaves one of several processors free for drawing frames.
int fillingThreads() { return std::max(1, int(std::thread::hardware_concurrency()) - 1); }

Result<ChangedHeights> withBounds(ChangedHeights changed, const TaskContext& context)
{
    context.progress.enter("bounding heights", kSolvingShare);
    changed.bounds = boundsWithoutErrors(changed.field);
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

// Reservation of the CPU, so that no compute module runs on it: a concurrent solve would distort the module's times.
struct HeldProcessor
{
    ~HeldProcessor() { compute::processJobDevices().release(kProcessor); }
};

// Reserves the CPU; returns null if a compute module runs on it.
std::shared_ptr<HeldProcessor> holdProcessor()
{
    if (!compute::processJobDevices().take(kProcessor)) return nullptr;
    return std::make_shared<HeldProcessor>();
}

// ---- saving ----

constexpr double kReadingPart = 0.2;  // share of the progress for reading; solving takes the rest
const std::string kSolver = "cpu";

// Reservation of the CPU while a file is saved (see HeldProcessor).
struct HeldSolver
{
    ~HeldSolver() { compute::processJobDevices().release(kSolver); }
};

Status checkSaving(const std::string& dem, const SaveFilled& wanted)
{
    return checkOutputFile(wanted.file, sourceFiles(dem), wanted.replace ? Existing::kReplace : Existing::kRefuse);
}

Result<std::string> save(const std::string& dem, const SourceOverrides& overrides, const SaveFilled& wanted,
                         const TaskContext& context)
{
    const auto reading = [&context](double fraction, const std::string& what) {
        context.progress.enter(what, kReadingPart * fraction);
        return !context.stop.stop_requested();
    };
    const Result<Raster> raster = loadRaster(dem, reading, overrides);
    if (!raster) return raster.error();
    context.progress.enter("filling voids", kReadingPart);
    compute::VoidFillingOptions options = {.threads = std::max(1, int(std::thread::hardware_concurrency()) - 1),
                                           .stop = context.stop};
    double first = 0;
    options.watch = [&](std::uint64_t iteration, double residual) {
        if (iteration == 0) first = residual;
        const double done = compute::progressOf(residual, first, options.tolerance);
        context.progress.set(kReadingPart + (1 - kReadingPart) * done);
    };
    const Result<compute::VoidFilling> filling =
        compute::solveVoids(raster->heights, raster->width, raster->height, options);
    if (!filling) return filling.error();
    if (Status status = checkSaving(dem, wanted); !status) return status.error();  // files may have appeared since
    if (Status status = writeGeoTiff(withVoidsFilled(*raster, filling->heights), wanted.file); !status)
        return status.error();
    return fmt::format("wrote {}: {} filled", printable(wanted.file), counted(filling->heights.size(), "void"));
}

}  // namespace

Status VoidFiller::start(std::string name, Task::Work work)
{
    Result<std::unique_ptr<Task>> task = Task::start(std::move(name), std::move(work));
    if (!task) return task.error();
    task_ = std::move(*task);
    return Status::ok();
}

Status VoidFiller::fill(const HeightField& field)
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

Status VoidFiller::undo()
{
    if (running()) return Error{ExitCode::kUsage, "undo-fill: a run is under way"};
    if (filled_ == 0) return Error{ExitCode::kUsage, "undo-fill: no voids were filled"};
    return start(kUndo, [original = original_](const TaskContext& context) { return unfilled(*original, context); });
}

void VoidFiller::cancel()
{
    if (task_) task_->cancel();
}

void VoidFiller::forget()
{
    task_.reset();
    original_.reset();
    history_.clear();
    filled_ = 0;
}

VoidState VoidFiller::state() const
{
    VoidState state{.filled = filled_, .running = running(), .tolerance = kTolerance};
    state.history = task_ ? task_->progress().curve().values : history_;
    if (!task_) return state;
    state.fraction = task_->progress().fraction();
    state.phase = task_->progress().phase();
    state.seconds = std::chrono::duration<double>(task_->elapsed()).count();
    return state;
}

std::optional<Result<ChangedHeights>> VoidFiller::take()
{
    if (!task_ || task_->running()) return std::nullopt;
    const std::unique_ptr<Task> task = std::move(task_);
    history_ = task->progress().curve().values;
    if (task->state() == TaskState::kDone) return task->take();
    if (filled_ == 0) original_.reset();
    if (task->state() == TaskState::kFailed) return task->take();
    return Error{ExitCode::kInterrupted, task->name() + ": cancelled"};
}

void VoidFiller::shown(const ChangedHeights& changed)
{
    filled_ = changed.filled;
    if (filled_ == 0) original_.reset();
}

Status FilledHeightsSaving::start(const std::string& dem, const SourceOverrides& overrides, const SaveFilled& wanted)
{
    if (running()) return Error{ExitCode::kUsage, "save-filled: a file is being written"};
    if (Status status = checkSaving(dem, wanted); !status) return status;
    if (!compute::processJobDevices().take(kSolver))
        return Error{ExitCode::kLimit, "save-filled: cpu is running another job"};
    const auto held = std::make_shared<HeldSolver>();
    Result<std::unique_ptr<Task>> task =
        Task::start("save-filled", [dem, overrides, wanted, held](const TaskContext& context) {
            return save(dem, overrides, wanted, context);
        });
    if (!task) return task.error();
    task_ = std::move(*task);
    return Status::ok();
}

void FilledHeightsSaving::cancel()
{
    if (task_) task_->cancel();
}

double FilledHeightsSaving::fraction() const { return task_ ? task_->progress().fraction() : 0.0; }

std::optional<Result<std::string>> FilledHeightsSaving::take()
{
    if (!task_ || task_->running()) return std::nullopt;
    const std::unique_ptr<Task> task = std::move(task_);
    if (task->state() == TaskState::kCancelled) return Error{ExitCode::kInterrupted, "save-filled: cancelled"};
    return task->take();
}

}  // namespace orogen::app
