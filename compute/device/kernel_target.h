// Target that runs kernels and owns their memory, GPU or host executor.  Launching code is the same for both.
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

// Work is done in the order of the calls.  All calls but download() may return before their work is done; its errors
// may then come from a later call.
class KernelTarget
{
public:
    virtual ~KernelTarget() = default;

    // Allocates uninitialised memory, aligned to 256 bytes.  Error kLimit: it does not fit.
    virtual Result<TargetMemory> allocate(std::size_t bytes) = 0;
    virtual Status fill(const TargetMemory& memory, int byte) = 0;
    virtual Status upload(void* to, const void* from, std::size_t bytes) = 0;  // `from` may change afterwards
    virtual Status download(void* to, const void* from, std::size_t bytes) = 0;
    virtual Status copy(void* to, const void* from, std::size_t bytes) = 0;  // both on the target

    // Returns how many blocks can be resident at once: the maximum of a cooperative launch.
    virtual Result<unsigned> residentBlocks(const KernelEntry& kernel, unsigned threads) = 0;
    template <class Arguments>
    Status launch(const Kernel<Arguments>& kernel, const LaunchShape& shape, const Arguments& arguments)
    {
        Arguments copy = arguments;
        return launchEntry(kernel, shape, &copy);
    }

    // Measure the work of the calls in between (milliseconds); stopClock() waits for it.
    virtual Status startClock() = 0;
    virtual Result<double> stopClock() = 0;
    // Waits until all work is done.
    virtual Status finish() = 0;

    virtual HostLaunch hostLaunches() const { return {}; }  // totals of the host executor's launches

    virtual const CudaDevice* gpu() const { return nullptr; }                 // null: the host executor
    virtual Result<std::uint64_t> freeMemory() { return availableMemory(); }  // bytes that allocate() can provide now

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

// Makes a target on the host.  Memory starts poisoned; finish() and stopClock() report writes past its end.
std::unique_ptr<KernelTarget> makeHostTarget(const HostSchedule& schedule);

// Makes a target on a GPU, with its own stream, for the calling thread.  A stop ends transfers with kInterrupted.
Result<std::unique_ptr<KernelTarget>> makeCudaTarget(Cuda& cuda, int gpu, std::stop_token stop = {});

}  // namespace orogen::compute
