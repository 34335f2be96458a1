// Each algorithm takes its scratch memory before anything is timed, and needs nothing from the host between launches.
#include "compute/multiword/kernels/add_method.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "compute/multiword/kernels/lookback.h"
#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/recursive.h"
#include "compute/multiword/kernels/two_pass.h"

namespace orogen::compute {
namespace {

std::uint64_t dividedUp(std::uint64_t count, std::uint64_t part) { return (count + part - 1) / part; }

// Enough blocks of `threads` for so many threads.
LaunchShape lineOf(std::uint64_t count, unsigned threads) { return {{unsigned(dividedUp(count, threads))}, {threads}}; }

Status take(TargetMemory& memory, Result<TargetMemory> made)
{
    if (!made) return made.error();
    memory = std::move(*made);
    return Status::ok();
}

class Paper3Method final : public AddMethod
{
public:
    explicit Paper3Method(bool untilStill) : untilStill_(untilStill) {}

    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        groups_ = dividedUp(limbs, kGroupLimbs);
        if (Status status = take(carry_, target.allocate((groups_ + 1) * sizeof(std::uint32_t))); !status)
            return status;
        return take(words_, target.allocate(groups_ * sizeof(std::uint32_t)));
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control) override
    {
        const Kernel<Paper3Arguments> kernel = paper3Kernel();
        const Result<unsigned> resident = target.residentBlocks(kernel, kPaper3Threads);
        if (!resident) return resident.error();
        const std::uint64_t blocks = std::min<std::uint64_t>(dividedUp(groups_, kPaper3Threads), *resident);
        const LaunchShape shape = {{unsigned(blocks)}, {kPaper3Threads}, true};
        return target.launch(
            kernel, shape,
            {sum, control, groups_, carry_.as<std::uint32_t>(), words_.as<std::uint32_t>(), untilStill_});
    }

private:
    const bool untilStill_;
    std::uint64_t groups_ = 0;
    TargetMemory carry_, words_;
};

class RecursiveMethod final : public AddMethod
{
public:
    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        std::vector<std::uint64_t> counts = {limbs / kWarpLanes + 1};  // one bit more than limbs
        while (counts.back() > kWarpLanes)
            counts.push_back(dividedUp(counts.back(), kWarpLanes));
        std::uint64_t words = 0;
        for (const std::uint64_t count : counts)
            words += 3 * count;
        if (Status status = take(memory_, target.allocate(words * sizeof(std::uint32_t))); !status) return status;
        std::uint32_t* next = memory_.as<std::uint32_t>();
        levels_.clear();
        for (const std::uint64_t count : counts)
        {
            levels_.push_back({next, next + count, next + 2 * count, count, 0});
            next += 3 * count;
        }
        return Status::ok();
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control) override
    {
        levels_.front().carryIn = sum.carryIn;
        const LimbsArguments limbs = {sum, levels_.front(), control};
        const LaunchShape limbsShape = lineOf(sum.count + 1, kRecursiveThreads);
        if (Status status = target.launch(sumLimbsKernel(), limbsShape, limbs); !status) return status;
        if (Status status = runCriteria(target); !status) return status;
        return target.launch(correctLimbsKernel(), limbsShape, limbs);
    }

private:
    // Down to the last level, and back to the first.
    Status runCriteria(KernelTarget& target)
    {
        const std::size_t last = levels_.size() - 1;
        for (std::size_t level = 0; level < last; ++level)
            if (Status status = runLevel(target, sumCriteriaKernel(), level); !status) return status;
        if (Status status = target.launch(sumLastCriteriaKernel(), {{1}, {kWarpLanes}}, levels_[last]); !status)
            return status;
        for (std::size_t level = last; level > 0; --level)
            if (Status status = runLevel(target, correctCriteriaKernel(), level - 1); !status) return status;
        return Status::ok();
    }

    Status runLevel(KernelTarget& target, const Kernel<WordsArguments>& kernel, std::size_t level)
    {
        return target.launch(kernel, lineOf(levels_[level].count, kRecursiveThreads),
                             {levels_[level], levels_[level + 1]});
    }

    TargetMemory memory_;
    std::vector<CriterionWords> levels_;
};

class LookbackMethod final : public AddMethod
{
public:
    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        tiles_ = dividedUp(limbs, kTileLimbs);
        return take(states_, target.allocate(tiles_ * sizeof(std::uint32_t)));
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control) override
    {
        if (Status status = target.fill(states_, 0); !status) return status;
        return target.launch(lookbackKernel(), {{unsigned(tiles_)}, {kTileThreads}},
                             {sum, control, states_.as<std::uint32_t>()});
    }

private:
    std::uint64_t tiles_ = 0;
    TargetMemory states_;
};

class TwoPassMethod final : public AddMethod
{
public:
    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        tiles_ = dividedUp(limbs, kTileLimbs);
        return take(rules_, target.allocate(tiles_ * sizeof(std::uint32_t)));
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control) override
    {
        const TwoPassArguments arguments = {sum, control, rules_.as<std::uint32_t>(), tiles_};
        const LaunchShape tiles = {{unsigned(tiles_)}, {kTileThreads}};
        if (Status status = target.launch(measureTilesKernel(), tiles, arguments); !status) return status;
        if (Status status = target.launch(scanTilesKernel(), {{1}, {kScanThreads}}, arguments); !status) return status;
        return target.launch(addTilesKernel(), tiles, arguments);
    }

private:
    std::uint64_t tiles_ = 0;
    TargetMemory rules_;
};

}  // namespace

std::unique_ptr<AddMethod> makeAddMethod(AddKernel algorithm, const AddKernelOptions& options)
{
    switch (algorithm)
    {
    case AddKernel::kPaper3:
        return std::make_unique<Paper3Method>(options.untilStill);
    case AddKernel::kRecursive:
        return std::make_unique<RecursiveMethod>();
    case AddKernel::kLookback:
        return std::make_unique<LookbackMethod>();
    case AddKernel::kTwoPass:
        return std::make_unique<TwoPassMethod>();
    }
    assert(false && "no such algorithm");
    return nullptr;
}

}  // namespace orogen::compute
