// Addition by tiles, in one pass over memory (lookback) or in two (measureTiles, scanTiles, addTiles). A tile is the
// limbs that one block adds, at first without the carry into them.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

// ---- a tile ----

constexpr unsigned kTileThreads = 256;
constexpr unsigned kTileWarps = kTileThreads / kWarpLanes;
constexpr unsigned kThreadPairs = 4;  // pairs of limbs per thread: 128 bytes in flight, and all sums stay in registers
constexpr unsigned kRowLimbs = 2 * kWarpLanes;
constexpr unsigned kWarpLimbs = kRowLimbs * kThreadPairs;
constexpr unsigned kTileLimbs = kWarpLimbs * kTileWarps;

namespace OROGEN_TARGET {

// Effect of adjacent limbs on a carry, for any number of them. They generate a carry (their sum overflows by itself),
// or propagate the carry that enters (their sum is all ones), or neither.
struct CarryRule
{
    std::uint32_t generate, propagate;  // 0 or 1, never both 1

    OROGEN_DEVICE std::uint32_t after(std::uint32_t carry) const { return generate | (propagate & carry); }
};

// One thread's part of a tile. Each lane of a warp holds one pair of limbs, a word of 128 bits, in each row of 64
// limbs.
class TileSum
{
public:
    OROGEN_DEVICE TileSum(const Summands& sum, std::uint64_t tile)
        : first_(tile * kTileLimbs + threadIndex().x / kWarpLanes * kWarpLimbs + laneIndex() * 2u)
    {
        LimbPair x[kThreadPairs], y[kThreadPairs];
        if ((tile + 1) * kTileLimbs <= sum.count)
            loadWhole(sum, x, y);
        else
            loadEnd(sum, x, y);
        OROGEN_UNROLL
        for (unsigned row = 0; row < kThreadPairs; ++row)
            addRow(row, x[row], y[row]);
    }

    // Returns the rule of the limbs of this thread's warp.
    OROGEN_DEVICE CarryRule warpRule() const
    {
        std::uint32_t carry = 0, propagate = 1;
        OROGEN_UNROLL
        for (unsigned row = 0; row < kThreadPairs; ++row)
        {
            carry = resolve(generate_[row], propagate_[row], carry).leaving;
            propagate &= propagate_[row] == kAllLanes;
        }
        return {carry, propagate};
    }

    // Stores z, given the carry into this thread's warp.
    OROGEN_DEVICE void store(const Summands& sum, std::uint64_t tile, std::uint32_t carry)
    {
        const bool whole = (tile + 1) * kTileLimbs <= sum.count;
        OROGEN_UNROLL
        for (unsigned row = 0; row < kThreadPairs; ++row)
        {
            const Carries carries = resolve(generate_[row], propagate_[row], carry);
            carry = carries.leaving;
            LimbPair pair = sum_[row];
            pair.low += carries.entering >> laneIndex() & 1u;
            pair.high += pair.low < sum_[row].low;
            const std::uint64_t at = first_ + row * kRowLimbs;
            if (whole)
                storePair(sum.z + at, pair);
            else
                storeEnd(sum, at, pair);
        }
    }

private:
    OROGEN_DEVICE void loadWhole(const Summands& sum, LimbPair* x, LimbPair* y) const
    {
        OROGEN_UNROLL
        for (unsigned row = 0; row < kThreadPairs; ++row)
        {
            x[row] = loadPair(sum.x + first_ + row * kRowLimbs);
            y[row] = loadPair(sum.y + first_ + row * kRowLimbs);
            y[row].low ^= sum.yFlip;
            y[row].high ^= sum.yFlip;
        }
    }

    OROGEN_DEVICE void loadEnd(const Summands& sum, LimbPair* x, LimbPair* y) const
    {
        OROGEN_UNROLL
        for (unsigned row = 0; row < kThreadPairs; ++row)
        {
            const std::uint64_t at = first_ + row * kRowLimbs;
            x[row] = {limbX(sum, at), limbX(sum, at + 1)};
            y[row] = {limbY(sum, at), limbY(sum, at + 1)};
        }
    }

    OROGEN_DEVICE static void storeEnd(const Summands& sum, std::uint64_t at, LimbPair pair)
    {
        if (at < sum.count) sum.z[at] = pair.low;
        if (at + 1 < sum.count) sum.z[at + 1] = pair.high;
    }

    OROGEN_DEVICE void addRow(unsigned row, LimbPair x, LimbPair y)
    {
        const std::uint64_t low = x.low + y.low, high = x.high + y.high;
        const std::uint64_t lowCarry = low < x.low;
        sum_[row] = {low, high + lowCarry};
        generate_[row] = ballot(kAllLanes, high < x.high || sum_[row].high < high);
        propagate_[row] = ballot(kAllLanes, (low & sum_[row].high) == ~std::uint64_t(0));
    }

    std::uint64_t first_;
    LimbPair sum_[kThreadPairs];
    std::uint32_t generate_[kThreadPairs], propagate_[kThreadPairs];  // bit l: pair of lane l
};

// Rules of a tile's warps, as two words of one bit per warp. The carries into all warps follow from them.
struct WarpRules
{
    std::uint32_t generate, propagate;

    OROGEN_DEVICE static std::uint32_t packed(CarryRule rule) { return rule.generate | rule.propagate << 1; }
    OROGEN_DEVICE static WarpRules gathered(const std::uint32_t* packedRules)
    {
        const std::uint32_t rule = laneIndex() < kTileWarps ? packedRules[laneIndex()] : 0;
        return {ballot(kAllLanes, rule & 1u), ballot(kAllLanes, rule >> 1 & 1u)};
    }

    OROGEN_DEVICE CarryRule tileRule() const { return {carryInto(kTileWarps, 0), propagate == (1u << kTileWarps) - 1}; }
    OROGEN_DEVICE std::uint32_t carryInto(unsigned warp, std::uint32_t carry) const
    {
        return resolve(generate, propagate, carry).entering >> warp & 1u;
    }
};
static_assert(kTileWarps < kWarpLanes);

}  // namespace OROGEN_TARGET

// ---- one pass ----
//
// Addition in one pass over memory: its traffic is 3 limbs per limb, the minimum.
//
// A tile that generates or kills a carry publishes its carry out before it knows its carry in. Only a tile that
// propagates throughout (probability 2^-131072 for random numbers) must know its carry in first. A tile finds its carry
// in by looking back at the states of the tiles before it, 32 at a time by one warp. A block takes a ticket when it
// starts, and the ticket selects its tile, across launches. A tile therefore waits only for tiles that have started.
//
// Nothing is cleared between two additions: a state carries the number of its addition, and tickets keep counting.

struct LookbackArguments
{
    Summands sum;
    AddControl* control;
    std::uint32_t* states;      // one per tile; all 0 before the first addition
    std::uint32_t addition;     // number of this addition, from 1, below 2^29
    std::uint32_t firstTicket;  // ticket of tile 0 in this addition
};

namespace OROGEN_TARGET {

// Bits of a tile's state word, below the addition's number. kCarryKnown: the carry out is known; kCarry is its value.
// kHandsOn: the tile propagates its carry in. A word with another addition's number means unknown.
constexpr std::uint32_t kCarryKnown = 2, kCarry = 1, kHandsOn = 4, kStateBits = 3;

OROGEN_DEVICE inline std::uint32_t stateOf(CarryRule rule)
{
    return rule.propagate ? kHandsOn : kCarryKnown | rule.generate;
}

// Returns the state bits of `tile` in this addition, or 0 while unknown.
OROGEN_DEVICE inline std::uint32_t loadState(const LookbackArguments& arguments, std::uint64_t tile)
{
    const std::uint32_t word = loadAcquire(arguments.states + tile);
    return word >> kStateBits == arguments.addition ? word & ((1u << kStateBits) - 1) : 0;
}
OROGEN_DEVICE inline void storeState(const LookbackArguments& arguments, std::uint64_t tile, std::uint32_t state)
{
    storeRelease(arguments.states + tile, arguments.addition << kStateBits | state);
}

// Returns the carry into `tile` (> 0). Called by a whole warp.
OROGEN_DEVICE inline std::uint32_t lookBack(const LookbackArguments& arguments, std::uint64_t tile)
{
    for (std::uint64_t end = tile;;)
    {
        const unsigned distance = laneIndex() + 1;
        const std::uint32_t state = distance <= end ? loadState(arguments, end - distance) : kCarryKnown;
        const std::uint32_t unknown = ballot(kAllLanes, state == 0);
        const std::uint32_t nearer = unknown & (~unknown + 1);  // lowest unknown lane; nearer - 1 masks those below
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
    OROGEN_SHARED(std::uint32_t, given, 2);  // index of the block's tile, and the carry into the tile
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

// ---- two passes ----
//
// Addition by three kernels in which no block waits for another. measureTiles finds the carry rules of tiles. Then
// scanTiles finds the carries into tiles, and addTiles the sums. Memory traffic is 5 limbs per limb, since the operands
// are read twice.

struct TwoPassArguments
{
    Summands sum;
    AddControl* control;
    std::uint32_t* tiles;  // after measureTiles: packed rules; after scanTiles: carries into the tiles
    std::uint64_t tileCount;
    std::uint64_t first;  // first tile of this launch
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

// Consecutive tiles of one thread.
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

// Replaces the tiles' rules by the carries into the tiles. Runs as one block: finds the rule of each thread's tiles,
// then of each warp's, then the carries into warps, threads and tiles.
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

OROGEN_KERNEL(lookback, LookbackArguments, kTileThreads)
OROGEN_KERNEL(measureTiles, TwoPassArguments, kTileThreads)
OROGEN_KERNEL(scanTiles, TwoPassArguments, kScanThreads)
OROGEN_KERNEL(addTiles, TwoPassArguments, kTileThreads)

}  // namespace orogen::compute
