// A job acquires its device before its thread starts, if the device is known without the CUDA driver.  It releases the
// device before its state reports the end, so that an observer of the end can start the next job at once.
#include "compute/job/job.h"

#include <utility>

#include <fmt/format.h>

#include "compute/device/cuda.h"

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

namespace {

Error busy(const Module& module, const std::string& device)
{
    return {ExitCode::kLimit, fmt::format("{}: {} is running another job", module.name(), device)};
}

// Returns the device of a run that depends on the CUDA driver; starts the driver.
std::string lookForDevice(const Module& module, const ParameterValues& values, TaskProgress& progress)
{
    progress.enter("looking for CUDA devices");
    static_cast<void>(discoverCuda());
    return module.device(values);
}

}  // namespace

Result<std::unique_ptr<Job>> Job::start(const Module& module, ParameterValues values, const JobOptions& options)
{
    JobDevices& devices = options.devices ? *options.devices : processJobDevices();
    const std::string known = module.device(values);
    if (!known.empty() && !devices.take(known)) return busy(module, known);
    const auto work = [&module, values = std::move(values), options, known,
                       &devices](const TaskContext& context) -> Result<JobResult> {
        const std::string device = known.empty() ? lookForDevice(module, values, context.progress) : known;
        if (known.empty() && !devices.take(device)) return busy(module, device);
        Result<JobResult> result = runModule(
            module, values, {context.progress, context.stop, options.wholeResult, options.measureCopy, nullptr});
        devices.release(device);
        return result;
    };
    Result<std::unique_ptr<Task>> task = Task::start(std::string(module.name()), work);
    if (!task && !known.empty()) devices.release(known);
    if (!task) return task.error();
    return std::unique_ptr<Job>(new Job(known, std::move(*task)));
}

const JobResult* Job::result() const { return state() == JobState::kDone ? &*task_->outcome() : nullptr; }
const Error* Job::error() const
{
    return state() == JobState::kFailed || state() == JobState::kCancelled ? &task_->outcome().error() : nullptr;
}

}  // namespace orogen::compute
