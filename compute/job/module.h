// What a panel, a script or the command line runs: a module that describes itself, and the result of a run.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/job/json_value.h"
#include "compute/job/parameters.h"
#include "core/base/background_task.h"
#include "core/base/status.h"

namespace orogen::compute {

class Cuda;

struct Timing
{
    std::string name;
    double ms = 0;                     // the shortest, where it was measured more than once
    std::vector<double> samples = {};  // all of them, in their order; empty: one
    double warmUpMs = 0;               // of a run before them that does not count; 0: there was none
};

// What the main time was spent on, once, so that it can be told as a rate.  0: not a quantity of this run.
struct Work
{
    double bytes = 0;       // read and written, each operand once
    double operations = 0;  // on numbers: of floating point, or what the module counts
    double iterations = 0;
    bool floatingPoint = false;  // operations are flop
};

// How many times as fast as what a module holds itself against.
struct Speedup
{
    std::string name;  // "K_abs"
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
    JsonValue json;                                          // the keys of the command line's contract
    std::string mainKey;                                     // of what a script expects as module.NAME.result
    std::vector<std::pair<std::string, std::string>> table;  // for people: what, value
    std::vector<Timing> times;
    std::string mainTime;        // the name of the one of `times` that a plot of runs shows; empty: the whole run's
    std::string device = "cpu";  // that the main time was spent on: "cpu", "cuda:0"
    Work work;
    // Read and written a second by a copy within the device's memory; 0: not measured.
    double copyBytesPerSecond = 0;
    std::uint64_t gpuFreeBytes = 0;  // when the run was over; 0: not asked
    std::optional<Speedup> speedup;
    CheckAnswer check = CheckAnswer::kNotMade;
    std::string oracle;                   // that the check was made with
    ExitCode exitCode = ExitCode::kDone;  // of the command; kNo: the check found a difference, or there is no solution
};

using Curve = ConvergenceCurve;
using Progress = TaskProgress;

struct RunContext
{
    Progress& progress;
    std::stop_token stop = {};  // looked at every 50 ms at least; after it, kInterrupted
    bool wholeResult = false;   // the main value in full, however long; else whether it is there is the module's choice
    bool measureCopy = false;   // of the device's memory, for Work's share of it; once in a process
    Cuda* cuda = nullptr;       // null: the one of this process
};

// An operand that the command line takes by its place: `A` of `multiword add A B` is the parameter `a`.
struct Operand
{
    std::string_view name = {}, parameter = {}, help = {};
};

// A subcommand.  Where the module has a parameter `operation`, the name is its value.
struct Operation
{
    std::string_view name = {};  // empty: the module's command itself, which then has no subcommands
    std::string_view help = {};
    std::vector<Operand> operands = {};
};

// A way to calculate, beside others: an algorithm on a back end, as the parameters of those names have them.
struct Variant
{
    std::string algorithm, backend;
    std::int64_t largest = 0;  // of the module's size; 0: any
    bool operator==(const Variant&) const = default;
};

// All that the rest of the program knows about a module.
struct ModuleDescription
{
    std::string_view name = {};     // of the command and in scripts: "multiword"
    std::string_view summary = {};  // what it does, in one line of --help
    std::string_view panel = {};    // of the panel and its items: "Multiword"
    std::string_view title = {};    // of the panel, on screen
    // A panel begins with input that the program makes, of a size (a parameter, and its first value there), until one
    // of the parameters in `given` holds other input.
    std::string_view size = {}, firstSize = {};
    std::vector<std::string_view> given = {};
    std::vector<std::string_view> rare = {};  // parameters that a panel folds away, beside those of every module
    std::vector<Operation> operations = {};
    std::vector<Parameter> parameters = {};
};

// Described once, run any number of times; holds nothing of a run, so that any thread may use it.
class Module
{
public:
    virtual ~Module() = default;
    virtual const ModuleDescription& description() const = 0;
    std::string_view name() const { return description().name; }
    std::span<const Parameter> parameters() const { return description().parameters; }

    // All ways to do what the values ask for, whatever they say of the algorithm: those of the back end that they name,
    // and for `auto` those of the CPU and of CUDA.  Empty: there is but one.
    virtual std::vector<Variant> variants(const ParameterValues&) const { return {}; }

    // What the run will occupy: "cpu", "cuda:0".  Empty: only CUDA's driver could tell, which this does not start.
    virtual std::string device(const ParameterValues& values) const = 0;
    // Errors as the command's exit codes.  Throws nothing but std::bad_alloc.
    virtual Result<JobResult> run(const ParameterValues& values, const RunContext& context) const = 0;

    // A whole result for people: its main value, an empty line, and resultText().
    virtual Result<std::string> readable(const JobResult& result, const ParameterValues& values) const;
};

// Runs on this thread; memory that runs out is an error (kLimit), too.
Result<JobResult> runModule(const Module& module, const ParameterValues& values, const RunContext& context);

// The table of the result, its times and their figures, a line each.
std::string resultText(const JobResult& result);
// A number that does not fit on a line, by its two ends.
std::string shortened(const std::string& number);

}  // namespace orogen::compute
