// Chooses where a run takes place, executes its steps, and writes the parts of its result common to all modules.  Looks
// for CUDA only if a run may use it: starting the CUDA driver takes a second on some machines.
#include "compute/job/stepped_module.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "compute/device/copy_bandwidth.h"
#include "compute/device/cuda.h"
#include "compute/job/module.h"
#include "core/base/json.h"

namespace orogen::compute {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name)
{
    return name == "auto" ? !names.empty() : std::ranges::find(names, name) != names.end();
}

// Returns the requested back end: "cpu", "cuda", "host-kernel" or "auto".  A given parameter `gpu` turns "auto"
// into "cuda".
std::string backendAskedFor(const ParameterValues& values)
{
    const std::string& name = values.text("backend");
    return name == "auto" && values.given("gpu") ? "cuda" : name;
}

// Returns "auto", then each name once in order of appearance.
std::vector<std::string> namesOf(std::span<const Algorithms> algorithms)
{
    std::vector<std::string> names = {"auto"};
    for (const Algorithms& some : algorithms)
        for (const std::vector<std::string>* list : {&some.cpu, &some.kernels})
            for (const std::string& name : *list)
                if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    return names;
}

Error noSuchPair(const Algorithms& algorithms, const std::string& algorithm, const std::string& backend)
{
    const std::string operation = algorithms.operation.empty() ? "" : " for " + algorithms.operation;
    const bool onCpu = backend == "cpu" || backend == "auto";
    if (!onCpu && algorithms.kernels.empty())
        return {ExitCode::kUsage, fmt::format("backend: {}: there is none{}, expected cpu", backend, operation)};
    return {ExitCode::kUsage,
            fmt::format("algorithm: {}: there is none{} on the back end {}, expected {}", algorithm, operation,
                        onCpu ? "cpu" : backend, fmt::join(onCpu ? algorithms.cpu : algorithms.kernels, ", "))};
}

}  // namespace

std::string_view textOf(Backend backend)
{
    constexpr std::string_view kNames[] = {"cpu", "host-kernel", "cuda"};
    return kNames[int(backend)];
}

std::string Place::device() const { return backend == Backend::kCuda ? fmt::format("cuda:{}", gpu) : "cpu"; }

void appendPlaceParameters(std::vector<Parameter>& parameters, std::span<const Algorithms> algorithms,
                           std::string algorithmHelp)
{
    const auto threads = std::int64_t(std::max(1u, std::thread::hardware_concurrency()));
    parameters.push_back(Parameter::choice("algorithm", namesOf(algorithms), "auto", std::move(algorithmHelp)));
    parameters.push_back(Parameter::choice("backend", {"auto", "cuda", "cpu", "host-kernel"}, "auto",
                                           "host-kernel: the CUDA kernels' own source, on the CPU"));
    parameters.push_back(Parameter::integer("gpu", 0, std::numeric_limits<int>::max(), "",
                                            "the GPU for cuda, counted from 0; with it, auto is cuda; without it, the "
                                            "one that OpenGL runs on"));
    parameters.push_back(Parameter::integer("threads", 1, 1024, std::to_string(threads), "of the CPU, at most"));
}

namespace {

// Function that returns the CUDA devices; null if they are not known yet.
using Look = std::function<std::shared_ptr<const CudaReport>()>;

// Error of placeOf() if the CUDA devices are needed but not known yet.
Error unknownPlace() { return {ExitCode::kDevice, "CUDA has not been looked for"}; }

Status checkGpu(const CudaReport& report, int gpu)
{
    const CudaDevice* const device = report.device(gpu);
    if (!device)
        return Error{ExitCode::kDevice, fmt::format("gpu: {}: there is no such device; CUDA lists {}, counted from 0",
                                                    gpu, report.devices.size())};
    if (!device->refusal.empty())
        return Error{ExitCode::kDevice, fmt::format("gpu: {}: {}: {}", gpu, device->name, device->refusal)};
    return Status::ok();
}

// Implements choosePlace(); calls `look` for the CUDA devices only if the run may use one.
Result<Place> placeOf(const Algorithms& algorithms, const ParameterValues& values, const Look& look)
{
    const std::string& algorithm = values.text("algorithm");
    const std::string backend = backendAskedFor(values);
    if (values.given("gpu") && backend != "cuda")
        return Error{ExitCode::kUsage, fmt::format("gpu: {}: there is none on the back end {}, expected cuda",
                                                   values.integer("gpu"), backend)};
    const bool onCpu = has(algorithms.cpu, algorithm), inKernels = has(algorithms.kernels, algorithm);
    if (backend == "cpu" ? !onCpu : backend == "auto" ? !onCpu && !inKernels : !inKernels)
        return noSuchPair(algorithms, algorithm, backend);

    const auto at = [&](Backend place, const std::string& standard) {
        const bool chosen = algorithm == "auto" && !standard.empty();
        return Place{chosen ? standard : algorithm, place};
    };
    if (backend == "cpu" || (backend == "auto" && onCpu)) return at(Backend::kCpu, algorithms.standardOnCpu);
    if (backend == "host-kernel") return at(Backend::kHostKernel, algorithms.standardInKernels);
    const std::shared_ptr<const CudaReport> found = look();
    if (!found) return unknownPlace();
    const CudaReport& report = *found;
    if (!report.available && backend == "auto") return at(Backend::kHostKernel, algorithms.standardInKernels);
    if (!report.available)
        return Error{ExitCode::kDevice, fmt::format("backend: cuda is not usable: {}", report.reason)};
    Place place = at(Backend::kCuda, algorithms.standardInKernels);
    place.gpu = values.given("gpu") ? int(values.integer("gpu")) : preferredCudaDevice(report);
    if (Status status = checkGpu(report, place.gpu); !status) return status.error();
    return place;
}

}  // namespace

std::vector<Variant> variantsOf(const Algorithms& algorithms, const ParameterValues& values)
{
    const std::string backend = backendAskedFor(values);
    std::vector<Variant> variants;
    const auto add = [&](const std::vector<std::string>& names, const std::string& where) {
        for (const std::string& name : names)
        {
            const auto limit =
                std::ranges::find(algorithms.largest, name, &std::pair<std::string, std::int64_t>::first);
            variants.push_back({name, where, limit == algorithms.largest.end() ? 0 : limit->second});
        }
    };
    if (backend == "cpu" || backend == "auto") add(algorithms.cpu, "cpu");
    if (backend != "cpu") add(algorithms.kernels, backend == "auto" ? "cuda" : backend);
    return variants;
}

Result<Place> choosePlace(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda)
{
    return placeOf(algorithms, values, [&cuda] { return std::make_shared<const CudaReport>(discoverCuda(cuda)); });
}

std::string deviceOf(const Algorithms& algorithms, const ParameterValues& values, Cuda& cuda)
{
    const std::shared_ptr<const CudaReport> known = knownCuda(cuda);
    if (backendAskedFor(values) == "cuda")
    {
        if (!values.given("gpu") && !known) return {};
        const int gpu = values.given("gpu") ? int(values.integer("gpu")) : preferredCudaDevice(*known);
        return Place{.backend = Backend::kCuda, .gpu = gpu}.device();
    }
    bool looked = false;
    const Result<Place> place = placeOf(algorithms, values, [&] {
        looked = true;
        return known;
    });
    if (looked && !known) return {};
    return place ? place->device() : "cpu";
}

SteppedModule::SteppedModule(ModuleDescription description) : description_(std::move(description))
{
    constexpr std::int64_t kMost = 1'000'000;
    std::vector<Parameter>& parameters = description_.parameters;
    if (std::ranges::find(parameters, "repetitions", &Parameter::name) == parameters.end())
        parameters.push_back(Parameter::integer("repetitions", 1, kMost, "1",
                                                "runs of the timed part; from 2 on after an uncounted warm-up"));
}

Result<JobResult> SteppedModule::run(const ParameterValues& values, const RunContext& context) const
{
    return makeRun(values, context)->run();
}

Result<JobResult> SteppedRun::run()
{
    using Step = Status (SteppedRun::*)();
    for (const Step step :
         {&SteppedRun::validate, &SteppedRun::choosePlace, &SteppedRun::obtainInput, &SteppedRun::calculateAll,
          &SteppedRun::check, &SteppedRun::compare, &SteppedRun::measureCopy, &SteppedRun::describeAll})
    {
        const Status status = (this->*step)();
        if (stopped()) return cancelled();
        if (!status) return status.error();
    }
    return std::move(result_);
}

Error SteppedRun::cancelled() const { return {ExitCode::kInterrupted, fmt::format("{}: cancelled", module_.name())}; }

Status SteppedRun::choosePlace()
{
    Result<Place> place = compute::choosePlace(module_.algorithms(values_), values_, cuda());
    if (!place) return place.error();
    place_ = std::move(*place);
    result_.device = place_.device();
    return Status::ok();
}

Result<std::unique_ptr<KernelTarget>> SteppedRun::openTarget() const
{
    if (place_.backend == Backend::kCuda) return makeCudaTarget(cuda(), place_.gpu, context_.stop);
    HostSchedule schedule;
    schedule.stop = context_.stop;
    return makeHostTarget(schedule);
}

void SteppedRun::enterCalculation(std::string_view addition)
{
    context_.progress.enter(fmt::format("{}, {}{}", place_.algorithm, textOf(place_.backend), addition));
}

void SteppedRun::addMainTime(std::string name, double ms)
{
    result_.mainTime = name;
    addTime(std::move(name), ms);
}

void SteppedRun::addKernelTimes(double uploadMs, double kernelMs, double downloadMs)
{
    addTime("upload", uploadMs);
    addMainTime("kernel", kernelMs);
    addTime("download", downloadMs);
}

void SteppedRun::countOperations(std::string name, std::uint64_t count)
{
    operations_.emplace_back(std::move(name), count);
}

Status SteppedRun::countExecutor(const ExecutorCounts& counts, bool hadWork)
{
    if (place_.backend != Backend::kHostKernel) return Status::ok();
    if (counts.blocks == 0 && hadWork) return Error{ExitCode::kDevice, "host-kernel: the executor ran no block"};
    executor_ = {{"blocks", counts.blocks}, {"threads", counts.threads}, {"switches", counts.switches}};
    return Status::ok();
}

void SteppedRun::answer(bool equal, std::string oracle)
{
    result_.check = equal ? CheckAnswer::kEqual : CheckAnswer::kDifferent;
    result_.oracle = std::move(oracle);
    if (!equal) result_.exitCode = ExitCode::kNo;
}

Result<double> SteppedRun::shortestOf(const std::function<Result<double>()>& once)
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

void SteppedRun::recordSamples(std::vector<double> ms)
{
    warmUpMs_ = ms.size() > 1 ? ms.front() : 0;
    if (ms.size() > 1) ms.erase(ms.begin());
    samples_ = std::move(ms);
}

// ---- repetitions ----

Status SteppedRun::calculateAll()
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
Status SteppedRun::calculateAgain(std::size_t timesBefore)
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
Status SteppedRun::measureCopy()
{
    if (result_.work.bytes <= 0 || !(context_.measureCopy || values_.integer("repetitions") > 1)) return Status::ok();
    if (place_.backend == Backend::kCpu) result_.copyBytesPerSecond = cpuCopyBandwidth(context_.stop);
    if (place_.backend != Backend::kCuda) return Status::ok();
    // A finished run stays valid even if there is no memory for a copy.
    const Result<std::unique_ptr<KernelTarget>> target = openTarget();
    if (!target) return Status::ok();
    if (const Result<std::uint64_t> free = (*target)->freeMemory()) result_.gpuFreeBytes = *free;
    if (const Result<double> bandwidth = copyBandwidth(**target)) result_.copyBytesPerSecond = *bandwidth;
    return Status::ok();
}

// ---- the description ----

void SteppedRun::writeOperations()
{
    for (const auto& [name, count] : operations_)
        json()["operations"][name] = count;
}

void SteppedRun::writeExecutor()
{
    for (const auto& [name, count] : executor_)
        json()["executor"][name] = count;
}

void SteppedRun::writeCheck()
{
    json()["check"] = textOf(result_.check);
    json()["oracle"] = result_.oracle;
}

void SteppedRun::writePlace()
{
    json()["algorithm"] = place_.algorithm;
    writeExecutor();
    json()["backend"] = textOf(place_.backend);
    if (place_.backend == Backend::kCuda) json()["gpu"] = place_.gpu;
}

void SteppedRun::addCommonRows()
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

Status SteppedRun::describeAll()
{
    result_.algorithm = place_.algorithm;
    result_.backend = textOf(place_.backend);
    if (Status status = describe(); !status) return status;
    if (!json().contains("algorithm"))
    {
        writeCheck();
        writePlace();
    }
    double total = 0;
    for (const Timing& time : result_.times)
    {
        json()["time_ms"][time.name] = time.ms;
        total += time.ms;
    }
    json()["time_ms"]["total"] = total;
    for (const Timing& time : result_.times)
    {
        if (time.samples.size() > 1) json()["time_samples_ms"][time.name] = time.samples;
        if (time.warmUpMs > 0) json()["warm_up_ms"][time.name] = time.warmUpMs;
    }
    if (const std::optional<RunFigures> figures = figuresOf(result_))
        for (const auto& [key, value] : ratesOf(*figures))
            json()["rates"][key] = value;
    addCommonRows();
    return Status::ok();
}

}  // namespace orogen::compute
