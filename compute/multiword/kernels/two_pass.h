// Addition by three kernels, none of which waits for another block: how each tile answers to a carry; the carries into
// all tiles; the sums.  5 limbs of traffic a limb, since the numbers are read twice.
#pragma once

#include "compute/multiword/kernels/tile.h"

namespace orogen::compute {

struct TwoPassArguments
{
    Summands sum;
    AddControl* control;
    std::uint32_t* tiles;  // after measureTiles: their rules, packed; after scanTiles: the carries into them
    std::uint64_t tileCount;
    std::uint64_t first;  // tile of this launch
};

constexpr unsigned kScanThreads = 1024;

namespace OROGEN_TARGET {

OROGEN_DEVICE inline void measureTiles(const TwoPassArguments& arguments)
{
    OROGEN_SHARED(std::uint32_t, rules, kTileWarps);
    const unsigned warp = threadIndex().x / kWarpLanes;
    const std::uint64_t tile = arguments.first + blockIndex().x;
    const CarryRule warpRule = TileSum(arguments.sum, tile).warpRule();
    if (laneIndex() == 0) rules[warp] = WarpRules::packed(warpRule);
    syncBlock();
    if (warp != 0) return;
    const CarryRule rule = WarpRules::gathered(rules).tileRule();
    if (laneIndex() == 0) arguments.tiles[tile] = WarpRules::packed(rule);
}

// The tiles of one thread, which are consecutive.
struct TileRange
{
    std::uint64_t begin, end;
};

OROGEN_DEVICE inline TileRange tilesOf(unsigned thread, std::uint64_t count)
{
    const std::uint64_t each = (count + kScanThreads - 1) / kScanThreads;
    const std::uint64_t begin = thread * each;
    return {begin < count ? begin : count, begin + each < count ? begin + each : count};
}

OROGEN_DEVICE inline CarryRule unpacked(std::uint32_t rule) { return {rule & 1u, rule >> 1 & 1u}; }

// One block: the paper's step over the threads of each warp, and over the warps.
OROGEN_DEVICE inline void scanTiles(const TwoPassArguments& arguments)
{
    OROGEN_SHARED(std::uint32_t, warpRules, kWarpLanes);
    const unsigned thread = threadIndex().x, warp = thread / kWarpLanes, lane = laneIndex();
    const TileRange range = tilesOf(thread, arguments.tileCount);
    CarryRule own = {0, 1};
    for (std::uint64_t tile = range.begin; tile < range.end; ++tile)
    {
        const CarryRule rule = unpacked(arguments.tiles[tile]);
        own = {rule.after(own.generate), own.propagate & rule.propagate};
    }
    const std::uint32_t generate = ballot(kAllLanes, own.generate), propagate = ballot(kAllLanes, own.propagate);
    if (lane == 0)
        warpRules[warp] = WarpRules::packed({resolve(generate, propagate, 0).leaving, propagate == kAllLanes});
    syncBlock();
    const CarryRule rule = unpacked(warpRules[lane]);
    const Carries warps =
        resolve(ballot(kAllLanes, rule.generate), ballot(kAllLanes, rule.propagate), arguments.sum.carryIn);
    std::uint32_t carry = resolve(generate, propagate, warps.entering >> warp & 1u).entering >> lane & 1u;
    if (thread == 0) arguments.control->carryOut = warps.leaving;
    for (std::uint64_t tile = range.begin; tile < range.end; ++tile)
    {
        const CarryRule next = unpacked(arguments.tiles[tile]);
        arguments.tiles[tile] = carry;
        carry = next.after(carry);
    }
}
static_assert(kScanThreads == kWarpLanes * kWarpLanes);

OROGEN_DEVICE inline void addTiles(const TwoPassArguments& arguments)
{
    OROGEN_SHARED(std::uint32_t, rules, kTileWarps);
    const std::uint64_t tile = arguments.first + blockIndex().x;
    const unsigned warp = threadIndex().x / kWarpLanes;
    TileSum sum(arguments.sum, tile);
    const CarryRule warpRule = sum.warpRule();
    if (laneIndex() == 0) rules[warp] = WarpRules::packed(warpRule);
    syncBlock();
    sum.store(arguments.sum, tile, WarpRules::gathered(rules).carryInto(warp, arguments.tiles[tile]));
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(measureTiles, TwoPassArguments, kTileThreads)
OROGEN_KERNEL(scanTiles, TwoPassArguments, kScanThreads)
OROGEN_KERNEL(addTiles, TwoPassArguments, kTileThreads)

}  // namespace orogen::compute
