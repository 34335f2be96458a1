// CUDA without its headers: the table of its calls, errors as values, owners of its resources, and its devices.
//
// All CUDA calls go through the table CudaCalls, so that tests can substitute a GPU made of host memory or make the
// k-th call fail.  This header includes no CUDA header and works in builds without CUDA.
//
// There are two kinds of errors.  Exhausted memory, a value out of range, a launch of excessive size and an unsupported
// feature leave CUDA usable.  Every other error is sticky: every later call returns it, and CUDA is not called again in
// this process, not even to free resources.  The rest of the program continues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/device/launch.h"
#include "core/base/status.h"

namespace orogen::compute {

using CudaCode = int;  // cudaError_t: 0 is success

struct CudaDevice
{
    int index = 0;  // CUDA's number of the device
    std::string name;
    int major = 0, minor = 0;  // compute capability
    std::uint64_t memoryBytes = 0;
    int multiprocessors = 0;
    std::string uuid = {};     // "GPU-5fd4f087-86f3-7a43-b711-4771313afc50", equal to OpenGL's and stable across starts
    std::string refusal = {};  // why this program's kernels do not run on it; empty: they do
};

// Formats the 16 bytes by which CUDA and OpenGL identify a GPU, as in CudaDevice::uuid and nvidia-smi.
std::string uuidText(const unsigned char* bytes);

enum class CopyDirection
{
    kToDevice,
    kToHost,
    kOnDevice,
};

// Table of CUDA's functions.  Handles are CUDA's own, as void*.  `copy`, `fill`, `recordEvent` and `launch` only put
// work into the stream and return.
struct CudaCalls
{
    bool built = false;  // false: built without CUDA, and no function may be called
    // Architectures that the kernels are compiled for, as CMake lists them: "75-virtual 90-real"; empty: unknown.
    std::string architectures = {};
    std::function<CudaCode(int*version)> runtimeVersion, driverVersion;
    std::function<CudaCode(int* count)> deviceCount;
    std::function<CudaCode(CudaDevice* properties, int device)> deviceProperties;
    std::function<CudaCode(int device)> setDevice;  // for the calling thread

    std::function<CudaCode(std::size_t* free, std::size_t* total)> memoryInfo;  // on the calling thread's device
    std::function<CudaCode(void**memory, std::size_t bytes)> allocate, allocatePinned;
    std::function<CudaCode(void*memory)> free, freePinned;
    std::function<CudaCode(void* to, const void* from, std::size_t bytes, CopyDirection, void* stream)> copy;
    std::function<CudaCode(void* memory, int byte, std::size_t bytes, void* stream)> fill;

    std::function<CudaCode(void** stream)> createStream;
    std::function<CudaCode(void*stream)> destroyStream, synchronizeStream;
    std::function<CudaCode(void** event)> createEvent;
    std::function<CudaCode(void*event)> destroyEvent, synchronizeEvent;
    std::function<CudaCode(void* event, void* stream)> recordEvent;
    std::function<CudaCode(float* milliseconds, void* from, void* to)> elapsed;  // between completed events

    std::function<CudaCode(int* blocks, const KernelEntry& kernel, unsigned threads)> blocksPerMultiprocessor;
    // `arguments` points to the kernel's only argument, a structure.
    std::function<CudaCode(const KernelEntry& kernel, const LaunchShape& shape, void* arguments, void* stream)> launch;

    std::function<std::string(CudaCode)> describe;  // cannot fail
};

// Returns the table bound to the CUDA runtime; in a build without CUDA, one whose `built` is false.
CudaCalls realCudaCalls();

// ---- calls and resources ----

struct CudaReport;

// Table of CUDA's functions together with the sticky error, if one occurred.
class Cuda
{
public:
    explicit Cuda(CudaCalls calls) : calls_(std::move(calls)) {}
    Cuda(const Cuda&) = delete;
    Cuda& operator=(const Cuda&) = delete;

    bool built() const { return calls_.built; }
    // Returns success if CUDA can be called, else the reason: the build lacks it, or the sticky error.
    Status usable() const;
    const std::string& architectures() const { return calls_.architectures; }

    // Calls a function of the table; `name` is its name in CUDA's manual.  Thread-safe.
    template <class Function, class... Arguments>
    Status call(const char* name, Function CudaCalls::*function, Arguments&&... arguments)
    {
        if (Status status = usable(); !status) return status;
        return judged(name, (calls_.*function)(std::forward<Arguments>(arguments)...));
    }

    // Returns the report of the latest discoverCuda(); null before the first.
    std::shared_ptr<const CudaReport> known() const;
    void remember(std::shared_ptr<const CudaReport> report);

private:
    Status judged(const char* name, CudaCode code);

    CudaCalls calls_;
    mutable std::mutex mutex_;
    std::optional<Error> sticky_;
    std::shared_ptr<const CudaReport> known_;
};

// Returns the one Cuda of this process, which all its GPUs share.
Cuda& processCuda();

// Owner of a CUDA handle.  Release names the call that frees it, and that call's name in CUDA's manual.
template <class Release>
class CudaOwner
{
public:
    CudaOwner() = default;
    CudaOwner(Cuda& cuda, void* handle) : cuda_(&cuda), handle_(handle) {}
    CudaOwner(CudaOwner&& other) noexcept : cuda_(other.cuda_), handle_(std::exchange(other.handle_, nullptr)) {}
    CudaOwner& operator=(CudaOwner&& other) noexcept
    {
        std::swap(cuda_, other.cuda_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    // Frees the handle.  Ignores the status, because Cuda::usable() reports a sticky error.
    ~CudaOwner()
    {
        if (handle_) static_cast<void>(cuda_->call(Release::kName, Release::kFunction, handle_));
    }

    void* get() const { return handle_; }

private:
    Cuda* cuda_ = nullptr;
    void* handle_ = nullptr;
};

struct FreeMemory
{
    static constexpr const char* kName = "cudaFree";
    static constexpr auto kFunction = &CudaCalls::free;
};
struct FreePinned
{
    static constexpr const char* kName = "cudaFreeHost";
    static constexpr auto kFunction = &CudaCalls::freePinned;
};
struct DestroyStream
{
    static constexpr const char* kName = "cudaStreamDestroy";
    static constexpr auto kFunction = &CudaCalls::destroyStream;
};
struct DestroyEvent
{
    static constexpr const char* kName = "cudaEventDestroy";
    static constexpr auto kFunction = &CudaCalls::destroyEvent;
};

using CudaMemory = CudaOwner<FreeMemory>;
using PinnedMemory = CudaOwner<FreePinned>;
using CudaStream = CudaOwner<DestroyStream>;
using CudaEvent = CudaOwner<DestroyEvent>;

// Returns the description of the device of that number, with CudaDevice::refusal.  Errors: CUDA's.
Result<CudaDevice> describeGpu(Cuda& cuda, int index);

// GPU and factory of its resources.  A thread other than the one that opened the GPU calls use() first.
class CudaGpu
{
public:
    // `index` counts CUDA's devices from 0, as `--gpu N` does.  Errors: CUDA's; kDevice if there is no such device, or
    // this program's kernels do not run on it.
    static Result<CudaGpu> open(Cuda& cuda, int index);

    Cuda& cuda() const { return *cuda_; }
    const CudaDevice& device() const { return device_; }
    Status use() const { return cuda_->call("cudaSetDevice", &CudaCalls::setDevice, device_.index); }

    Result<CudaMemory> allocate(std::size_t bytes) const;  // kLimit: does not fit
    Result<PinnedMemory> allocatePinned(std::size_t bytes) const;
    Result<std::uint64_t> freeMemory() const;  // bytes free now, for all processes together
    Result<CudaStream> createStream() const;
    Result<CudaEvent> createEvent() const;

    // Returns how many blocks of `threads` threads the whole GPU holds at once.  Error kLimit: not even one.
    Result<unsigned> residentBlocks(const KernelEntry& kernel, unsigned threads) const;

private:
    CudaGpu(Cuda& cuda, CudaDevice device) : cuda_(&cuda), device_(std::move(device)) {}

    Cuda* cuda_;
    CudaDevice device_;
};

// ---- discovery ----

// Returns "no kernel image for sm_61; this program has 7.5 and newer".  Returns an empty string if the kernels run on a
// GPU of that compute capability, or if the images are unknown.  Machine code runs only on GPUs of its own major
// version, with at least its own minor version.  Intermediate code (PTX) runs on any GPU that is not older, because the
// driver translates it.  `architectures` is CMake's CUDA_ARCHITECTURES separated by spaces: "75-real" is machine code,
// "75-virtual" PTX, "75" both; empty: unknown.
std::string kernelRefusal(std::string_view architectures, int major, int minor);

// Result of looking for CUDA devices.  The search creates no context and cannot fail.
struct CudaReport
{
    bool built = false;                         // this program contains kernels
    bool available = false;                     // built, and some device runs the kernels
    std::string reason;                         // why not available; empty: available
    int runtimeVersion = 0, driverVersion = 0;  // 13000 is 13.0; 0: unknown
    // The preferred device (preferredCudaDevice()) comes first, the others in CUDA's order.  Includes devices that the
    // kernels do not run on.
    std::vector<CudaDevice> devices;

    const CudaDevice* device(int index) const;  // by CUDA's number; null: not found
};

// Lists the devices.  Starts the driver, which takes a second on some machines: do not call it from a rendering thread.
CudaReport discoverCuda(Cuda& cuda = processCuda());

// Returns the last report, or one with the reason why CUDA cannot be called; null if unknown.  Starts no driver.
std::shared_ptr<const CudaReport> knownCuda(Cuda& cuda = processCuda());

// ---- GPU for runs that name none ----

struct GpuIdentity
{
    std::string uuid = {};  // as in CudaDevice; empty: unknown to OpenGL
    std::string name = {};  // OpenGL's renderer, which contains CUDA's name: "NVIDIA H200/PCIe/SSE2"
};

// Sets the GPU that OpenGL runs on, so that CUDA prefers it.  Thread-safe; to be called before the first discovery.
void setPreferredGpu(GpuIdentity gpu);

// Returns CUDA's number of the preferred GPU, by UUID or else name; else of the first that runs the kernels; else 0.
int preferredCudaDevice(const CudaReport& report);

}  // namespace orogen::compute
