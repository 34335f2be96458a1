// A run of a compute module in the steps that all of them have: choose the place, obtain the input, calculate, check
// against an oracle, compare, describe.  A module derives its own run from this and states what is its own in each
// step.
//
// The result gets its JSON keys in the order in which they are written: the module's own, `check` and `oracle`, then
// `algorithm`, `executor` (of the host executor), `backend`, and `time_ms` with `total`, the sum of the others.  Where
// there are such, `time_samples_ms`, `warm_up_ms` and `rates` follow.
//
// `repetitions` is a parameter of each of them.  Two and more are measured behind a run that warms up and does not
// count: by shortestOf() or recordSamples() where the module repeats within its calculation, else by doing the whole
// calculation again.
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

// A module whose runs are made of these steps.
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

    // Once.  A stop between or within the steps is kInterrupted.
    Result<JobResult> run();

protected:
    // The steps, in their order; place() is chosen before the first.
    virtual Status validate() { return Status::ok(); }  // what can be said of the values before any work
    virtual Status obtainInput() = 0;
    virtual Status calculate() = 0;                    // leaves the same when it is done again
    virtual Status check() = 0;                        // ends with answer()
    virtual Status compare() { return Status::ok(); }  // with what the module holds itself against
    virtual Status describe() = 0;                     // the module's own keys of json() and rows

    // ---- what the steps have ----
    const ParameterValues& values() const { return values_; }
    const RunContext& context() const { return context_; }
    const std::stop_token& stop() const { return context_.stop; }
    bool stopped() const { return context_.stop.stop_requested(); }
    Error cancelled() const;
    const Place& place() const { return place_; }
    void chooseAlgorithm(std::string name) { place_.algorithm = std::move(name); }  // where it is still "auto"
    Result<std::unique_ptr<KernelTarget>> openTarget() const;  // the place's GPU, or the host executor
    Cuda& cuda() const { return context_.cuda ? *context_.cuda : processCuda(); }

    // ---- what they leave ----
    void enterCalculation(std::string_view addition = {});  // "ALGORITHM, BACKEND" as the progress's phase
    void addTime(std::string name, double ms) { result_.times.push_back({std::move(name), ms}); }
    void addMainTime(std::string name, double ms);
    // The transfers' and the kernel's; the kernel's is the main one.
    void addKernelTimes(double uploadMs, double kernelMs, double downloadMs);
    void countOperations(std::string name, std::uint64_t count);
    void countWork(const Work& work) { result_.work = work; }
    // Error kDevice where the host executor ran no block although there was work.
    Status countExecutor(const ExecutorCounts& counts, bool hadWork = true);
    void answer(bool equal, std::string oracle);  // of the check

    // As often as `repetitions` says, with progress; returns the shortest of the times that `once` returns.  All of
    // them become the samples of the main time.
    Result<double> shortestOf(const std::function<Result<double>()>& once);
    // Of the main time, where something else repeated it: the first is a warm-up, where there are more.
    void recordSamples(std::vector<double> ms);

    // ---- the description ----
    JobResult& result() { return result_; }
    nlohmann::ordered_json& json() { return *result_.json; }
    void addRow(std::string what, std::string value) { result_.table.emplace_back(std::move(what), std::move(value)); }
    // Of json(), where the module wants them before the end of its own keys; else they follow by themselves.
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
    std::vector<double> samples_;  // of the main time
    double warmUpMs_ = 0;
    JobResult result_;
};

}  // namespace orogen::compute
