// What all work of this module on a target is made of: memory, transfers, launches, each under a clock of its own.
#pragma once

#include <stop_token>
#include <utility>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/device/launch_slices.h"
#include "compute/signed_digit/kernels/decimal_shapes.h"
#include "compute/signed_digit/kernels/kernel_times.h"
#include "core/base/clock.h"

namespace orogen::compute {

class TargetWork
{
public:
    // `mostSteps` of a launch; 0: by the clock.
    TargetWork(KernelTarget& target, std::stop_token stop, std::uint64_t mostSteps)
        : target_(target), stop_(std::move(stop)), mostSteps_(mostSteps)
    {
    }

protected:
    bool stopped() const { return stop_.stop_requested(); }
    static Error cancelled() { return {ExitCode::kInterrupted, "signed-digit: cancelled"}; }

    Status allocate(TargetMemory& memory, std::size_t bytes);
    Status zeros(TargetMemory& memory, std::size_t bytes);
    // Into memory that it allocates, in pieces, with a look at the stop between them.
    Status upload(TargetMemory& memory, const void* from, std::size_t bytes);
    template <class T>
    Status download(std::vector<T>& to, const TargetMemory& from)
    {
        return timed(times_.downloadMs,
                     [&] { return target_.download(to.data(), from.as<void>(), to.size() * sizeof(T)); });
    }

    template <class Arguments>
    Status launch(const Kernel<Arguments>& kernel, const LaunchShape& shape, const Arguments& arguments)
    {
        return target_.launch(kernel, shape, arguments);
    }
    Status launchSteps(const SteppedShape& steps, const LaunchSteps& launch);

    template <class Work>
    Status timed(double& ms, const Work& work)
    {
        if (Status status = target_.startClock(); !status) return status;
        if (Status status = work(); !status) return status;
        const Result<double> took = target_.stopClock();
        if (!took) return took.error();
        ms += *took;
        return Status::ok();
    }

    KernelTarget& target_;
    const std::stop_token stop_;
    const std::uint64_t mostSteps_;
    KernelTimes times_;
};

}  // namespace orogen::compute
