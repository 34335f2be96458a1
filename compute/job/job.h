// What a panel, a script or the command line runs: a module that describes its parameters, and a job that runs it on a
// thread of its own.  Command-line options, `run MODULE key=value` and a panel's controls are made from the one
// description.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/background_task.h"
#include "core/base/status.h"

namespace orogen::compute {

// ---- parameters ----

enum class ParameterKind
{
    kInteger,
    kReal,
    kChoice,  // one of a few words
    kText,
    kFile,
    kFlag,  // "true" or "false"
};

struct Parameter
{
    std::string name;  // as a long option, without its dashes
    ParameterKind kind = ParameterKind::kText;
    std::string help;      // one line; units
    std::string standard;  // the value when none is given, as text; empty: none
    std::int64_t lowest = 0, highest = 0;
    double low = 0, high = 0;
    std::vector<std::string> choices;

    static Parameter integer(std::string name, std::int64_t lowest, std::int64_t highest, std::string standard,
                             std::string help);
    static Parameter real(std::string name, double low, double high, std::string standard, std::string help);
    static Parameter choice(std::string name, std::vector<std::string> choices, std::string standard, std::string help);
    static Parameter text(std::string name, std::string help);
    static Parameter file(std::string name, std::string help);
    static Parameter flag(std::string name, std::string help);

    std::string range() const;  // "an integer from 1 to 64", "cpu, cuda or auto"
};

// Values for a list of parameters, which must outlive them.
class ParameterValues
{
public:
    explicit ParameterValues(std::span<const Parameter> parameters);

    // Error kUsage: no such parameter, or a value out of its range, with the range.
    Status set(std::string_view name, std::string_view value);
    Status setAssignment(std::string_view text);  // "key=value"; "key" alone sets a flag

    bool given(std::string_view name) const;  // by set(), whatever the standard value is
    // Of a parameter that exists, is of that kind and has a value: anything else is a programmer's error.
    std::int64_t integer(std::string_view name) const;
    double real(std::string_view name) const;
    bool flag(std::string_view name) const;
    const std::string& text(std::string_view name) const;  // any kind; empty where there is no value

private:
    std::size_t indexOf(std::string_view name) const;  // parameters_.size() where there is none

    std::span<const Parameter> parameters_;
    std::vector<std::string> values_;
    std::vector<bool> given_;
};

// ---- a run and what comes of it ----

struct Timing
{
    std::string name;
    double ms = 0;
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
    nlohmann::ordered_json json;                             // the keys of the command line's contract
    std::string mainKey;                                     // of what a script expects as module.NAME.result
    std::vector<std::pair<std::string, std::string>> table;  // for people: what, value
    std::vector<Timing> times;
    std::optional<Speedup> speedup;
    CheckAnswer check = CheckAnswer::kNotMade;
    std::string oracle;  // that the check was made with
};

using Curve = ConvergenceCurve;
using Progress = TaskProgress;

struct RunContext
{
    Progress& progress;
    std::stop_token stop;      // looked at every 50 ms at least; after it, kInterrupted
    bool wholeResult = false;  // the main value in full, however long; else whether it is there is the module's choice
};

// Described once, run any number of times; holds nothing of a run, so that any thread may use it.
class Module
{
public:
    virtual ~Module() = default;
    virtual std::string_view name() const = 0;  // "multiword"
    virtual std::span<const Parameter> parameters() const = 0;
    // What the run will occupy: "cpu", "cuda:0".
    virtual std::string device(const ParameterValues& values) const = 0;
    // Errors as the command's exit codes.  Throws nothing but std::bad_alloc.
    virtual Result<JobResult> run(const ParameterValues& values, const RunContext& context) const = 0;
};

// Runs on this thread; memory that runs out is an error (kLimit), too.
Result<JobResult> runModule(const Module& module, const ParameterValues& values, const RunContext& context);

// ---- jobs ----

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

enum class JobState
{
    kRunning,
    kDone,
    kFailed,
    kCancelled,
};
std::string_view textOf(JobState state);

// A run on a thread of its own.  Nothing here waits but the destructor, which cancels.
class Job
{
public:
    // Error kLimit: the device runs another job.  `module` and `devices` must outlive the job.
    static Result<std::unique_ptr<Job>> start(const Module& module, ParameterValues values, bool wholeResult = false,
                                              JobDevices& devices = processJobDevices());
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    JobState state() const { return state_.load(std::memory_order_acquire); }
    void cancel() { thread_.request_stop(); }
    const Progress& progress() const { return progress_; }
    std::chrono::nanoseconds elapsed() const;  // of the run, so far or in all
    const std::string& device() const { return device_; }

    // Once it is not running any more: empty unless it is done, failed.
    const JobResult* result() const;
    const Error* error() const;

private:
    using Clock = std::chrono::steady_clock;

    Job(const Module& module, ParameterValues values, bool wholeResult, std::string device, JobDevices& devices);
    void run(const std::stop_token& stop);

    const Module& module_;
    const ParameterValues values_;
    const bool wholeResult_;
    const std::string device_;
    JobDevices& devices_;
    const Clock::time_point start_ = Clock::now();
    std::atomic<Clock::duration::rep> ran_{0};  // 0: still runs
    Progress progress_;
    Result<JobResult> outcome_;  // of the thread, until the state says otherwise
    std::atomic<JobState> state_{JobState::kRunning};
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace orogen::compute
