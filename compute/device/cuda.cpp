// Classifies every CUDA error: harmless, or "sticky", after which CUDA is not called again.  Class Cuda keeps the first
// sticky error.  Discovery counts and describes the devices.  It cannot fail: its report contains any error as text.
#include "compute/device/cuda.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <set>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "core/base/text.h"

namespace orogen::compute {
namespace {

// Images of the kernels by compute capability times ten.
struct KernelImages
{
    std::set<int> machineCode, ptx;

    bool runOn(int capability) const
    {
        const auto translates = [=](int made) { return made <= capability; };
        const auto executes = [=](int made) { return made <= capability && made / 10 == capability / 10; };
        return std::ranges::any_of(ptx, translates) || std::ranges::any_of(machineCode, executes);
    }
};

// Parses a list of architectures.  An entry with a letter ("90a") counts as machine code only, because not even its PTX
// runs on newer GPUs.
KernelImages imagesOf(std::string_view architectures)
{
    KernelImages images;
    std::istringstream words{std::string(architectures)};
    for (std::string word; words >> word;)
    {
        const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
        const auto capability = numberIn<int>(std::string_view(word).substr(0, digits));
        if (!capability) continue;
        const std::string kind = word.substr(digits);
        if (kind != "-virtual") images.machineCode.insert(*capability);
        if (kind.empty() || kind == "-virtual") images.ptx.insert(*capability);
    }
    return images;
}

std::string version(int capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

std::string textOf(const KernelImages& images, int capability)
{
    std::set<int> all = images.machineCode;
    all.insert(images.ptx.begin(), images.ptx.end());
    // The owner of a GPU older than all images needs to know the oldest image only, not the gaps between the others.
    if (!images.ptx.empty() && capability < *all.begin()) return version(*all.begin()) + " and newer";
    std::vector<std::string> names;
    for (const int made : all)
        names.push_back(version(made) + (images.ptx.contains(made) ? " and newer" : ""));
    return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string kernelRefusal(std::string_view architectures, int major, int minor)
{
    const KernelImages images = imagesOf(architectures);
    const int capability = 10 * major + minor;
    if ((images.machineCode.empty() && images.ptx.empty()) || images.runOn(capability)) return {};
    return fmt::format("no kernel image for sm_{}; this program has {}", capability, textOf(images, capability));
}

namespace {

constexpr CudaCode kNoDriver = 35;  // CUDA reports a missing driver as one that is too old
constexpr const char* kNoDriverText = "there is no NVIDIA driver, or one older than this program's CUDA";

// Errors after which CUDA stays usable, and those of them that report a limit (ExitCode::kLimit).
constexpr CudaCode kInvalidValue = 1, kOutOfMemory = 2, kLaunchOutOfResources = 701, kCooperativeTooLarge = 720,
                   kNotSupported = 801;
constexpr std::array kHarmless = {kInvalidValue, kOutOfMemory, kLaunchOutOfResources, kCooperativeTooLarge,
                                  kNotSupported};
constexpr std::array kLimits = {kOutOfMemory, kCooperativeTooLarge, kNotSupported};

// Creates a CUDA object by a call that returns a handle.
template <class Owner, class Function, class... Arguments>
Result<Owner> make(Cuda& cuda, const char* name, Function CudaCalls::*function, Arguments... arguments)
{
    void* handle = nullptr;
    if (Status status = cuda.call(name, function, &handle, arguments...); !status) return status.error();
    return Owner(cuda, handle);
}

Error withBytes(Error error, std::size_t bytes)
{
    error.message = fmt::format("{} bytes: {}", bytes, error.message);
    return error;
}

}  // namespace

Status Cuda::usable() const
{
    if (!calls_.built) return Error{ExitCode::kDevice, "built without CUDA"};
    const std::lock_guard lock(mutex_);
    return sticky_ ? Status(*sticky_) : Status::ok();
}

std::shared_ptr<const CudaReport> Cuda::known() const
{
    const std::lock_guard lock(mutex_);
    return known_;
}

void Cuda::remember(std::shared_ptr<const CudaReport> report)
{
    const std::lock_guard lock(mutex_);
    known_ = std::move(report);
}

Status Cuda::judged(const char* name, CudaCode code)
{
    if (code == 0) return Status::ok();
    const bool limit = std::ranges::find(kLimits, code) != kLimits.end();
    Error error{
        limit ? ExitCode::kLimit : ExitCode::kDevice,
        fmt::format("{}: {} (CUDA error {})", name, code == kNoDriver ? kNoDriverText : calls_.describe(code), code)};
    if (std::ranges::find(kHarmless, code) == kHarmless.end())
    {
        const std::lock_guard lock(mutex_);
        if (!sticky_) sticky_ = error;
    }
    return error;
}

Cuda& processCuda()
{
    static Cuda cuda(realCudaCalls());
    return cuda;
}

Result<CudaDevice> describeGpu(Cuda& cuda, int index)
{
    CudaDevice device;
    if (Status status = cuda.call("cudaGetDeviceProperties", &CudaCalls::deviceProperties, &device, index); !status)
        return status.error();
    device.refusal = kernelRefusal(cuda.architectures(), device.major, device.minor);
    return device;
}

Result<CudaGpu> CudaGpu::open(Cuda& cuda, int index)
{
    int count = 0;  // unchanged if there is no driver
    if (Status status = cuda.call("cudaGetDeviceCount", &CudaCalls::deviceCount, &count); !status)
        return status.error();
    if (index < 0 || index >= count)
        return Error{ExitCode::kDevice,
                     fmt::format("GPU {}: there is no such device; CUDA lists {}, counted from 0", index, count)};
    Result<CudaDevice> device = describeGpu(cuda, index);
    if (!device) return device.error();
    if (!device->refusal.empty())
        return Error{ExitCode::kDevice, fmt::format("GPU {}, {}: {}", index, device->name, device->refusal)};
    CudaGpu gpu(cuda, std::move(*device));
    if (Status status = gpu.use(); !status) return status.error();
    return gpu;
}

Result<CudaMemory> CudaGpu::allocate(std::size_t bytes) const
{
    Result<CudaMemory> memory = make<CudaMemory>(*cuda_, "cudaMalloc", &CudaCalls::allocate, bytes);
    if (!memory) return withBytes(memory.error(), bytes);
    return memory;
}

Result<PinnedMemory> CudaGpu::allocatePinned(std::size_t bytes) const
{
    Result<PinnedMemory> memory = make<PinnedMemory>(*cuda_, "cudaMallocHost", &CudaCalls::allocatePinned, bytes);
    if (!memory) return withBytes(memory.error(), bytes);
    return memory;
}

Result<std::uint64_t> CudaGpu::freeMemory() const
{
    std::size_t free = 0, total = 0;
    if (Status status = cuda_->call("cudaMemGetInfo", &CudaCalls::memoryInfo, &free, &total); !status)
        return status.error();
    return std::uint64_t(free);
}

Result<CudaStream> CudaGpu::createStream() const
{
    return make<CudaStream>(*cuda_, "cudaStreamCreate", &CudaCalls::createStream);
}

Result<CudaEvent> CudaGpu::createEvent() const
{
    return make<CudaEvent>(*cuda_, "cudaEventCreate", &CudaCalls::createEvent);
}

Result<unsigned> CudaGpu::residentBlocks(const KernelEntry& kernel, unsigned threads) const
{
    int blocks = 0;
    if (Status status = cuda_->call("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                    &CudaCalls::blocksPerMultiprocessor, &blocks, kernel, threads);
        !status)
        return status.error();
    if (blocks < 1)
        return Error{ExitCode::kLimit, fmt::format("kernel {}: no multiprocessor of {} holds {} threads of it",
                                                   kernel.name, device_.name, threads)};
    return unsigned(blocks) * unsigned(device_.multiprocessors);
}

namespace {

std::mutex preferredMutex;
GpuIdentity preferred;

bool runsKernels(const CudaDevice& device) { return device.refusal.empty(); }

}  // namespace

const CudaDevice* CudaReport::device(int index) const
{
    const auto found = std::ranges::find(devices, index, &CudaDevice::index);
    return found == devices.end() ? nullptr : &*found;
}

CudaReport discoverCuda(Cuda& cuda)
{
    CudaReport report;
    report.built = cuda.built();
    static_cast<void>(cuda.call("cudaRuntimeGetVersion", &CudaCalls::runtimeVersion, &report.runtimeVersion));
    static_cast<void>(cuda.call("cudaDriverGetVersion", &CudaCalls::driverVersion, &report.driverVersion));
    int count = 0;  // unchanged if there is no driver
    if (Status status = cuda.call("cudaGetDeviceCount", &CudaCalls::deviceCount, &count); !status)
        report.reason = status.error().message;
    else
    {
        for (int i = 0; i < count; ++i)
        {
            Result<CudaDevice> device = describeGpu(cuda, i);
            if (!device) report.reason = device.error().message;
            if (device && !device->refusal.empty() && report.reason.empty())
                report.reason = fmt::format("{}: {}", device->name, device->refusal);
            if (device) report.devices.push_back(std::move(*device));
        }
        if (report.devices.empty() && report.reason.empty()) report.reason = "the driver lists no CUDA device";
    }
    report.available = std::ranges::any_of(report.devices, runsKernels);
    if (report.available) report.reason.clear();
    const int first = preferredCudaDevice(report);
    std::ranges::stable_partition(report.devices, [=](const CudaDevice& device) { return device.index == first; });
    cuda.remember(std::make_shared<const CudaReport>(report));
    return report;
}

std::shared_ptr<const CudaReport> knownCuda(Cuda& cuda)
{
    if (const Status status = cuda.usable(); !status)
    {
        auto report = std::make_shared<CudaReport>();
        report->built = cuda.built();
        report->reason = status.error().message;
        return report;
    }
    return cuda.known();
}

void setPreferredGpu(GpuIdentity gpu)
{
    const std::lock_guard lock(preferredMutex);
    preferred = std::move(gpu);
}

int preferredCudaDevice(const CudaReport& report)
{
    GpuIdentity wanted;
    {
        const std::lock_guard lock(preferredMutex);
        wanted = preferred;
    }
    // Device whose name occurs in OpenGL's renderer name.  The longest name wins: "RTX 3080 Ti" over "RTX 3080".
    const CudaDevice* named = nullptr;
    // Device with the lowest number among those that run the kernels.  The list may be in another order.
    const CudaDevice* first = nullptr;
    for (const CudaDevice& device : report.devices)
    {
        if (!runsKernels(device)) continue;
        if (!wanted.uuid.empty() && device.uuid == wanted.uuid) return device.index;
        if (!device.name.empty() && wanted.name.find(device.name) != std::string::npos)
            if (!named || device.name.size() > named->name.size()) named = &device;
        if (!first || device.index < first->index) first = &device;
    }
    if (named) return named->index;
    return first ? first->index : 0;
}

}  // namespace orogen::compute
