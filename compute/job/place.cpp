// CUDA is discovered only if a run may use it: its first call takes a second on some machines.
#include "compute/job/place.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "compute/device/discovery.h"

namespace orogen::compute {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name)
{
    return name == "auto" ? !names.empty() : std::ranges::find(names, name) != names.end();
}

// Returns the requested back end: "cpu", "cuda", "host-kernel" or "auto".  Naming a GPU selects "cuda".
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

using Look = std::function<std::shared_ptr<const CudaReport>()>;

// Error of placeOf() if `look` returns null.
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
                                                   values.text("gpu"), backend)};
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

}  // namespace orogen::compute
