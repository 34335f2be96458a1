// Addition in one pass over memory, 3 limbs of traffic a limb, which is the least there is.
//
// A tile that generates a carry or stops one knows at once what leaves it.  Only one that propagates throughout (a
// chance of 2^-131072 for random numbers) looks back at those before it, 32 at a time, and the paper's C and T are the
// ballots of its lanes.  Tiles are given out in the order in which blocks start, so that what a tile waits for has
// started; in whatever launches they start.
//
// Nothing is cleared between two additions: a state names the addition that it belongs to, and tickets go on counting.
#pragma once

#include "compute/multiword/kernels/tile.h"

namespace orogen::compute {

struct LookbackArguments
{
    Summands sum;
    AddControl* control;
    std::uint32_t* states;      // of the tiles; all 0 before the first addition
    std::uint32_t addition;     // its number, from 1, below 2^29
    std::uint32_t firstTicket;  // of this addition: of tile 0
};

namespace OROGEN_TARGET {

// A tile's state, below the number of the addition: the carry that leaves the tile is known; the tile hands on the
// carry that enters it.  Of another addition: not known yet.
constexpr std::uint32_t kCarryKnown = 2, kCarry = 1, kHandsOn = 4, kStateBits = 3;

OROGEN_DEVICE inline std::uint32_t stateOf(CarryRule rule)
{
    return rule.propagate ? kHandsOn : kCarryKnown | rule.generate;
}

// 0: not known yet.
OROGEN_DEVICE inline std::uint32_t loadState(const LookbackArguments& arguments, std::uint64_t tile)
{
    const std::uint32_t word = loadAcquire(arguments.states + tile);
    return word >> kStateBits == arguments.addition ? word & ((1u << kStateBits) - 1) : 0;
}
OROGEN_DEVICE inline void storeState(const LookbackArguments& arguments, std::uint64_t tile, std::uint32_t state)
{
    storeRelease(arguments.states + tile, arguments.addition << kStateBits | state);
}

// The carry into `tile`, > 0.  Called by a whole warp.
OROGEN_DEVICE inline std::uint32_t lookBack(const LookbackArguments& arguments, std::uint64_t tile)
{
    for (std::uint64_t end = tile;;)
    {
        const unsigned distance = laneIndex() + 1;
        const std::uint32_t state = distance <= end ? loadState(arguments, end - distance) : kCarryKnown;
        const std::uint32_t unknown = ballot(kAllLanes, state == 0);
        const std::uint32_t nearer = unknown & (~unknown + 1);  // a bit above all tiles that no unknown one hides
        const std::uint32_t decided = ballot(kAllLanes, (state & kCarryKnown) != 0) & (nearer - 1);
        const std::uint32_t carries = ballot(kAllLanes, (state & kCarry) != 0);
        if (decided != 0) return carries >> lowestBit(decided) & 1u;
        if (unknown == 0)
            end -= kWarpLanes;
        else
            spinPause();
    }
}

OROGEN_DEVICE inline void lookback(const LookbackArguments& arguments)
{
    OROGEN_SHARED(std::uint32_t, rules, kTileWarps);
    OROGEN_SHARED(std::uint32_t, given, 2);  // the tile, and the carry into it
    const unsigned warp = threadIndex().x / kWarpLanes;
    if (threadIndex().x == 0) given[0] = fetchAdd(&arguments.control->tickets, 1u) - arguments.firstTicket;
    syncBlock();
    const std::uint64_t tile = given[0];
    TileSum sum(arguments.sum, tile);
    const CarryRule warpRule = sum.warpRule();
    if (laneIndex() == 0) rules[warp] = WarpRules::packed(warpRule);
    syncBlock();
    const WarpRules warps = WarpRules::gathered(rules);
    const CarryRule rule = warps.tileRule();
    if (warp == 0)
    {
        const bool leader = laneIndex() == 0;
        std::uint32_t carry = arguments.sum.carryIn;
        if (leader && tile > 0) storeState(arguments, tile, stateOf(rule));
        if (tile > 0) carry = lookBack(arguments, tile);
        if (leader && (tile == 0 || rule.propagate)) storeState(arguments, tile, kCarryKnown | rule.after(carry));
        if (leader && (tile + 1) * kTileLimbs >= arguments.sum.count) arguments.control->carryOut = rule.after(carry);
        if (leader) given[1] = carry;
    }
    syncBlock();
    sum.store(arguments.sum, tile, warps.carryInto(warp, given[1]));
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(lookback, LookbackArguments, kTileThreads)

}  // namespace orogen::compute
