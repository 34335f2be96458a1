// Compute modules as panels, scripts and the command line see them: their description, runs in the background, their
// results, and the statistics of their times (median, spread, rates of work, end-to-end time).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/job/parameters.h"
#include "core/base/background_task.h"
#include "core/base/json.h"
#include "core/base/status.h"

namespace orogen::compute {

class Cuda;

struct Timing
{
    std::string name;
    double ms = 0;                     // the shortest if measured more than once
    std::vector<double> samples = {};  // measurements in order, without the warm-up; may be empty for a single one
    double warmUpMs = 0;               // uncounted run before the samples; 0: none
};

// Work of one repetition of the timed part; rates are this divided by the main time. 0: does not apply to this run.
struct Work
{
    double bytes = 0;       // read and written, counting each operand once
    double operations = 0;  // arithmetic: floating point, or as the module defines
    double iterations = 0;
    bool floatingPoint = false;  // `operations` are floating-point operations
};

// Speedup over the reference that the module is compared with.
struct Speedup
{
    std::string name;  // name of the reference: "gmp", "K_abs"
    double factor = 0;
};

enum class CheckAnswer
{
    kNotMade,
    kEqual,
    kDifferent,
};
std::string_view textOf(CheckAnswer answer);

struct JobResult
{
    Json json;              // output of the command line, which the program does not read again
    std::string value;      // main value, which scripts see as module.NAME.result; empty: left out because it is long
    std::string valueName;  // label of the row that shows `value` in a panel; empty: no row
    std::string above, below;  // with RunContext::readable: text for people above and below the table
    std::vector<std::pair<std::string, std::string>> table;  // rows for people: label, value
    std::string algorithm, backend;                          // as in parameters: "simd", "cpu"
    std::vector<Timing> times;
    std::string mainTime;        // entry of `times` for rates and plots; empty: none, the run has no rates
    std::string device = "cpu";  // device of the main time: "cpu", "cuda:0"
    Work work;
    // Bandwidth of a copy within the device's memory (bytes/s, read plus written); 0: not measured.
    double copyBytesPerSecond = 0;
    std::uint64_t gpuFreeBytes = 0;  // at the end of the run; 0: not queried
    std::optional<Speedup> speedup;  // also a row of `table`, which the module writes
    CheckAnswer check = CheckAnswer::kNotMade;
    std::string oracle;                   // independent reference that checked the result
    ExitCode exitCode = ExitCode::kDone;  // the command's; kNo: the check found a difference, or no solution was found
};

using Curve = ConvergenceCurve;
using Progress = TaskProgress;

struct RunContext
{
    Progress& progress;
    std::stop_token stop = {};  // polled at least every 50 ms, except within other libraries; yields kInterrupted
    bool wholeResult = false;   // include the full main value, however long; else the module decides
    bool readable = false;      // make the text for people
    bool measureCopy = false;   // measure the device's copy bandwidth, to compare the run's memory traffic with
    Cuda* cuda = nullptr;       // null: processCuda()
};

// Positional operand of the command line: `A` of `multiword add A B` is the parameter `a`.
struct Operand
{
    std::string_view name = {}, parameter = {}, help = {};
    bool many = false;  // takes one or more words; the parameter's value has one per line
    // Parameters that generate the value of this operand.  If one of them is given, a single word on the command line
    // is the value of the next operand.
    std::vector<std::string_view> madeBy = {};
};

// Subcommand.  If the module has a parameter `operation`, the subcommand sets it to `name`.
struct Operation
{
    std::string_view name = {};  // empty: the module's command itself, without subcommands
    std::string_view help = {};
    std::vector<Operand> operands = {};
};

// Combination of algorithm and back end, as named by the parameters `algorithm` and `backend`.
struct Variant
{
    std::string algorithm, backend;
    std::int64_t largest = 0;  // largest value of the parameter ModuleDescription::size; 0: no limit
    bool operator==(const Variant&) const = default;
};

// Description of a module for the command line, scripts and panels.
struct ModuleDescription
{
    std::string_view name = {};     // name of the command and in scripts: "multiword"
    std::string_view summary = {};  // purpose, in one line of --help
    std::string_view panel = {};    // name of the panel and its items: "Multiword"
    std::string_view title = {};    // heading of the panel on screen
    // A panel starts with generated input.  `size` is the parameter for its size, with the initial value `firstSize`.
    // A value of one of the parameters in `given` replaces the generated input.
    std::string_view size = {}, firstSize = {};
    std::vector<std::string_view> given = {};
    std::vector<std::string_view> rare = {};  // parameters that a panel collapses, besides those common to all modules
    std::vector<std::string_view> ticked = {};  // flags that are set in a panel at first
    std::vector<Operation> operations = {};
    std::vector<Parameter> parameters = {};
};

// Stateless description and entry point of a module, usable from any thread for any number of runs.
class Module
{
public:
    virtual ~Module() = default;
    virtual const ModuleDescription& description() const = 0;
    std::string_view name() const { return description().name; }
    std::span<const Parameter> parameters() const { return description().parameters; }

    // Returns all combinations that can do the requested operation, regardless of the parameter `algorithm`.  `backend`
    // restricts them; `auto` allows those of the CPU and CUDA.  Empty: the module has only one.
    virtual std::vector<Variant> variants(const ParameterValues&) const { return {}; }

    // Returns the device that the run will occupy ("cpu", "cuda:0").  Returns an empty string if only the CUDA driver
    // can tell, which this function does not start.
    virtual std::string device(const ParameterValues& values) const = 0;
    // Runs the module.  Errors are the command's exit codes.  Throws only std::bad_alloc.
    virtual Result<JobResult> run(const ParameterValues& values, const RunContext& context) const = 0;
};

// Runs the module on this thread; also returns exhausted memory as an error (kLimit).
Result<JobResult> runModule(const Module& module, const ParameterValues& values, const RunContext& context);

// Returns the rows of the result, its times and their figures, one per line, between the texts `above` and `below`.
std::string resultText(const JobResult& result);
// Abbreviates a number longer than 200 characters to its first and last 32.
std::string shortened(const std::string& number);

// ---- jobs: runs in the background, one at a time per device ----

// Registry of the devices in use: one job at a time per device.
class JobDevices
{
public:
    bool take(const std::string& device);  // reserves the device; false: the device is in use
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
    bool wholeResult = false, readable = false, measureCopy = false;  // see RunContext
    JobDevices* devices = nullptr;                                    // must outlive the job; null: processJobDevices()
};

using Job = BackgroundTask<JobResult>;

// Starts a run on its own thread.  Error kLimit: the device runs another job, or no thread can be started.  If only the
// CUDA driver can tell the device, the job's thread queries it and reports a device in use.  `module` must outlive the
// job.
Result<std::unique_ptr<Job>> startJob(const Module& module, ParameterValues values, const JobOptions& options = {});

// ---- figures of a result ----

// Returns the quantile `share` (0 to 1) of the values, in any order, by linear interpolation; 0 if there are none.
double quantileOf(std::span<const double> values, double share);

struct RunFigures
{
    std::size_t samples = 1;                             // number of main times, without the warm-up
    double shortestMs = 0, medianMs = 0, longestMs = 0;  // main time, with the data resident on the device
    double lowerMs = 0, upperMs = 0;                     // quartiles of the main time
    double warmUpMs = 0;                                 // 0: no warm-up
    // Median plus conversion, packing, unpacking, allocation and transfers; equals the median if there are none.
    double endToEndMs = 0;
    // Rates by the median; empty if the module does not report its work or nothing was measured.
    std::optional<double> gbPerS = {}, copyGbPerS = {}, copyShare = {};  // 1e9 bytes/s; copyShare: gbPerS / copyGbPerS
    std::optional<double> gopPerS = {};                                  // 1e9 operations/s
    bool floatingPoint = false;                                          // gopPerS counts floating-point operations
    std::optional<double> msPerIteration = {};
};

// Returns the figures of a result; empty if the result has no main time, or if that time is 0.
std::optional<RunFigures> figuresOf(const JobResult& result);

// Returns the keys and values of `rates` in the result's JSON.  Median and quartiles need two samples or more.
std::vector<std::pair<std::string, double>> ratesOf(const RunFigures& figures);

// Returns the figures as rows of a table: label, value with unit.
std::vector<std::pair<std::string, std::string>> figureRows(const RunFigures& figures);

}  // namespace orogen::compute
