// Functions common to all modules: results as JSON and text, jobs, figures, and the error for exhausted memory.
#include "compute/job/module.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "compute/device/cuda.h"
#include "core/base/json.h"
#include "core/base/text.h"

namespace orogen::compute {

std::string_view textOf(CheckAnswer answer)
{
    switch (answer)
    {
    case CheckAnswer::kNotMade:
        return "not made";
    case CheckAnswer::kEqual:
        return "equal";
    case CheckAnswer::kDifferent:
        return "different";
    }
    return {};
}

Result<JobResult> runModule(const Module& module, const ParameterValues& values, const RunContext& context)
{
    try
    {
        return module.run(values, context);
    }
    catch (const std::bad_alloc&)
    {
        return Error{ExitCode::kLimit, fmt::format("{}: out of memory", module.name())};
    }
}

std::string resultText(const JobResult& result)
{
    std::string text = result.above;
    for (const auto& [what, value] : result.table)
        text += fmt::format("{:<24} {}\n", what, value);
    for (const Timing& time : result.times)
        text += fmt::format("{:<24} {:.4f} ms\n", "time, " + time.name, time.ms);
    if (const std::optional<RunFigures> figures = figuresOf(result))
        for (const auto& [what, value] : figureRows(*figures))
            text += fmt::format("{:<24} {}\n", what, value);
    return text + result.below;
}

std::string shortened(const std::string& number)
{
    constexpr std::size_t kShown = 200, kEnd = 32;
    if (number.size() <= kShown) return number;
    return fmt::format("{}...{}  ({} characters; --json has all)", number.substr(0, kEnd),
                       number.substr(number.size() - kEnd), number.size());
}

// ---- jobs ----
//
// A job acquires its device before its thread starts, if the device is known without the CUDA driver.  It releases the
// device before its state reports the end, so that an observer of the end can start the next job at once.

bool JobDevices::take(const std::string& device)
{
    const std::lock_guard lock(mutex_);
    return taken_.insert(device).second;
}

void JobDevices::release(const std::string& device)
{
    const std::lock_guard lock(mutex_);
    taken_.erase(device);
}

JobDevices& processJobDevices()
{
    static JobDevices devices;
    return devices;
}

std::string_view textOf(JobState state)
{
    switch (state)
    {
    case JobState::kRunning:
        return "running";
    case JobState::kDone:
        return "done";
    case JobState::kFailed:
        return "failed";
    case JobState::kCancelled:
        return "cancelled";
    }
    return {};
}

namespace {

Error busy(const Module& module, const std::string& device)
{
    return {ExitCode::kLimit, fmt::format("{}: {} is running another job", module.name(), device)};
}

// Starts the CUDA driver, and returns the device that a run will occupy.  For runs whose device only the driver can
// tell.
std::string lookForDevice(const Module& module, const ParameterValues& values, TaskProgress& progress)
{
    progress.enter("looking for CUDA devices");
    static_cast<void>(discoverCuda());
    return module.device(values);
}

}  // namespace

Result<std::unique_ptr<Job>> startJob(const Module& module, ParameterValues values, const JobOptions& options)
{
    JobDevices& devices = options.devices ? *options.devices : processJobDevices();
    const std::string known = module.device(values);
    if (!known.empty() && !devices.take(known)) return busy(module, known);
    const auto work = [&module, values = std::move(values), options, known,
                       &devices](const TaskContext& context) -> Result<JobResult> {
        const std::string device = known.empty() ? lookForDevice(module, values, context.progress) : known;
        if (known.empty() && !devices.take(device)) return busy(module, device);
        Result<JobResult> result = runModule(
            module, values,
            {context.progress, context.stop, options.wholeResult, options.readable, options.measureCopy, nullptr});
        devices.release(device);
        return result;
    };
    Result<std::unique_ptr<Job>> job = Job::start(std::string(module.name()), work);
    if (!job && !known.empty()) devices.release(known);
    return job;
}

// ---- figures ----

namespace {

// Entries of `times` that the end-to-end time adds to the main time.  Data begins and ends in the CPU's memory, in the
// caller's format.
constexpr std::array<std::string_view, 6> kAround = {"convert", "pack", "allocate", "upload", "download", "unpack"};

void addRates(const JobResult& result, RunFigures& figures)
{
    const Work& work = result.work;
    const double seconds = figures.medianMs / 1000;
    if (work.bytes > 0) figures.gbPerS = work.bytes / seconds / 1e9;
    if (result.copyBytesPerSecond > 0) figures.copyGbPerS = result.copyBytesPerSecond / 1e9;
    if (figures.gbPerS && figures.copyGbPerS) figures.copyShare = *figures.gbPerS / *figures.copyGbPerS;
    if (work.operations > 0) figures.gopPerS = work.operations / seconds / 1e9;
    figures.floatingPoint = work.floatingPoint;
    if (work.iterations > 0) figures.msPerIteration = figures.medianMs / work.iterations;
}

}  // namespace

double quantileOf(std::span<const double> values, double share)
{
    if (values.empty()) return 0;
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const double place = share * double(sorted.size() - 1);
    const auto below = std::size_t(place);
    if (below + 1 >= sorted.size()) return sorted.back();
    return std::lerp(sorted[below], sorted[below + 1], place - double(below));
}

std::optional<RunFigures> figuresOf(const JobResult& result)
{
    const auto main = std::ranges::find(result.times, result.mainTime, &Timing::name);
    if (main == result.times.end() || main->ms <= 0) return std::nullopt;
    const std::vector<double> one = {main->ms}, &samples = main->samples.empty() ? one : main->samples;
    RunFigures figures = {.samples = samples.size(),
                          .shortestMs = *std::ranges::min_element(samples),
                          .medianMs = quantileOf(samples, 0.5),
                          .longestMs = *std::ranges::max_element(samples),
                          .lowerMs = quantileOf(samples, 0.25),
                          .upperMs = quantileOf(samples, 0.75),
                          .warmUpMs = main->warmUpMs};
    figures.endToEndMs = figures.medianMs;
    for (const Timing& time : result.times)
        if (std::ranges::find(kAround, time.name) != kAround.end()) figures.endToEndMs += time.ms;
    if (figures.medianMs > 0) addRates(result, figures);
    return figures;
}

std::vector<std::pair<std::string, double>> ratesOf(const RunFigures& figures)
{
    std::vector<std::pair<std::string, double>> rates;
    if (figures.samples > 1)
    {
        rates = {{"median_ms", figures.medianMs},
                 {"lower_quartile_ms", figures.lowerMs},
                 {"upper_quartile_ms", figures.upperMs}};
    }
    if (figures.endToEndMs > figures.medianMs) rates.emplace_back("end_to_end_ms", figures.endToEndMs);
    const auto add = [&rates](const char* key, const std::optional<double>& value) {
        if (value) rates.emplace_back(key, *value);
    };
    add("gb_per_s", figures.gbPerS);
    add("copy_gb_per_s", figures.copyGbPerS);
    add("share_of_copy", figures.copyShare);
    add(figures.floatingPoint ? "gflop_per_s" : "gop_per_s", figures.gopPerS);
    add("ms_per_iteration", figures.msPerIteration);
    return rates;
}

std::vector<std::pair<std::string, std::string>> figureRows(const RunFigures& figures)
{
    std::vector<std::pair<std::string, std::string>> rows;
    if (figures.samples > 1)
    {
        rows.emplace_back(fmt::format("median of {}", figures.samples), significant(figures.medianMs, 4) + " ms");
        rows.emplace_back("quartiles",
                          fmt::format("{} to {} ms", significant(figures.lowerMs, 4), significant(figures.upperMs, 4)));
    }
    if (figures.warmUpMs > 0) rows.emplace_back("warm-up, not counted", significant(figures.warmUpMs, 4) + " ms");
    if (figures.endToEndMs > figures.medianMs)
    {
        rows.emplace_back("resident", significant(figures.medianMs, 4) + " ms");
        rows.emplace_back("end to end", significant(figures.endToEndMs, 4) + " ms");
    }
    if (figures.gbPerS) rows.emplace_back("memory traffic", significant(*figures.gbPerS, 3) + " GB/s");
    if (figures.copyShare)
        rows.emplace_back(
            "share of a copy",
            *figures.copyShare < 10
                ? fmt::format("{} % of {} GB/s", significant(100 * *figures.copyShare, 3),
                              significant(*figures.copyGbPerS, 3))
                : fmt::format("{:.3g} times {} GB/s", *figures.copyShare, significant(*figures.copyGbPerS, 3)));
    if (figures.gopPerS)
        rows.emplace_back("speed",
                          significant(*figures.gopPerS, 3) + (figures.floatingPoint ? " Gflop/s" : " G operations/s"));
    if (figures.msPerIteration) rows.emplace_back("an iteration", significant(*figures.msPerIteration, 4) + " ms");
    return rows;
}

}  // namespace orogen::compute
