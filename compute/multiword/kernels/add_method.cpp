// The algorithms that makeAddMethod() makes. Each allocates scratch memory before the caller starts the target's clock.
// No launch depends on results that the host would have to download first.
#include "compute/multiword/kernels/add_method.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/multiword/kernels/paper3.h"
#include "compute/multiword/kernels/recursive.h"
#include "compute/multiword/kernels/tiles.h"

namespace orogen::compute {
namespace {

// ---- launch shapes: the blocks of a whole kernel, of which a slice launches a contiguous part ----

std::uint64_t dividedUp(std::uint64_t count, std::uint64_t part) { return (count + part - 1) / part; }

// Returns the shape of lookback, and of measureTiles and addTiles of two-pass: one block per tile.
LaunchShape shapeOfTiles(std::uint64_t limbs) { return {{unsigned(dividedUp(limbs, kTileLimbs))}, {kTileThreads}}; }

// Returns paper-3's number of groups of 16 words of 16 bits.
std::uint64_t paper3Groups(std::uint64_t limbs) { return dividedUp(limbs, kGroupLimbs); }
LaunchShape shapeOfPaper3Groups(std::uint64_t groups)
{
    return {{unsigned(dividedUp(groups, kPaper3GroupThreads))}, {kPaper3GroupThreads}};
}
// Returns a cooperative shape: all blocks are resident. Each of the n threads of the grid processes every n-th group.
LaunchShape shapeOfPaper3Iterations(std::uint64_t groups, unsigned threads, unsigned residentBlocks)
{
    return {{unsigned(std::min<std::uint64_t>(dividedUp(groups, threads), residentBlocks))}, {threads}, true};
}

// Returns the shape of a kernel of the algorithm `recursive` for so many places. A place is a limb, the last carry out,
// or a criterion word (32 bits of C and T, see recursive.h).
LaunchShape shapeOfPlaces(std::uint64_t places)
{
    return {{unsigned(dividedUp(places, kRecursivePlaces))}, {kRecursiveThreads}};
}
LaunchShape shapeOfLimbs(std::uint64_t limbs) { return shapeOfPlaces(limbs + 1); }
// Returns the number of criterion words of each level. The first level describes the limbs, each further one the level
// before it. The last fits into a warp.
std::vector<std::uint64_t> criterionLevels(std::uint64_t limbs)
{
    std::vector<std::uint64_t> counts = {limbs / kWarpLanes + 1};  // limbs + 1 bits
    while (counts.back() > kWarpLanes)
        counts.push_back(dividedUp(counts.back(), kWarpLanes));
    return counts;
}

// ---- methods ----

Status take(TargetMemory& memory, Result<TargetMemory> made)
{
    if (!made) return made.error();
    memory = std::move(*made);
    return Status::ok();
}

// Launches of one kernel, in slices of limited time. The pacer's estimate also holds for the next addition.
class BlockLaunches
{
public:
    explicit BlockLaunches(const AddKernelOptions& options) : fixed_(options.launchSteps) {}

    // Blocks of the first slice per resident block. The slice takes 1 ms on a slow GPU, 30 ms on the host executor.
    static constexpr std::uint64_t kFirstWaves = 32;

    Status prepare(KernelTarget& target, const KernelEntry& kernel, unsigned threads)
    {
        const Result<unsigned> resident = target.residentBlocks(kernel, threads);
        if (!resident) return resident.error();
        pacer_ = fixed_ > 0 ? LaunchPacer(fixed_, fixed_) : LaunchPacer(kFirstWaves * *resident);
        return Status::ok();
    }

    // Launches `whole` in slices; `arguments` maps a slice's first block to kernel arguments.
    template <class Arguments, class OfLaunch>
    Status run(KernelTarget& target, const Kernel<Arguments>& kernel, const LaunchShape& whole,
               const std::stop_token& stop, const OfLaunch& arguments)
    {
        const auto launch = [&](std::uint64_t first, std::uint64_t count) {
            LaunchShape part = whole;
            part.grid.x = unsigned(count);
            return target.launch(kernel, part, arguments(first));
        };
        return launchInSlices(target, pacer_, whole.grid.x, stop, "addition", launch);
    }

private:
    const std::uint64_t fixed_;
    LaunchPacer pacer_;
};

class Paper3Method final : public AddMethod
{
public:
    explicit Paper3Method(const AddKernelOptions& options)
        : untilStill_(options.untilStill), threads_(options.paper3Threads), sums_(options), corrections_(options),
          pacer_(options.launchSteps > 0 ? LaunchPacer(options.launchSteps, options.launchSteps) : LaunchPacer())
    {
        assert(threads_ >= 1 && threads_ <= kPaper3Threads);
    }

    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        groups_ = paper3Groups(limbs);
        const Result<unsigned> resident = target.residentBlocks(paper3IterationsKernel(), threads_);
        if (!resident) return resident.error();
        iterations_ = shapeOfPaper3Iterations(groups_, threads_, *resident);
        if (Status status = sums_.prepare(target, paper3SumsKernel(), kPaper3GroupThreads); !status) return status;
        if (Status status = corrections_.prepare(target, paper3CorrectionsKernel(), kPaper3GroupThreads); !status)
            return status;
        if (Status status = take(carry_, target.allocate((groups_ + 1) * sizeof(std::uint32_t))); !status)
            return status;
        return take(words_, target.allocate(groups_ * sizeof(std::uint32_t)));
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control, const std::stop_token& stop) override
    {
        const LaunchShape groups = shapeOfPaper3Groups(groups_);
        const auto arguments = [&](std::uint64_t firstBlock, std::uint64_t halves) {
            return Paper3Arguments{sum,
                                   control,
                                   groups_,
                                   carry_.as<std::uint32_t>(),
                                   words_.as<std::uint32_t>(),
                                   firstBlock * kPaper3GroupThreads,
                                   halves,
                                   untilStill_};
        };
        const auto ofBlock = [&](std::uint64_t first) { return arguments(first, 0); };
        const auto iterate = [&](std::uint64_t, std::uint64_t count) {  // AddControl::halves holds the start
            return target.launch(paper3IterationsKernel(), iterations_, arguments(0, count));
        };
        if (Status status = sums_.run(target, paper3SumsKernel(), groups, stop, ofBlock); !status) return status;
        if (Status status = launchInSlices(target, pacer_, 2 * groups_, stop, "addition", iterate); !status)
            return status;
        return corrections_.run(target, paper3CorrectionsKernel(), groups, stop, ofBlock);
    }

    // Counts an addition of the words, one of C + T in each iteration and one at the end, and one of the corrections.
    AdditionSteps steps(const AddOperations& operations) const override
    {
        return {operations.iterations + 3, operations.barriers};
    }

private:
    const bool untilStill_;
    const unsigned threads_;
    std::uint64_t groups_ = 0;
    LaunchShape iterations_;
    BlockLaunches sums_, corrections_;
    LaunchPacer pacer_;  // its steps are half iterations
    TargetMemory carry_, words_;
};

class RecursiveMethod final : public AddMethod
{
public:
    explicit RecursiveMethod(const AddKernelOptions& options)
        : limbSums_(options), wordSums_(options), limbCorrections_(options), wordCorrections_(options)
    {
    }

    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        const std::vector<std::uint64_t> counts = criterionLevels(limbs);
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
        for (const auto& [launches, kernel] : {std::pair<BlockLaunches*, KernelEntry>{&limbSums_, sumLimbsKernel()},
                                               {&wordSums_, sumCriteriaKernel()},
                                               {&limbCorrections_, correctLimbsKernel()},
                                               {&wordCorrections_, correctCriteriaKernel()}})
            if (Status status = launches->prepare(target, kernel, kRecursiveThreads); !status) return status;
        return Status::ok();
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control, const std::stop_token& stop) override
    {
        levels_.front().carryIn = sum.carryIn;
        const auto limbs = [&](std::uint64_t first) {
            return LimbsArguments{sum, levels_.front(), control, first * kRecursivePlaces};
        };
        const LaunchShape shape = shapeOfLimbs(sum.count);
        if (Status status = limbSums_.run(target, sumLimbsKernel(), shape, stop, limbs); !status) return status;
        if (Status status = runCriteria(target, stop); !status) return status;
        return limbCorrections_.run(target, correctLimbsKernel(), shape, stop, limbs);
    }

    // Counts two additions, sums and corrections, for the limbs and for each level but the last. The last level adds
    // only C + T.
    AdditionSteps steps(const AddOperations&) const override
    {
        const std::uint64_t levels = levels_.size();
        return {2 * levels + 1, 2 * levels, levels};
    }

private:
    // Sums the levels down to the last, then corrects them back to the first.
    Status runCriteria(KernelTarget& target, const std::stop_token& stop)
    {
        const std::size_t last = levels_.size() - 1;
        for (std::size_t level = 0; level < last; ++level)
            if (Status status = runLevel(target, wordSums_, sumCriteriaKernel(), level, stop); !status) return status;
        if (Status status = target.launch(sumLastCriteriaKernel(), {{1}, {kWarpLanes}}, levels_[last]); !status)
            return status;
        for (std::size_t level = last; level > 0; --level)
            if (Status status = runLevel(target, wordCorrections_, correctCriteriaKernel(), level - 1, stop); !status)
                return status;
        return Status::ok();
    }

    Status runLevel(KernelTarget& target, BlockLaunches& launches, const Kernel<WordsArguments>& kernel,
                    std::size_t level, const std::stop_token& stop)
    {
        return launches.run(target, kernel, shapeOfPlaces(levels_[level].count), stop, [&](std::uint64_t first) {
            return WordsArguments{levels_[level], levels_[level + 1], first * kRecursivePlaces};
        });
    }

    BlockLaunches limbSums_, wordSums_, limbCorrections_, wordCorrections_;
    TargetMemory memory_;
    std::vector<CriterionWords> levels_;
};

class LookbackMethod final : public AddMethod
{
public:
    explicit LookbackMethod(const AddKernelOptions& options) : tileSums_(options) {}

    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        if (Status status = tileSums_.prepare(target, lookbackKernel(), kTileThreads); !status) return status;
        const LaunchShape tiles = shapeOfTiles(limbs);
        if (Status status = take(states_, target.allocate(tiles.grid.x * sizeof(std::uint32_t))); !status)
            return status;
        return target.fill(states_, 0);
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control, const std::stop_token& stop) override
    {
        const LaunchShape tiles = shapeOfTiles(sum.count);
        const std::uint32_t tickets = additions_ * tiles.grid.x;  // mod 2^32, like the tickets
        const LookbackArguments arguments = {sum, control, states_.as<std::uint32_t>(), ++additions_, tickets};
        // The ticket alone selects a block's tile, in any launch.
        return tileSums_.run(target, lookbackKernel(), tiles, stop, [&](std::uint64_t) { return arguments; });
    }

    AdditionSteps steps(const AddOperations&) const override { return {2, 0}; }  // adds the limbs and the corrections

private:
    BlockLaunches tileSums_;
    std::uint32_t additions_ = 0;  // number of additions so far
    TargetMemory states_;
};

class TwoPassMethod final : public AddMethod
{
public:
    explicit TwoPassMethod(const AddKernelOptions& options) : measures_(options), sums_(options) {}

    Status allocate(KernelTarget& target, std::uint64_t limbs) override
    {
        if (Status status = measures_.prepare(target, measureTilesKernel(), kTileThreads); !status) return status;
        if (Status status = sums_.prepare(target, addTilesKernel(), kTileThreads); !status) return status;
        return take(rules_, target.allocate(shapeOfTiles(limbs).grid.x * sizeof(std::uint32_t)));
    }

    Status run(KernelTarget& target, const Summands& sum, AddControl* control, const std::stop_token& stop) override
    {
        const LaunchShape tiles = shapeOfTiles(sum.count);
        const auto arguments = [&](std::uint64_t first) {
            return TwoPassArguments{sum, control, rules_.as<std::uint32_t>(), tiles.grid.x, first};
        };
        if (Status status = measures_.run(target, measureTilesKernel(), tiles, stop, arguments); !status) return status;
        if (Status status = target.launch(scanTilesKernel(), {{1}, {kScanThreads}}, arguments(0)); !status)
            return status;
        return sums_.run(target, addTilesKernel(), tiles, stop, arguments);
    }

    // Counts two additions of the limbs, one in each pass, and one of the corrections.
    AdditionSteps steps(const AddOperations&) const override { return {3, 2}; }

private:
    BlockLaunches measures_, sums_;
    TargetMemory rules_;
};

}  // namespace

std::unique_ptr<AddMethod> makeAddMethod(AddKernel algorithm, const AddKernelOptions& options)
{
    switch (algorithm)
    {
    case AddKernel::kPaper3:
        return std::make_unique<Paper3Method>(options);
    case AddKernel::kRecursive:
        return std::make_unique<RecursiveMethod>(options);
    case AddKernel::kLookback:
        return std::make_unique<LookbackMethod>(options);
    case AddKernel::kTwoPass:
        return std::make_unique<TwoPassMethod>(options);
    }
    assert(false && "no such algorithm");
    return nullptr;
}

}  // namespace orogen::compute
