// Memory on a target, and the times of its allocation, of transfers and of kernels.
#pragma once

#include <algorithm>
#include <span>

#include "compute/device/kernel_target.h"
#include "core/base/clock.h"

namespace orogen::compute {

struct CgTimes
{
    double allocateMs = 0, uploadMs = 0, kernelMs = 0, downloadMs = 0;
};

class CgMemory
{
public:
    explicit CgMemory(KernelTarget& target) : target_(target) {}

    KernelTarget& target() const { return target_; }
    const CgTimes& times() const { return times_; }

    Status allocate(TargetMemory& memory, std::size_t bytes)
    {
        const Clock::time_point start = Clock::now();
        Result<TargetMemory> made = target_.allocate(std::max<std::size_t>(bytes, 1));
        times_.allocateMs += millisecondsSince(start);
        if (!made) return made.error();
        memory = std::move(*made);
        return Status::ok();
    }
    Status allocateZeros(TargetMemory& memory, std::size_t bytes)
    {
        if (Status status = allocate(memory, bytes); !status) return status;
        return target_.fill(memory, 0);
    }

    Status upload(void* to, const void* from, std::size_t bytes)
    {
        if (Status status = stopKernels(); !status) return status;
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.upload(to, from, bytes); !status) return status;
        return stopClock(times_.uploadMs);
    }
    template <class T>
    Status place(TargetMemory& memory, std::span<const T> values)
    {
        if (Status status = allocate(memory, values.size_bytes()); !status) return status;
        return upload(memory.as<void>(), values.data(), values.size_bytes());
    }

    // Launches the kernel that takes these arguments.
    template <class Arguments>
    Status launch(const LaunchShape& shape, const Arguments& arguments)
    {
        if (Status status = startKernels(); !status) return status;
        return target_.launch(kernelOf(&arguments), shape, arguments);
    }
    Status copy(void* to, const void* from, std::size_t bytes)
    {
        if (Status status = startKernels(); !status) return status;
        return target_.copy(to, from, bytes);
    }
    template <class T>
    Status download(std::span<T> to, const void* from)
    {
        if (Status status = stopKernels(); !status) return status;
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = target_.download(to.data(), from, to.size_bytes()); !status) return status;
        return stopClock(times_.downloadMs);
    }

private:
    Status startKernels()
    {
        if (running_) return Status::ok();
        running_ = true;
        return target_.startClock();
    }
    Status stopKernels()
    {
        if (!running_) return Status::ok();
        running_ = false;
        return stopClock(times_.kernelMs);
    }
    Status stopClock(double& sum)
    {
        const Result<double> took = target_.stopClock();
        if (!took) return took.error();
        sum += *took;
        return Status::ok();
    }

    KernelTarget& target_;
    CgTimes times_;
    bool running_ = false;  // whether the clock is timing kernels
};

}  // namespace orogen::compute
