// A job takes its device before its thread starts and gives it back before its state says that it is over, so that
// whoever sees it end can start the next one.
#include "compute/job/job.h"

#include <utility>

#include <fmt/format.h>

namespace orogen::compute {

bool JobDevices::take(const std::string& device)
{
    const std::lock_guard lock(mutex_);
    return taken_.insert(device).second;
}

void JobDevices::release(const std::string& device)
{
    const std::lock_guard lock(mutex_);
    taken_.erase(device);
}

JobDevices& processJobDevices()
{
    static JobDevices devices;
    return devices;
}

std::string_view textOf(JobState state)
{
    switch (state)
    {
    case JobState::kRunning:
        return "running";
    case JobState::kDone:
        return "done";
    case JobState::kFailed:
        return "failed";
    case JobState::kCancelled:
        return "cancelled";
    }
    return {};
}

Result<std::unique_ptr<Job>> Job::start(const Module& module, ParameterValues values, const JobOptions& options)
{
    JobDevices& devices = options.devices ? *options.devices : processJobDevices();
    const std::string device = module.device(values);
    if (!devices.take(device))
        return Error{ExitCode::kLimit, fmt::format("{}: {} is running another job", module.name(), device)};
    const auto work = [&module, values = std::move(values), options, device, &devices](const TaskContext& context) {
        Result<JobResult> result = runModule(
            module, values, {context.progress, context.stop, options.wholeResult, options.measureCopy, nullptr});
        devices.release(device);
        return result;
    };
    Result<std::unique_ptr<Task>> task = Task::start(std::string(module.name()), work);
    if (!task) devices.release(device);
    if (!task) return task.error();
    return std::unique_ptr<Job>(new Job(device, std::move(*task)));
}

const JobResult* Job::result() const { return state() == JobState::kDone ? &*task_->outcome() : nullptr; }
const Error* Job::error() const
{
    return state() == JobState::kFailed || state() == JobState::kCancelled ? &task_->outcome().error() : nullptr;
}

}  // namespace orogen::compute
