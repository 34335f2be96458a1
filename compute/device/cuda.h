// CUDA with errors as values, and owners of what it gives.
//
// Errors are of two kinds.  Running out of memory, a value out of range, a launch that asks for too much and what the
// device does not support leave CUDA usable.  Every other error is sticky: it is remembered, every later call answers
// with it, and CUDA itself is not called again in this process, not even to free something.  The rest of the program
// goes on.
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
    // What keeps CUDA from being called: that it was not built, or the sticky error.  Success: nothing so far.
    Status usable() const;
    std::string describe(CudaCode code) const { return calls_.describe(code); }
    const std::string& architectures() const { return calls_.architectures; }

    // Calls a function of the table by its name in CUDA's manual.  Any thread may.
    template <class Function, class... Arguments>
    Status call(const char* name, Function CudaCalls::*function, Arguments&&... arguments)
    {
        if (Status status = usable(); !status) return status;
        return judged(name, (calls_.*function)(std::forward<Arguments>(arguments)...));
    }

    // What discoverCuda found last; null before.
    std::shared_ptr<const CudaReport> known() const;
    void remember(std::shared_ptr<const CudaReport> report);

private:
    Status judged(const char* name, CudaCode code);

    CudaCalls calls_;
    mutable std::mutex mutex_;
    std::optional<Error> sticky_;
    std::shared_ptr<const CudaReport> known_;
};

// The one that belongs to this process and its GPUs.
Cuda& processCuda();

// Owns a thing of CUDA's; Release says which call gives it back, and what CUDA's manual calls that.
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
    // Whoever wants to know whether this failed asks Cuda::usable().
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

// CUDA's device of that number, with what keeps this program's kernels from running there.
Result<CudaDevice> describeGpu(Cuda& cuda, int index);

// One GPU.  What is made through it belongs to it; a thread that did not open it calls use() first.
class CudaGpu
{
public:
    // `index` counts CUDA's devices from 0, as `--gpu N` does.  kDevice with the reason where there is no such device,
    // or none of this program's kernels runs there.
    static Result<CudaGpu> open(Cuda& cuda, int index);

    Cuda& cuda() const { return *cuda_; }
    const CudaDevice& device() const { return device_; }
    Status use() const { return cuda_->call("cudaSetDevice", &CudaCalls::setDevice, device_.index); }

    Result<CudaMemory> allocate(std::size_t bytes) const;  // kLimit where it does not fit
    Result<PinnedMemory> allocatePinned(std::size_t bytes) const;
    Result<std::uint64_t> freeMemory() const;  // bytes, now, for all processes
    Result<CudaStream> createStream() const;
    Result<CudaEvent> createEvent() const;

    // How many blocks of so many threads the whole GPU holds at once.
    Result<unsigned> residentBlocks(const KernelEntry& kernel, unsigned threads) const;

private:
    CudaGpu(Cuda& cuda, CudaDevice device) : cuda_(&cuda), device_(std::move(device)) {}

    Cuda* cuda_;
    CudaDevice device_;
};

}  // namespace orogen::compute
