#include "core/base/background_task.h"

#include <algorithm>

#include "core/base/thread_pool.h"

namespace orogen {

void TaskProgress::enter(std::string phase) { enter(std::move(phase), 0); }

void TaskProgress::enter(std::string phase, double fraction)
{
    set(fraction);
    const std::lock_guard lock(mutex_);
    phase_ = std::move(phase);
}

std::string TaskProgress::phase() const
{
    const std::lock_guard lock(mutex_);
    return phase_;
}

void TaskProgress::follow(std::string name, double goal)
{
    const std::lock_guard lock(mutex_);
    curve_ = {std::move(name), goal, 0, {}};
    stride_ = 1;
}

void TaskProgress::add(double value)
{
    const std::lock_guard lock(mutex_);
    newest_ = value;
    if (curve_.steps++ % stride_ != 0) return;
    if (curve_.values.size() + 1 < kMostPoints)
    {
        curve_.values.push_back(value);
        return;
    }
    stride_ *= 2;
    for (std::size_t i = 0; 2 * i < curve_.values.size(); ++i)
        curve_.values[i] = curve_.values[2 * i];
    curve_.values.resize((curve_.values.size() + 1) / 2);
    if ((curve_.steps - 1) % stride_ == 0) curve_.values.push_back(value);
}

ConvergenceCurve TaskProgress::curve() const
{
    const std::lock_guard lock(mutex_);
    ConvergenceCurve curve = curve_;
    if (curve.steps > 0 && (curve.steps - 1) % stride_ != 0) curve.values.push_back(newest_);
    return curve;
}

Status TaskThread::start(const std::string& name, std::function<bool(const TaskContext&)> work)
{
    Result<std::jthread> thread =
        startThread(name, [this, work = std::move(work)](const std::stop_token& stop) { run(work, stop); });
    if (!thread)
    {
        state_ = TaskState::kFailed;
        return thread.error();
    }
    thread_ = std::move(*thread);
    return Status::ok();
}

void TaskThread::run(const std::function<bool(const TaskContext&)>& work, const std::stop_token& stop)
{
    const bool done = work({progress_, stop});
    // Work that finished before it saw the stop request counts as done; a failure after the request counts as
    // cancelled.
    const TaskState state = done                    ? TaskState::kDone
                            : stop.stop_requested() ? TaskState::kCancelled
                                                    : TaskState::kFailed;
    ran_.store(std::max<Clock::duration::rep>(1, (Clock::now() - start_).count()), std::memory_order_relaxed);
    storeAndNotify(state_, state);
}

std::chrono::nanoseconds TaskThread::elapsed() const
{
    const Clock::duration::rep ran = ran_.load(std::memory_order_relaxed);
    return ran != 0 ? Clock::duration(ran) : Clock::now() - start_;
}

}  // namespace orogen
