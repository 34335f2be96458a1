// Run of a compute module in the steps common to all modules: choose the place, obtain the input, calculate, check
// against an oracle, compare, describe.  A module derives its own run and implements its part of each step.
//
// The result's JSON keys keep the order in which they are written: the module's own, `check` and `oracle`, then
// `algorithm`, `executor` (host executor only), `backend`, and `time_ms` with `total`, the sum of the other times.
// `time_samples_ms`, `warm_up_ms` and `rates` follow if there are any.
//
// Every run has the parameter `repetitions`.  With two or more, an uncounted warm-up run precedes the measured ones.
// Modules either repeat with shortestOf() or recordSamples(), or have the whole calculation repeated.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/job/module.h"
#include "compute/job/place.h"

namespace orogen::compute {

class ModuleRun;

// Module whose runs are derived from ModuleRun.
class SteppedModule : public Module
{
public:
    explicit SteppedModule(ModuleDescription description);

    const ModuleDescription& description() const final { return description_; }
    std::string device(const ParameterValues& values) const final { return deviceOf(algorithms(values), values); }
    std::vector<Variant> variants(const ParameterValues& values) const final
    {
        return variantsOf(algorithms(values), values);
    }
    Result<JobResult> run(const ParameterValues& values, const RunContext& context) const final;

    virtual Algorithms algorithms(const ParameterValues& values) const = 0;

protected:
    virtual std::unique_ptr<ModuleRun> makeRun(const ParameterValues& values, const RunContext& context) const = 0;

private:
    ModuleDescription description_;
};

class Stopwatch
{
public:
    double milliseconds() const
    {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

class ModuleRun
{
public:
    ModuleRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : module_(module), values_(values), context_(context)
    {
    }
    ModuleRun(const ModuleRun&) = delete;
    ModuleRun& operator=(const ModuleRun&) = delete;
    virtual ~ModuleRun() = default;

    // Executes the steps; callable once.  Error kInterrupted: stopped between or within steps.
    Result<JobResult> run();

protected:
    // The steps in order of execution.  place() is available from obtainInput() on.
    virtual Status validate() { return Status::ok(); }  // checks values before any work
    virtual Status obtainInput() = 0;
    virtual Status calculate() = 0;                    // repeatable: leaves the same state each time
    virtual Status check() = 0;                        // ends with answer()
    virtual Status compare() { return Status::ok(); }  // with the module's reference implementations
    virtual Status describe() = 0;                     // writes the module's own keys of json() and rows

    // ---- available to the steps ----
    const ParameterValues& values() const { return values_; }
    const RunContext& context() const { return context_; }
    const std::stop_token& stop() const { return context_.stop; }
    bool stopped() const { return context_.stop.stop_requested(); }
    Error cancelled() const;
    const Place& place() const { return place_; }
    void chooseAlgorithm(std::string name) { place_.algorithm = std::move(name); }  // replaces "auto"
    Result<std::unique_ptr<KernelTarget>> openTarget() const;  // the place's GPU, or the host executor
    Cuda& cuda() const { return context_.cuda ? *context_.cuda : processCuda(); }

    // ---- results of the steps ----
    void enterCalculation(std::string_view addition = {});  // enters the progress phase "ALGORITHM, BACKEND"
    void addTime(std::string name, double ms) { result_.times.push_back({std::move(name), ms}); }
    void addMainTime(std::string name, double ms);
    // Adds the times of the transfers and the kernel; the kernel's is the main time.
    void addKernelTimes(double uploadMs, double kernelMs, double downloadMs);
    void countOperations(std::string name, std::uint64_t count);
    void countWork(const Work& work) { result_.work = work; }
    // Records the host executor's counts.  Error kDevice: it ran no block although there was work.
    Status countExecutor(const ExecutorCounts& counts, bool hadWork = true);
    void answer(bool equal, std::string oracle);  // records the outcome of check()

    // Calls `once` as often as `repetitions` says, after a warm-up if it is 2 or more, and reports progress.  The times
    // returned by `once` become the samples of the main time.  Returns the shortest (milliseconds).
    Result<double> shortestOf(const std::function<Result<double>()>& once);
    // Records times of repetitions measured elsewhere (milliseconds); of two or more, the first is the warm-up.
    void recordSamples(std::vector<double> ms);

    // ---- the description ----
    JobResult& result() { return result_; }
    nlohmann::ordered_json& json() { return *result_.json; }
    void addRow(std::string what, std::string value) { result_.table.emplace_back(std::move(what), std::move(value)); }
    // Write keys of json() before the module's remaining keys.  describeAll() writes all but `operations` by default.
    void writeOperations();
    void writeExecutor();
    void writeCheck();
    void writePlace();

private:
    Status choosePlace();
    Status calculateAll();
    Status calculateAgain(std::size_t timesBefore);
    Status measureCopy();
    Status describeAll();
    void writeSamples();
    void writeRates();
    void writeTimes();
    void addCommonRows();

    const SteppedModule& module_;
    const ParameterValues& values_;
    const RunContext& context_;
    Place place_;
    std::vector<std::pair<std::string, std::uint64_t>> operations_, executor_;
    std::vector<double> samples_;  // main time of each repetition (milliseconds)
    double warmUpMs_ = 0;
    JobResult result_;
};

}  // namespace orogen::compute
