// The steps of a run and the part of its result that is the same for every module, so that a new module states only
// what it calculates.
#include "compute/job/module_run.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace orogen::compute {

Result<JobResult> SteppedModule::run(const ParameterValues& values, const RunContext& context) const
{
    return makeRun(values, context)->run();
}

Result<JobResult> ModuleRun::run()
{
    using Step = Status (ModuleRun::*)();
    for (const Step step : {&ModuleRun::validate, &ModuleRun::choosePlace, &ModuleRun::obtainInput,
                            &ModuleRun::calculate, &ModuleRun::check, &ModuleRun::compare, &ModuleRun::describeAll})
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
    if (place_.backend == Backend::kCuda) return makeCudaTarget(cuda(), place_.gpu);
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
    double shortest = 0;
    for (std::int64_t i = 0; i < repetitions; ++i)
    {
        const Result<double> ms = once();
        if (stopped()) return cancelled();
        if (!ms) return ms.error();
        shortest = i == 0 ? *ms : std::min(shortest, *ms);
        context_.progress.set(double(i + 1) / double(repetitions));
    }
    return shortest;
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

void ModuleRun::addCommonRows()
{
    addRow("ran", fmt::format("{}, {}", place_.algorithm,
                              place_.backend == Backend::kCuda ? place_.device() : textOf(place_.backend)));
    for (const auto& [name, count] : operations_)
        addRow("operations, " + name, std::to_string(count));
    for (const auto& [name, count] : executor_)
        addRow("executor, " + name, std::to_string(count));
    if (result_.check != CheckAnswer::kNotMade)
        addRow("check", fmt::format("{} ({})", textOf(result_.check), result_.oracle));
}

Status ModuleRun::describeAll()
{
    if (Status status = describe(); !status) return status;
    if (!json().contains("algorithm"))
    {
        writeCheck();
        writePlace();
    }
    writeTimes();
    addCommonRows();
    return Status::ok();
}

}  // namespace orogen::compute
