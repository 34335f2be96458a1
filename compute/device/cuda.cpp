// Classifies every CUDA error: harmless, a limit, or one after which CUDA is not called again.
#include "compute/device/cuda.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "compute/device/kernel_images.h"

namespace orogen::compute {
namespace {

constexpr CudaCode kNoDriver = 35;  // CUDA reports a missing driver as one that is too old
constexpr const char* kNoDriverText = "there is no NVIDIA driver, or one older than this program's CUDA";

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

}  // namespace orogen::compute
