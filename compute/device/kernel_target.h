// Targets: a GPU or the host executor.  A target runs kernels and owns their memory.  LaunchPacer and launchInSlices()
// divide work into launches of bounded time.  Launching code is the same for both targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <string_view>
#include <utility>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"
#include "compute/device/launch.h"
#include "core/base/memory.h"
#include "core/base/status.h"

namespace orogen::compute {

class KernelTarget;

// Memory of a target.  The target must outlive the memory.
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

// A GPU or the host executor.  Work is done in the order of the calls.  fill(), upload(), copy(), launch() and
// startClock() may return before their work is done; a later call then returns the errors of that work.
class KernelTarget
{
public:
    virtual ~KernelTarget() = default;

    // Lets the calling thread use a target that another thread has made.
    virtual Status use() { return Status::ok(); }
    // Allocates uninitialised memory, aligned to 256 bytes.  Errors: the target's; kLimit if the memory does not fit.
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

    // stopClock() waits for the work since startClock(), and returns the time that this work took (milliseconds).
    virtual Status startClock() = 0;
    virtual Result<double> stopClock() = 0;
    // Waits until all work is done.  Returns the errors of that work.
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

// Makes a target on the host.  New memory holds a pattern; finish() and stopClock() report writes just past its end.
std::unique_ptr<KernelTarget> makeHostTarget(const HostSchedule& schedule);

// Makes a target on a GPU, with its own stream, for the calling thread.  A stop ends transfers with kInterrupted.
Result<std::unique_ptr<KernelTarget>> makeCudaTarget(Cuda& cuda, int gpu, std::stop_token stop = {});

// ---- launches of bounded time ----
//
// Each launch aims at a duration of LaunchPacer::kAimMs.  A display on the same GPU then stays responsive, a stop takes
// effect between launches, and no watchdog aborts a launch (after two seconds on Windows and X11).  State that one
// launch leaves for the next stays on the device.  A kernel that can be split gives the same bits for every split, so
// the split may depend on the clock.

// Number of steps of the next launch, learned from the times of the launches before.  A step is the smallest piece of
// work into which the caller can split a kernel.
class LaunchPacer
{
public:
    static constexpr double kAimMs = 20;  // target time of a launch

    // `first`: steps of the first launch, whose time includes loading the kernel; 1 if nothing is known.  `most`: limit
    // of steps per launch, for storage that depends on it and for tests with a fixed split.
    explicit LaunchPacer(std::uint64_t first = 1, std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

    std::uint64_t next() const { return steps_; }  // >= 1
    // Records the time of a launch.  The number of steps grows at most by the factor kMostGrowth, since later
    // steps may be slower.
    void took(std::uint64_t steps, double milliseconds);

private:
    static constexpr double kMostGrowth = 4;

    std::uint64_t steps_, most_;
};

// Executes the steps 0 to total - 1 in launches sized by the pacer.  `launch` submits `count` steps from `first` on; it
// is called again after its previous launch has ended.  Does not wait for the last launch, because the caller's clock
// would count the wait as kernel time: some 15 us, as much as a kernel takes to move 50 MB.  Errors: those of the
// launches, and kInterrupted ("WHAT: cancelled") after a stop, which is polled before each launch.
using LaunchSteps = std::function<Status(std::uint64_t first, std::uint64_t count)>;
Status launchInSlices(KernelTarget& target, LaunchPacer& pacer, std::uint64_t total, const std::stop_token& stop,
                      std::string_view what, const LaunchSteps& launch);

}  // namespace orogen::compute
