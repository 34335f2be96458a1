// CUDA calls with errors as values, and owners of CUDA resources.
//
// There are two kinds of errors.  Exhausted memory, a value out of range, a launch of excessive size and an unsupported
// feature leave CUDA usable.  Every other error is sticky: every later call returns it, and CUDA is not called again in
// this process, not even to free resources.  The rest of the program continues.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "compute/device/cuda_calls.h"
#include "core/base/status.h"

namespace orogen::compute {

struct CudaReport;  // discovery.h

class Cuda
{
public:
    explicit Cuda(CudaCalls calls) : calls_(std::move(calls)) {}
    Cuda(const Cuda&) = delete;
    Cuda& operator=(const Cuda&) = delete;

    bool built() const { return calls_.built; }
    // Returns why CUDA cannot be called: the build lacks it, or the sticky error.  Success: it can.
    Status usable() const;
    std::string describe(CudaCode code) const { return calls_.describe(code); }
    const std::string& architectures() const { return calls_.architectures; }

    // Calls a function of the table; `name` is its name in CUDA's manual.  Thread-safe.
    template <class Function, class... Arguments>
    Status call(const char* name, Function CudaCalls::*function, Arguments&&... arguments)
    {
        if (Status status = usable(); !status) return status;
        return judged(name, (calls_.*function)(std::forward<Arguments>(arguments)...));
    }

    // Returns the latest report of discoverCuda(); null before the first.
    std::shared_ptr<const CudaReport> known() const;
    void remember(std::shared_ptr<const CudaReport> report);

private:
    Status judged(const char* name, CudaCode code);

    CudaCalls calls_;
    mutable std::mutex mutex_;
    std::optional<Error> sticky_;
    std::shared_ptr<const CudaReport> known_;
};

// Returns the instance of this process and its GPUs.
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
    // Ignores the status; Cuda::usable() reports a failure.
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

// Describes the device of that number, with the reason if this program's kernels cannot run on it.
Result<CudaDevice> describeGpu(Cuda& cuda, int index);

// GPU and factory of its resources.  A thread other than the one that opened it calls use() first.
class CudaGpu
{
public:
    // `index` counts CUDA's devices from 0, as `--gpu N` does.  Error kDevice: there is no such device, or this
    // program's kernels do not run on it; the message gives the reason.
    static Result<CudaGpu> open(Cuda& cuda, int index);

    Cuda& cuda() const { return *cuda_; }
    const CudaDevice& device() const { return device_; }
    Status use() const { return cuda_->call("cudaSetDevice", &CudaCalls::setDevice, device_.index); }

    Result<CudaMemory> allocate(std::size_t bytes) const;  // kLimit: does not fit
    Result<PinnedMemory> allocatePinned(std::size_t bytes) const;
    Result<std::uint64_t> freeMemory() const;  // bytes free now, for all processes together
    Result<CudaStream> createStream() const;
    Result<CudaEvent> createEvent() const;

    // Returns how many blocks of `threads` threads the whole GPU holds at once.
    Result<unsigned> residentBlocks(const KernelEntry& kernel, unsigned threads) const;

private:
    CudaGpu(Cuda& cuda, CudaDevice device) : cuda_(&cuda), device_(std::move(device)) {}

    Cuda* cuda_;
    CudaDevice device_;
};

}  // namespace orogen::compute
