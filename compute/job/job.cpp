// A job takes its device before its thread starts, where it knows it without CUDA's driver, and gives it back before
// its state says that it is over, so that whoever sees it end can start the next one.
#include "compute/job/job.h"

#include <utility>

#include <fmt/format.h>

#include "compute/device/discovery.h"

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

// Of a run that only CUDA's driver can tell it of.
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
