// Steps of a run and the parts of its result common to all modules.
#include "compute/job/module_run.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "compute/device/target_copy.h"
#include "compute/job/copy_bandwidth.h"
#include "compute/job/figures.h"

namespace orogen::compute {
namespace {

ModuleDescription withRepetitions(ModuleDescription description)
{
    constexpr std::int64_t kMost = 1'000'000;
    if (std::ranges::find(description.parameters, "repetitions", &Parameter::name) == description.parameters.end())
        description.parameters.push_back(Parameter::integer(
            "repetitions", 1, kMost, "1", "of what is timed; 2 and more behind a warm-up that does not count"));
    return description;
}

}  // namespace

SteppedModule::SteppedModule(ModuleDescription description) : description_(withRepetitions(std::move(description))) {}

Result<JobResult> SteppedModule::run(const ParameterValues& values, const RunContext& context) const
{
    return makeRun(values, context)->run();
}

Result<JobResult> ModuleRun::run()
{
    using Step = Status (ModuleRun::*)();
    for (const Step step :
         {&ModuleRun::validate, &ModuleRun::choosePlace, &ModuleRun::obtainInput, &ModuleRun::calculateAll,
          &ModuleRun::check, &ModuleRun::compare, &ModuleRun::measureCopy, &ModuleRun::describeAll})
    {
        const Status status = (this->*step)();
        if (stopped()) return cancelled();
        if (!status) return status.error();
    }
    return std::move(result_);
}

Error ModuleRun::cancelled() const { return {ExitCode::kInterrupted, fmt::format("{}: cancelled", module_.name())}; }

Status ModuleRun::choosePlace()
{
    Result<Place> place = compute::choosePlace(module_.algorithms(values_), values_, cuda());
    if (!place) return place.error();
    place_ = std::move(*place);
    result_.device = place_.device();
    return Status::ok();
}

Result<std::unique_ptr<KernelTarget>> ModuleRun::openTarget() const
{
    if (place_.backend == Backend::kCuda) return makeCudaTarget(cuda(), place_.gpu, context_.stop);
    HostSchedule schedule;
    schedule.stop = context_.stop;
    return makeHostTarget(schedule);
}

void ModuleRun::enterCalculation(std::string_view addition)
{
    context_.progress.enter(fmt::format("{}, {}{}", place_.algorithm, textOf(place_.backend), addition));
}

void ModuleRun::addMainTime(std::string name, double ms)
{
    result_.mainTime = name;
    addTime(std::move(name), ms);
}

void ModuleRun::addKernelTimes(double uploadMs, double kernelMs, double downloadMs)
{
    addTime("upload", uploadMs);
    addMainTime("kernel", kernelMs);
    addTime("download", downloadMs);
}

void ModuleRun::countOperations(std::string name, std::uint64_t count)
{
    operations_.emplace_back(std::move(name), count);
}

Status ModuleRun::countExecutor(const ExecutorCounts& counts, bool hadWork)
{
    if (place_.backend != Backend::kHostKernel) return Status::ok();
    if (counts.blocks == 0 && hadWork) return Error{ExitCode::kDevice, "host-kernel: the executor ran no block"};
    executor_ = {{"blocks", counts.blocks}, {"threads", counts.threads}, {"switches", counts.switches}};
    return Status::ok();
}

void ModuleRun::answer(bool equal, std::string oracle)
{
    result_.check = equal ? CheckAnswer::kEqual : CheckAnswer::kDifferent;
    result_.oracle = std::move(oracle);
    if (!equal) result_.exitCode = ExitCode::kNo;
}

Result<double> ModuleRun::shortestOf(const std::function<Result<double>()>& once)
{
    const std::int64_t repetitions = values_.integer("repetitions");
    const std::int64_t runs = repetitions + (repetitions > 1);
    std::vector<double> ms;
    for (std::int64_t i = 0; i < runs; ++i)
    {
        const Result<double> time = once();
        if (stopped()) return cancelled();
        if (!time) return time.error();
        ms.push_back(*time);
        context_.progress.set(double(i + 1) / double(runs));
    }
    recordSamples(std::move(ms));
    return *std::ranges::min_element(samples_);
}

void ModuleRun::recordSamples(std::vector<double> ms)
{
    warmUpMs_ = ms.size() > 1 ? ms.front() : 0;
    if (ms.size() > 1) ms.erase(ms.begin());
    samples_ = std::move(ms);
}

// ---- repetitions ----

Status ModuleRun::calculateAll()
{
    const std::size_t timesBefore = result_.times.size();
    if (Status status = calculate(); !status || stopped()) return status;
    if (samples_.empty() && values_.integer("repetitions") > 1)
        if (Status status = calculateAgain(timesBefore); !status || stopped()) return status;
    for (Timing& time : result_.times)
    {
        if (time.name != result_.mainTime || samples_.empty()) continue;
        time.ms = *std::ranges::min_element(samples_);
        time.samples = samples_;
        time.warmUpMs = warmUpMs_;
    }
    return Status::ok();
}

// Repeats the calculation, whose first run was the warm-up.  Keeps the shortest time of each part.
Status ModuleRun::calculateAgain(std::size_t timesBefore)
{
    const auto mainMs = [this] {
        const auto time = std::ranges::find(result_.times, result_.mainTime, &Timing::name);
        return time == result_.times.end() ? 0 : time->ms;
    };
    std::vector<double> ms = {mainMs()};
    std::vector<Timing> shortest;
    for (std::int64_t i = 0; i < values_.integer("repetitions"); ++i)
    {
        result_.times.resize(timesBefore);
        operations_.clear();
        if (Status status = calculate(); !status || stopped()) return status;
        ms.push_back(mainMs());
        if (i == 0) shortest.assign(result_.times.begin() + std::ptrdiff_t(timesBefore), result_.times.end());
        for (std::size_t time = 0; time < std::min(shortest.size(), result_.times.size() - timesBefore); ++time)
            shortest[time].ms = std::min(shortest[time].ms, result_.times[timesBefore + time].ms);
    }
    result_.times.resize(timesBefore);
    result_.times.insert(result_.times.end(), shortest.begin(), shortest.end());
    recordSamples(std::move(ms));
    return Status::ok();
}

// Measures the copy bandwidth if requested or if the run is repeated; otherwise it is not worth the time.
Status ModuleRun::measureCopy()
{
    if (result_.work.bytes <= 0 || !(context_.measureCopy || values_.integer("repetitions") > 1)) return Status::ok();
    if (place_.backend == Backend::kCpu) result_.copyBytesPerSecond = cpuCopyBandwidth(context_.stop);
    if (place_.backend != Backend::kCuda) return Status::ok();
    // A finished run is kept even if there is no memory for a copy.
    const Result<std::unique_ptr<KernelTarget>> target = openTarget();
    if (!target) return Status::ok();
    if (const Result<std::uint64_t> free = (*target)->freeMemory()) result_.gpuFreeBytes = *free;
    if (const Result<double> bandwidth = copyBandwidth(**target)) result_.copyBytesPerSecond = *bandwidth;
    return Status::ok();
}

// ---- the description ----

void ModuleRun::writeOperations()
{
    for (const auto& [name, count] : operations_)
        json()["operations"][name] = count;
}

void ModuleRun::writeExecutor()
{
    for (const auto& [name, count] : executor_)
        json()["executor"][name] = count;
}

void ModuleRun::writeCheck()
{
    json()["check"] = textOf(result_.check);
    json()["oracle"] = result_.oracle;
}

void ModuleRun::writePlace()
{
    json()["algorithm"] = place_.algorithm;
    writeExecutor();
    json()["backend"] = textOf(place_.backend);
    if (place_.backend == Backend::kCuda) json()["gpu"] = place_.gpu;
}

void ModuleRun::writeTimes()
{
    double total = 0;
    for (const Timing& time : result_.times)
    {
        json()["time_ms"][time.name] = time.ms;
        total += time.ms;
    }
    json()["time_ms"]["total"] = total;
}

void ModuleRun::writeSamples()
{
    for (const Timing& time : result_.times)
    {
        if (time.samples.size() > 1) json()["time_samples_ms"][time.name] = time.samples;
        if (time.warmUpMs > 0) json()["warm_up_ms"][time.name] = time.warmUpMs;
    }
}

void ModuleRun::writeRates()
{
    const std::optional<RunFigures> figures = figuresOf(result_);
    if (!figures) return;
    for (const auto& [key, value] : ratesOf(*figures))
        json()["rates"][key] = value;
}

void ModuleRun::addCommonRows()
{
    addRow("ran", fmt::format("{}, {}", place_.algorithm,
                              place_.backend == Backend::kCuda ? place_.device() : textOf(place_.backend)));
    // The JSON also lists operations that are all 0; the table omits them.
    if (std::ranges::any_of(operations_, [](const auto& operation) { return operation.second > 0; }))
        for (const auto& [name, count] : operations_)
            addRow("operations, " + name, std::to_string(count));
    for (const auto& [name, count] : executor_)
        addRow("executor, " + name, std::to_string(count));
    if (result_.check != CheckAnswer::kNotMade)
        addRow("check", fmt::format("{} ({})", textOf(result_.check), result_.oracle));
}

Status ModuleRun::describeAll()
{
    // An ordered object is an array of pairs, copied when it grows.  Reserving avoids copies of large results.
    constexpr std::size_t kMostKeys = 64;
    if (json().is_null()) json() = nlohmann::ordered_json::object();
    json().get_ref<nlohmann::ordered_json::object_t&>().reserve(kMostKeys);
    if (Status status = describe(); !status) return status;
    if (!json().contains("algorithm"))
    {
        writeCheck();
        writePlace();
    }
    writeTimes();
    writeSamples();
    writeRates();
    addCommonRows();
    return Status::ok();
}

}  // namespace orogen::compute
