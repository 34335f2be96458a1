// Compute modules whose runs consist of the steps common to all: choose the place, obtain the input, calculate, check
// against an oracle, compare, describe.  A module derives its own run and implements its part of each step.
//
// The result's JSON keys keep the order in which they are written.  Usually the order is: the module's own, `check` and
// `oracle`, `algorithm`, `executor` (host executor only), `backend`, `gpu` (CUDA only), and `time_ms` with `total`, the
// sum of the other times.  `time_samples_ms`, `warm_up_ms` and `rates` follow if there are any.
//
// Every run has the parameter `repetitions`.  With two or more, an uncounted warm-up run precedes the measured ones.
// calculate() may repeat its timed part by shortestOf(), or in its own way and pass the times to recordSamples().
// Otherwise the whole of calculate() is repeated.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/device/kernel_target.h"
#include "compute/job/module.h"
#include "compute/job/parameters.h"
#include "core/base/clock.h"
#include "core/base/status.h"

namespace orogen::compute {

// ---- place of the arithmetic ----
//
// A place is an algorithm on a back end.  Modules list the algorithms of each back end.  choosePlace() resolves `auto`
// and rejects impossible combinations.

enum class Backend
{
    kCpu,
    kHostKernel,  // the CUDA kernels' source, run on the CPU
    kCuda,
};
std::string_view textOf(Backend backend);  // "cpu", "host-kernel", "cuda"

struct Place
{
    std::string algorithm = {};
    Backend backend = Backend::kCpu;
    int gpu = 0;  // number of the GPU for kCuda, from 0

    bool inKernels() const { return backend != Backend::kCpu; }
    std::string device() const;  // device that a job locks: "cpu", "cuda:0"
};

// The algorithms of a module, or of one of its operations.
struct Algorithms
{
    std::string operation = {};             // named in errors; empty: the module has only one
    std::vector<std::string> cpu = {};      // on the CPU
    std::vector<std::string> kernels = {};  // on a GPU and the host executor
    // Meaning of `auto`.  Empty: it stays "auto", and the module chooses once it knows its input.
    std::string standardOnCpu = {}, standardInKernels = {};
    std::vector<std::pair<std::string, std::int64_t>> largest = {};  // size limits of those algorithms that have one
};

// Appends the parameters algorithm, backend, gpu and threads.  The functions below need the first three in `values`.
void appendPlaceParameters(std::vector<Parameter>& parameters, std::span<const Algorithms> algorithms,
                           std::string algorithmHelp);

// Chooses the algorithm, back end and GPU of a run.
//
// Without `gpu`, CUDA runs on preferredCudaDevice().
//
// `backend` auto prefers the CPU if the algorithm exists there: the input is in its memory, and a run often takes less
// time than the upload to a GPU.  Next comes CUDA if usable, then the kernels' source on the CPU.  With `gpu`, auto
// means CUDA.  Errors: kUsage for an impossible combination; kDevice if CUDA is requested and not usable, the GPU does
// not exist, or the kernels do not run on it.  May start the CUDA driver, so rendering threads must not call this.
Result<Place> choosePlace(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda = processCuda());

// Returns Module::variants() for a module with these algorithms.
std::vector<Variant> variantsOf(const Algorithms& algorithms, const ParameterValues& values);

// Returns the device that a run with these values occupies.  Cannot fail: for a run that will fail, returns the GPU
// that it requests, else "cpu".  Never starts the CUDA driver; returns an empty string if only the driver could tell.
std::string deviceOf(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda = processCuda());

// ---- run ----

class SteppedRun;

// Module whose runs are derived from SteppedRun.
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
    virtual std::unique_ptr<SteppedRun> makeRun(const ParameterValues& values, const RunContext& context) const = 0;

private:
    ModuleDescription description_;
};

class SteppedRun
{
public:
    SteppedRun(const SteppedModule& module, const ParameterValues& values, const RunContext& context)
        : module_(module), values_(values), context_(context)
    {
    }
    SteppedRun(const SteppedRun&) = delete;
    SteppedRun& operator=(const SteppedRun&) = delete;
    virtual ~SteppedRun() = default;

    // Executes the steps; callable once.  Error kInterrupted: stopped between or within steps.
    Result<JobResult> run();

protected:
    // The steps in order of execution.  place() is available from obtainInput() on.
    virtual Status validate() { return Status::ok(); }  // checks values before any work
    virtual Status obtainInput() = 0;
    virtual Status calculate() = 0;                    // may be called repeatedly: leaves the same state each time
    virtual Status check() = 0;                        // calls answer() if it can decide
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

    // Calls `once` as often as `repetitions` says, and once before that as a warm-up if there are several.  Reports
    // progress.  The times that `once` returns become the samples of the main time.  Returns the shortest (ms).
    Result<double> shortestOf(const std::function<Result<double>()>& once);
    // Records times of repetitions measured elsewhere (milliseconds).  If there are several, the first is the warm-up.
    void recordSamples(std::vector<double> ms);

    // ---- the description ----
    JobResult& result() { return result_; }
    Json& json() { return result_.json; }
    void addRow(std::string what, std::string value) { result_.table.emplace_back(std::move(what), std::move(value)); }
    // Write keys common to all modules.  If a module does not call writePlace(), describeAll() calls writeCheck() and
    // writePlace() after the module's own keys.  Only the module itself calls writeOperations().
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
