// A tile: the limbs that one block adds at a time, summed without the carry that enters it.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

constexpr unsigned kTileThreads = 256;
constexpr unsigned kTileWarps = kTileThreads / kWarpLanes;
constexpr unsigned kTileRows = 4;  // pairs of limbs a thread: 128 bytes in flight, and all sums stay in registers
constexpr unsigned kRowLimbs = 2 * kWarpLanes;
constexpr unsigned kWarpLimbs = kRowLimbs * kTileRows;
constexpr unsigned kTileLimbs = kWarpLimbs * kTileWarps;

namespace OROGEN_TARGET {

// What a run of limbs does to a carry, whatever its length: it generates one (its sum overflows by itself), or it
// propagates the one that enters (its sum is all ones), or neither.  It never does both.
struct CarryRule
{
    std::uint32_t generate, propagate;  // 0 or 1, never both 1

    OROGEN_DEVICE std::uint32_t after(std::uint32_t carry) const { return generate | (propagate & carry); }
};

// What one thread holds of a tile.  A warp holds rows of 64 limbs, each lane a pair of them in each row; a pair counts
// as one word of 128 bits.
class TileSum
{
public:
    OROGEN_DEVICE TileSum(const Summands& sum, std::uint64_t tile)
        : first_(tile * kTileLimbs + threadIndex().x / kWarpLanes * kWarpLimbs + laneIndex() * 2u)
    {
        LimbPair x[kTileRows], y[kTileRows];
        if ((tile + 1) * kTileLimbs <= sum.count)
            loadWhole(sum, x, y);
        else
            loadEnd(sum, x, y);
        OROGEN_UNROLL
        for (unsigned row = 0; row < kTileRows; ++row)
            addRow(row, x[row], y[row]);
    }

    // Of this thread's warp.
    OROGEN_DEVICE CarryRule warpRule() const
    {
        std::uint32_t carry = 0, propagate = 1;
        OROGEN_UNROLL
        for (unsigned row = 0; row < kTileRows; ++row)
        {
            carry = resolve(generate_[row], propagate_[row], carry).leaving;
            propagate &= propagate_[row] == kAllLanes;
        }
        return {carry, propagate};
    }

    // z, where `carry` enters this thread's warp.
    OROGEN_DEVICE void store(const Summands& sum, std::uint64_t tile, std::uint32_t carry)
    {
        const bool whole = (tile + 1) * kTileLimbs <= sum.count;
        OROGEN_UNROLL
        for (unsigned row = 0; row < kTileRows; ++row)
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
        for (unsigned row = 0; row < kTileRows; ++row)
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
        for (unsigned row = 0; row < kTileRows; ++row)
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
    LimbPair sum_[kTileRows];
    std::uint32_t generate_[kTileRows], propagate_[kTileRows];  // bit l: of lane l's pair
};

// The rules of a tile's warps, as they lie in shared memory, in two words: what the carries into all warps follow from.
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
}  // namespace orogen::compute
