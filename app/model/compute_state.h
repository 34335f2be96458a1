// State of compute modules (compute/) and of the laboratory (timed tree experiments) for panels, and requests to them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/bench/tree/experiment.h"
#include "compute/device/cuda.h"
#include "compute/job/module.h"

namespace orogen::app {

// Requested run: parameters as text, in order.  `wholeResult`: the result holds the computed value in full, however
// long it is.
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
    std::optional<compute::JobResult> result{};  // set when done
    std::string error{};                         // set when failed
    double ms = 0;                               // whole run, by the CPU's clock
    compute::Curve curve{};                      // partial if the run did not finish
};

struct ModuleProgress
{
    double fraction = 0;
    std::string phase;
    double seconds = 0;
    compute::Curve curve{};
};

// Returns "multiword operation=multiply length=4096": the script step that repeats the run, without "run".
std::string commandOf(const ModuleRequest& request);

// ---- sweep over sizes and algorithms ----

struct ModuleSweepRequest
{
    std::string module;                                              // Module::name()
    std::vector<std::pair<std::string, std::string>> assignments{};  // for every run
    std::vector<compute::Variant> variants{};                        // at least one
    std::vector<std::int64_t> sizes{};  // values of the module's size parameter; ascending, at least one
};

// Returns up to `count` (>= 2) distinct sizes from `from` to `to`, both included, at roughly equal ratios;
// 1 <= from <= to.
std::vector<std::int64_t> sweptSizes(std::int64_t from, std::int64_t to, int count);

// Returns the name of a plot line: "simd", "lookback on cuda".
std::string nameOf(const compute::Variant& variant);

struct ModuleSweepPoint
{
    std::size_t variant = 0;  // index into the request's variants
    std::int64_t size = 0;
    std::optional<compute::JobResult> result{};  // empty: failed
    std::string error{};
};

// Quantities that a sweep's plot can show over the size.
enum class SweepQuantity
{
    kTime,       // median of the measured section (ms)
    kEndToEnd,   // includes transfers to and from the GPU (ms)
    kTraffic,    // memory traffic (GB/s)
    kCopyShare,  // traffic as a share of the copy bandwidth (%)
    kSpeed,      // 1e9 operations per second
    kIteration,  // time of one iteration (ms)
    kSpeedup,    // how many times as fast as the module's reference
};
inline constexpr SweepQuantity kSweepQuantities[] = {
    SweepQuantity::kTime,  SweepQuantity::kEndToEnd,  SweepQuantity::kTraffic, SweepQuantity::kCopyShare,
    SweepQuantity::kSpeed, SweepQuantity::kIteration, SweepQuantity::kSpeedup};
std::string_view keyOf(SweepQuantity quantity);  // "time", "end_to_end": name in scripts
// Returns the quantity of a result, in its unit; empty if the result lacks it.
std::optional<double> valueOf(SweepQuantity quantity, const compute::JobResult& result);

class ModuleSweep
{
public:
    explicit ModuleSweep(ModuleSweepRequest request) : request_(std::move(request)) { skip(); }

    const ModuleSweepRequest& request() const { return request_; }
    // Returns parameters and values of the next run, with the size parameter called `size`; empty: none left.
    std::optional<std::vector<std::pair<std::string, std::string>>> next(std::string_view size) const;
    std::string nextName() const;  // "simd, 65536"
    // Adds a run's result or error.  From then on skips a variant that failed, since larger sizes would fail too, and
    // a variant that supports no larger size.
    void add(std::optional<compute::JobResult> result, std::string error);
    void cancel() { cancelled_ = true; }

    bool over() const { return cancelled_ || at_ == todo(); }
    bool cancelled() const { return cancelled_; }
    std::size_t done() const { return at_; }  // runs, including skipped ones
    std::size_t todo() const { return request_.sizes.size() * request_.variants.size(); }
    const std::vector<ModuleSweepPoint>& points() const { return points_; }

private:
    std::size_t variant() const { return at_ % request_.variants.size(); }
    std::int64_t sizeNow() const { return request_.sizes[at_ / request_.variants.size()]; }
    bool failed(std::size_t variant) const;
    void skip();  // advances past runs to be skipped

    ModuleSweepRequest request_;
    std::vector<ModuleSweepPoint> points_;
    std::size_t at_ = 0;  // iterates variants first, then sizes, so plot lines grow together
    bool cancelled_ = false;
};

struct ModuleState
{
    std::optional<ModuleProgress> progress;        // empty: not running
    const std::vector<ModuleRun>* runs = nullptr;  // oldest first; never null
    const ModuleSweep* sweep = nullptr;            // running or newest; null: none
};

// State of all compute modules.
struct ComputeState
{
    std::map<std::string, ModuleState, std::less<>> modules;  // by Module::name(); all
    bool keepsFrames = false;                                 // the terrain is drawn while a module runs
    std::uint64_t freeMemory = 0;                             // main memory (bytes); 0: unknown yet
    // Returns the available CUDA devices; the first call starts to look for them in the background.
    std::function<const compute::CudaReport&()> cuda;
};

// ---- laboratory ----

struct LabRequest
{
    std::string experiment;
    LabOptions options;
};

struct LaboratoryState
{
    bool running = false;
    double fraction = 0;                      // progress, 0 to 1
    std::string now;                          // current measurement
    std::string error;                        // the newest run's; empty: none
    const Experiment* experiment = nullptr;   // running or newest; null: none yet
    const bench::FigureData* data = nullptr;  // figure of that experiment; null: none yet
};

}  // namespace orogen::app
