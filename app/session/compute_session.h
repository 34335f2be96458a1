// The compute modules of a session: the job that runs for each, and what the runs before it came to.  Jobs have threads
// of their own; nothing here waits for one.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/session/module_sweep.h"
#include "compute/device/discovery.h"
#include "compute/job/job.h"
#include "core/frames/sample/frame_sample.h"

namespace orogen::app {

// What a run is asked to do: parameters as text, in order.
struct ModuleRequest
{
    std::string module;  // Module::name()
    std::vector<std::pair<std::string, std::string>> assignments{};
    bool wholeResult = false;
};

struct ModuleRun
{
    ModuleRequest request;
    compute::JobState state = compute::JobState::kRunning;
    std::optional<compute::JobResult> result{};  // where it is done
    std::string error{};                         // where it failed
    double ms = 0;                               // the whole run, by the CPU's clock
    compute::Curve curve{};                      // as far as it came
};

// Where a run is, for the panel.
struct ModuleProgress
{
    double fraction = 0;
    std::string phase;
    double seconds = 0;
    compute::Curve curve{};
};

class ComputeSession
{
public:
    static constexpr std::size_t kMostRuns = 200;  // of a module that are remembered

    explicit ComputeSession(compute::Cuda& cuda = compute::processCuda()) : cudaCalls_(cuda) {}

    // Errors: kUsage (no such module or parameter, a value out of range, a run of it is under way), kLimit (the device
    // is taken).
    Status start(const ModuleRequest& request);
    // Runs one after another; they are no part of runs().  Waits while another module's run has the device.
    Status start(ModuleSweepRequest request);
    void cancel(std::string_view module);  // a run, or what is left of a sweep
    // Takes what is done; once a frame.  `nowMs`: the clock of the frames' events.
    void update(double nowMs);

    // Whether the terrain is to be drawn for as long as anything runs, so that its frames show what that does to them.
    void keepFrames(bool keep) { keepFrames_ = keep; }
    bool keepsFrames() const { return keepFrames_; }
    bool wantsFrames() const { return keepFrames_ && running(); }  // now

    bool running() const;                                                   // any
    std::optional<ModuleProgress> progress(std::string_view module) const;  // empty: it does not run
    const std::vector<ModuleRun>& runs(std::string_view module) const;      // oldest first
    const ModuleSweep* sweep(std::string_view module) const;                // under way, or the newest; null: none

    // "idle", "running", "done", "failed", "cancelled" of the newest run or sweep, which is done where any of its runs
    // is; empty: no such module.
    std::optional<std::string> state(std::string_view module) const;
    // The main value of the newest run that is done, "null" without one; empty: no such module.
    std::optional<std::string> result(std::string_view module) const;

    std::string runningNames() const;   // "multiword, cg"; empty: none
    std::uint32_t runningMask() const;  // bit i: compute::modules()[i] runs
    // The runs that ended since the last call, on the clock of update().
    std::vector<ComputeEvent> takeEvents() { return std::exchange(events_, {}); }

    // What there is of CUDA.  Never waits for its driver: while a thread of its own looks for devices, there are none,
    // and that is the reason.
    const compute::CudaReport& cuda() const;
    std::uint64_t freeMemory() const { return freeMemory_; }  // of the CPU, bytes; asked once a second

private:
    struct Entry
    {
        const compute::Module* module = nullptr;
        std::unique_ptr<compute::Job> job;
        std::vector<ModuleRun> runs;  // the last one belongs to the job, if there is one that is not of a sweep
        std::optional<ModuleSweep> sweep;
        bool sweeping = false;
        std::optional<compute::JobState> state;  // of the newest run or sweep
        double beganMs = 0;
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

}  // namespace orogen::app
