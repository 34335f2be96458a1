// Work of this module on a target (a GPU, or the host executor), and the launch shapes that sums and Fourier transforms
// share.
#pragma once

#include <stop_token>
#include <utility>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/signed_digit/kernels/signed_digit_device.h"
#include "core/base/clock.h"

namespace orogen::compute {

constexpr std::uint64_t dividedUp(std::uint64_t count, std::uint64_t part) { return (count + part - 1) / part; }

// Launches that together do `steps` steps of work.
struct SteppedShape
{
    LaunchShape shape;
    std::uint64_t steps = 0;
    std::uint64_t first = 1;  // steps of the first launch: at most some 20 ms on the slowest device
    std::uint64_t most = 1;   // maximum per launch
};

// Launches of multiplyTiles (products.h). A step is one unit: one row range (stretch) of one tile.
struct ProductsShape : SteppedShape
{
    std::uint64_t xTiles = 0, yTiles = 0, stretches = 0;
};
// Returns the groups of 16 rows that `rows` rows are packed into: whole steps of 64 rows.
std::uint64_t groupsOfRows(std::uint64_t rows);
// Returns the threads per block for `groups` groups of 16 rows: a warp per step of 64 rows, at most kProductThreads.
unsigned productThreads(std::uint64_t groups);
// Returns the shape for `items` products that share x; widths are in pairs of digits.
ProductsShape shapeOfProducts(std::uint64_t groups, std::uint64_t xWidth, std::uint64_t yWidth, std::uint64_t items,
                              unsigned residentBlocks);

// Base of classes that compute on a target: memory, transfers and launches, each timed separately.
class TargetWork
{
public:
    // `mostSteps`: maximum number of steps per launch; 0: as many as time allows.
    TargetWork(KernelTarget& target, std::stop_token stop, std::uint64_t mostSteps)
        : target_(target), stop_(std::move(stop)), mostSteps_(mostSteps)
    {
    }

protected:
    bool stopped() const { return stop_.stop_requested(); }
    static Error cancelled() { return {ExitCode::kInterrupted, "signed-digit: cancelled"}; }

    Status allocate(TargetMemory& memory, std::size_t bytes);
    Status zeros(TargetMemory& memory, std::size_t bytes);
    // Allocates memory and uploads in pieces, with a stop check between them.
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
