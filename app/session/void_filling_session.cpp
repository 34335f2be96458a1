#include "app/session/void_filling_session.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <thread>

#include "compute/voids/filled_voids.h"
#include "compute/voids/void_filling.h"
#include "core/terrain/bounds/height_pyramid.h"

namespace orogen::app {
namespace {

const double kTolerance = compute::VoidFillingOptions{}.tolerance;
constexpr double kSolvingShare = 0.8;  // of the bar; the pyramid gets the rest

// One processor stays with the frames.
int fillingThreads() { return std::max(1, int(std::thread::hardware_concurrency()) - 1); }

}  // namespace

// A module that is run once: its input and its output are no text.
class HeightsTask : public compute::Module
{
public:
    explicit HeightsTask(std::shared_ptr<const HeightField> field) : field_(std::move(field)) {}

    ChangedHeights takeChanged() { return std::move(changed_); }
    std::vector<double> history() const
    {
        const std::lock_guard lock(mutex_);
        return history_;
    }

protected:
    const HeightField& field() const { return *field_; }
    void note(double residual) const
    {
        const std::lock_guard lock(mutex_);
        history_.push_back(residual);
    }
    Result<compute::JobResult> finish(ChangedHeights changed, const compute::RunContext& context) const
    {
        context.progress.enter("bounding heights and errors");
        context.progress.set(kSolvingShare);
        changed.pyramid = buildPyramid(changed.field);
        if (context.stop.stop_requested()) return Error{ExitCode::kInterrupted, "cancelled"};
        changed_ = std::move(changed);
        return compute::JobResult{};
    }

private:
    std::shared_ptr<const HeightField> field_;
    mutable std::mutex mutex_;
    mutable std::vector<double> history_;
    mutable ChangedHeights changed_;  // of the job's thread until it is over
};

namespace {

class FillTask final : public HeightsTask
{
public:
    using HeightsTask::HeightsTask;
    const compute::ModuleDescription& description() const override
    {
        static const compute::ModuleDescription described = {.name = "fill-voids"};
        return described;
    }
    std::string device(const compute::ParameterValues&) const override { return "cpu"; }

    Result<compute::JobResult> run(const compute::ParameterValues&, const compute::RunContext& context) const override
    {
        context.progress.enter("solving");
        double first = 0;
        compute::VoidFillingOptions options = {.threads = fillingThreads(), .stop = context.stop};
        options.watch = [&](std::uint64_t iteration, double residual) {
            if (iteration == 0) first = residual;
            note(residual);
            context.progress.set(kSolvingShare * compute::progressOf(residual, first, options.tolerance));
        };
        const Result<compute::VoidFilling> filling =
            compute::solveVoids(knownHeights(field()), field().width, field().height, options);
        if (!filling) return filling.error();
        return finish({.field = withVoidsFilled(field(), filling->heights),
                       .pyramid = {},
                       .filled = filling->heights.size(),
                       .iterations = filling->iterations,
                       .relativeResidual = filling->relativeResidual,
                       .solveMs = filling->solveMs},
                      context);
    }
};

class UndoTask final : public HeightsTask
{
public:
    using HeightsTask::HeightsTask;
    const compute::ModuleDescription& description() const override
    {
        static const compute::ModuleDescription described = {.name = "undo-fill"};
        return described;
    }
    std::string device(const compute::ParameterValues&) const override { return "undo-fill"; }  // never in the way

    Result<compute::JobResult> run(const compute::ParameterValues&, const compute::RunContext& context) const override
    {
        const auto voids = std::ranges::count_if(field().voidMask, [](std::uint8_t mask) { return mask != 0; });
        return finish({.field = field(), .pyramid = {}, .voids = std::uint64_t(voids)}, context);
    }
};

}  // namespace

VoidFillingSession::VoidFillingSession() = default;
VoidFillingSession::~VoidFillingSession() = default;

Status VoidFillingSession::start(std::unique_ptr<HeightsTask> task)
{
    Result<std::unique_ptr<compute::Job>> job =
        compute::Job::start(*task, compute::ParameterValues(task->parameters()));
    if (!job) return job.error();
    task_ = std::move(task);
    job_ = std::move(*job);
    return Status::ok();
}

Status VoidFillingSession::fill(const HeightField& field)
{
    if (running()) return Error{ExitCode::kUsage, "fill-voids: a run is under way"};
    if (field.voidMask.empty()) return Error{ExitCode::kUsage, "fill-voids: the terrain has no voids"};
    const auto original = std::make_shared<const HeightField>(field);
    Status status = start(std::make_unique<FillTask>(original));
    if (status) original_ = original;
    return status;
}

Status VoidFillingSession::undo()
{
    if (running()) return Error{ExitCode::kUsage, "undo-fill: a run is under way"};
    if (filled_ == 0) return Error{ExitCode::kUsage, "undo-fill: no voids were filled"};
    return start(std::make_unique<UndoTask>(original_));
}

void VoidFillingSession::cancel()
{
    if (job_) job_->cancel();
}

void VoidFillingSession::forget()
{
    job_.reset();
    task_.reset();
    original_.reset();
    history_.clear();
    filled_ = 0;
}

VoidState VoidFillingSession::state() const
{
    VoidState state{.filled = filled_, .running = running(), .tolerance = kTolerance};
    state.history = task_ ? task_->history() : history_;
    if (!job_) return state;
    state.fraction = job_->progress().fraction();
    state.phase = job_->progress().phase();
    state.seconds = std::chrono::duration<double>(job_->elapsed()).count();
    return state;
}

std::optional<Result<ChangedHeights>> VoidFillingSession::take()
{
    if (!job_ || job_->state() == compute::JobState::kRunning) return std::nullopt;
    const std::unique_ptr<HeightsTask> task = std::move(task_);
    const std::unique_ptr<compute::Job> job = std::move(job_);
    history_ = task->history();
    if (job->state() == compute::JobState::kDone) return task->takeChanged();
    if (filled_ == 0) original_.reset();
    if (job->state() == compute::JobState::kFailed) return *job->error();
    return Error{ExitCode::kInterrupted, std::string(task->name()) + ": cancelled"};
}

void VoidFillingSession::shown(const ChangedHeights& changed)
{
    filled_ = changed.filled;
    if (filled_ == 0) original_.reset();
}

}  // namespace orogen::app
