// A run of a compute module in the background, one at a time on a device.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "compute/job/module.h"
#include "core/base/background_task.h"

namespace orogen::compute {

// Who runs where: one job at a time on a device.
class JobDevices
{
public:
    bool take(const std::string& device);  // false if it is taken
    void release(const std::string& device);

private:
    std::mutex mutex_;
    std::set<std::string> taken_;
};
JobDevices& processJobDevices();

using JobState = TaskState;
std::string_view textOf(JobState state);  // "running", "done", "failed", "cancelled"

struct JobOptions
{
    bool wholeResult = false, measureCopy = false;  // of RunContext
    JobDevices* devices = nullptr;                  // must outlive the job; null: the process's
};

// A run on a thread of its own.  Nothing here waits but the destructor, which cancels.
class Job
{
public:
    // Error kLimit: the device runs another job, or no thread can be started.  Where only CUDA's driver can tell the
    // device, the job's thread asks it, and a device that is taken is the job's error.  `module` must outlive the job.
    static Result<std::unique_ptr<Job>> start(const Module& module, ParameterValues values,
                                              const JobOptions& options = {});

    JobState state() const { return task_->state(); }
    void cancel() { task_->cancel(); }
    const Progress& progress() const { return task_->progress(); }
    std::chrono::nanoseconds elapsed() const { return task_->elapsed(); }  // of the run, so far or in all
    const std::string& device() const { return device_; }                  // empty: not known before it ran

    // Once it is not running any more: null unless it is done, and unless it is not.
    const JobResult* result() const;
    const Error* error() const;

private:
    using Task = BackgroundTask<JobResult>;

    Job(std::string device, std::unique_ptr<Task> task) : device_(std::move(device)), task_(std::move(task)) {}

    const std::string device_;
    const std::unique_ptr<Task> task_;
};

}  // namespace orogen::compute
