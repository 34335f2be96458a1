// Compute modules of a session: the running job of each, and the results of past runs.  Jobs run on their own threads;
// no function here waits for them.  saveResults() writes the results as CSV (a line per run) and as JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/model/compute_state.h"
#include "compute/device/cuda.h"
#include "compute/job/module.h"
#include "core/frames/sample/frame_sample.h"

namespace orogen::app {

class ComputeRunner
{
public:
    static constexpr std::size_t kMostRuns = 200;  // runs remembered per module

    explicit ComputeRunner(compute::Cuda& cuda = compute::processCuda()) : cudaCalls_(cuda) {}

    // Starts a run.  Errors: kUsage (unknown module or parameter, a value out of range, or a run is under way), kLimit
    // (the device is in use, or no thread can be started).
    Status start(const ModuleRequest& request);
    // Starts a sweep: runs one after another, which runs() does not list.  While another module uses the device, a run
    // waits for a later update().  Error kUsage: unknown module, a run is under way, or no size or algorithm.
    Status start(ModuleSweepRequest request);
    void cancel(std::string_view module);  // cancels a run, or the rest of a sweep
    // Collects finished runs; call once a frame.  `nowMs`: time since the session's start (milliseconds).
    void update(double nowMs);

    // Sets whether the terrain is drawn continuously while a module runs, to show the effect on frame times.
    void keepFrames(bool keep) { keepFrames_ = keep; }
    bool keepsFrames() const { return keepFrames_; }
    bool wantsFrames() const { return keepFrames_ && running(); }  // whether this frame is to be drawn

    ComputeState panelState() const;                                        // for the panels
    bool running() const;                                                   // any module
    std::optional<ModuleProgress> progress(std::string_view module) const;  // empty: not running
    const std::vector<ModuleRun>& runs(std::string_view module) const;      // oldest first
    const ModuleSweep* sweep(std::string_view module) const;                // running or newest; null: none

    // Returns "idle", "running", "done", "failed" or "cancelled" for the newest run or sweep.  A sweep that was
    // not cancelled is "done" if any of its runs is done.  Empty: no such module.
    std::optional<std::string> state(std::string_view module) const;
    // Returns the main value of the newest run with a result, "null" without one; empty: no such module.
    std::optional<std::string> result(std::string_view module) const;

    std::string runningNames() const;   // "multiword, cg"; empty: none
    std::uint32_t runningMask() const;  // bit i: compute::modules()[i] runs
    // Returns the runs that ended since the last call, with times on the clock of update().
    std::vector<ComputeEvent> takeEvents() { return std::exchange(events_, {}); }

    // Returns the available CUDA devices without waiting for the driver.  While a background thread still looks for
    // devices, the report is empty and gives that as the reason.
    const compute::CudaReport& cuda() const;
    std::uint64_t freeMemory() const { return freeMemory_; }  // main memory (bytes); updated once a second

private:
    struct Entry
    {
        const compute::Module* module = nullptr;
        std::unique_ptr<compute::Job> job;
        std::vector<ModuleRun> runs;  // the last run belongs to the job, unless the job is part of a sweep
        std::optional<ModuleSweep> sweep;
        bool sweeping = false;
        std::optional<compute::JobState> state;  // state of the newest run or sweep; empty: nothing was run
        double beganMs = 0;                      // start of the job, on the clock of update()
    };
    Entry* find(std::string_view module);
    const Entry* find(std::string_view module) const;
    Status checkIdle(const Entry* entry, const std::string& module) const;
    Status startJob(Entry& entry, const ModuleRequest& request);
    void finish(Entry& entry, double nowMs);
    void finishOfSweep(Entry& entry, ModuleRun run);
    void goOn(Entry& entry);
    void lookAtMemory();

    std::vector<Entry> entries_ = entriesOfAll();
    std::vector<ComputeEvent> events_;
    bool keepFrames_ = false;
    double nowMs_ = 0;
    std::uint64_t freeMemory_ = 0;
    std::optional<double> lookedAtMemoryMs_;
    compute::Cuda& cudaCalls_;
    mutable std::shared_ptr<const compute::CudaReport> cuda_;
    mutable std::unique_ptr<BackgroundTask<bool>> looking_;

    static std::vector<Entry> entriesOfAll();
};

// ---- saving ----

// Writes FOLDER/NAME-runs.csv and .json if there are runs, and FOLDER/NAME-sweep.csv and .json if there is a sweep.
// Never replaces files.  Returns a message for the user.  Errors: kUsage (nothing to save), kOutput.
Result<std::string> saveResults(const ComputeRunner& runner, const std::string& module, const std::string& folder);

}  // namespace orogen::app
