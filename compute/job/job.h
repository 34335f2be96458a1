// Runs of compute modules in the background; one at a time per device.
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

// Registry of the devices in use: one job at a time per device.
class JobDevices
{
public:
    bool take(const std::string& device);  // false: the device is in use
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
    bool wholeResult = false, measureCopy = false;  // see RunContext
    JobDevices* devices = nullptr;                  // must outlive the job; null: processJobDevices()
};

// Run of a module on its own thread.  Only the destructor blocks; it cancels the run.
class Job
{
public:
    // Starts a run.  Error kLimit: the device runs another job, or no thread can be started.  If only the CUDA driver
    // can tell the device, the job's thread queries it and reports a device in use.  `module` must outlive the job.
    static Result<std::unique_ptr<Job>> start(const Module& module, ParameterValues values,
                                              const JobOptions& options = {});

    JobState state() const { return task_->state(); }
    void cancel() { task_->cancel(); }
    const Progress& progress() const { return task_->progress(); }
    std::chrono::nanoseconds elapsed() const { return task_->elapsed(); }  // duration of the run, so far or in total
    const std::string& device() const { return device_; }                  // empty: unknown before the run

    // Return null while the run is in progress.  Afterwards result() is set if the run is done, else error().
    const JobResult* result() const;
    const Error* error() const;

private:
    using Task = BackgroundTask<JobResult>;

    Job(std::string device, std::unique_ptr<Task> task) : device_(std::move(device)), task_(std::move(task)) {}

    const std::string device_;
    const std::unique_ptr<Task> task_;
};

}  // namespace orogen::compute
