// Where kernels run, with the memory that they see: a GPU, or the host executor.  What launches kernels is written once
// against this; it does not know which of the two it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <utility>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"
#include "compute/device/launch.h"
#include "core/base/memory.h"
#include "core/base/status.h"

namespace orogen::compute {

class KernelTarget;

// Memory of a target, which must outlive it.
class TargetMemory
{
public:
    TargetMemory() = default;
    TargetMemory(KernelTarget& target, void* data, std::size_t bytes) : target_(&target), data_(data), bytes_(bytes) {}
    TargetMemory(TargetMemory&& other) noexcept
        : target_(other.target_), data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0))
    {
    }
    TargetMemory& operator=(TargetMemory&& other) noexcept
    {
        std::swap(target_, other.target_);
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~TargetMemory();

    std::size_t bytes() const { return bytes_; }
    template <class T>
    T* as() const
    {
        return static_cast<T*>(data_);
    }

private:
    KernelTarget* target_ = nullptr;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

// Work is done in the order in which it was asked for; all but download may return before it is done, and its errors
// may then come from a later call.
class KernelTarget
{
public:
    virtual ~KernelTarget() = default;

    // Aligned to 256 bytes; what it holds is undefined.  kLimit where it does not fit.
    virtual Result<TargetMemory> allocate(std::size_t bytes) = 0;
    virtual Status fill(const TargetMemory& memory, int byte) = 0;
    virtual Status upload(void* to, const void* from, std::size_t bytes) = 0;  // `from` may change afterwards
    virtual Status download(void* to, const void* from, std::size_t bytes) = 0;
    virtual Status copy(void* to, const void* from, std::size_t bytes) = 0;  // both on the target

    // How many blocks can be resident at once: the most that a cooperative launch may have.
    virtual Result<unsigned> residentBlocks(const KernelEntry& kernel, unsigned threads) = 0;
    template <class Arguments>
    Status launch(const Kernel<Arguments>& kernel, const LaunchShape& shape, const Arguments& arguments)
    {
        Arguments copy = arguments;
        return launchEntry(kernel, shape, &copy);
    }

    // The time that the work asked for between the two calls took, in milliseconds; stopClock waits for it.
    virtual Status startClock() = 0;
    virtual Result<double> stopClock() = 0;
    // Waits until all is done.
    virtual Status finish() = 0;

    virtual HostLaunch hostLaunches() const { return {}; }  // of the host executor, all launches together

    virtual const CudaDevice* gpu() const { return nullptr; }                 // null: the host executor
    virtual Result<std::uint64_t> freeMemory() { return availableMemory(); }  // bytes that allocate() may give now

protected:
    virtual Status launchEntry(const KernelEntry& kernel, const LaunchShape& shape, void* arguments) = 0;

private:
    friend class TargetMemory;
    virtual void release(void* data, std::size_t bytes) = 0;
};

inline TargetMemory::~TargetMemory()
{
    if (data_) target_->release(data_, bytes_);
}

// Kernels on the host.  Memory starts poisoned and ends in a guard: finish() and stopClock() report a write behind it.
std::unique_ptr<KernelTarget> makeHostTarget(const HostSchedule& schedule);

// Kernels on a GPU, in a stream of their own, on the thread that made it.  After a stop, transfers end with
// kInterrupted.
Result<std::unique_ptr<KernelTarget>> makeCudaTarget(Cuda& cuda, int gpu, std::stop_token stop = {});

}  // namespace orogen::compute
