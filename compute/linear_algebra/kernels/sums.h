// Sums in an order that depends on the problem alone: a vector is cut into pieces, a block sums a piece, and whoever
// needs the whole adds the pieces' sums in the same order.  So results have the same bits for any grid.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

constexpr unsigned kCgThreads = 256, kCgWarps = kCgThreads / kWarpLanes;
constexpr unsigned kSumPiece = kCgThreads;  // elements of a vector, a thread an element

OROGEN_DEVICE constexpr std::uint64_t piecesOf(std::uint64_t size, std::uint64_t piece)
{
    return (size + piece - 1) / piece;
}

namespace OROGEN_TARGET {

OROGEN_DEVICE inline unsigned warpIndex() { return threadIndex().x / kWarpLanes; }
OROGEN_DEVICE inline bool isFinite(double value) { return value - value == 0; }

// The same bits in every lane: what two lanes add differs in order only.
OROGEN_DEVICE inline double warpSum(double value)
{
    OROGEN_UNROLL
    for (unsigned lanes = kWarpLanes / 2; lanes > 0; lanes /= 2)
        value += shuffleXor(kAllLanes, value, lanes);
    return value;
}

// What the block's threads give, summed into `to` by the first of them.  Called by the whole block, which meets once:
// two sums that follow each other lie apart, and who writes to the first place again has met the others in between.
class BlockSums
{
public:
    OROGEN_DEVICE void sum(double value, double* to)
    {
        OROGEN_SHARED(double, warps, 2 * kCgWarps);
        double* const mine = warps + turn_ * kCgWarps;
        turn_ ^= 1;
        const double own = warpSum(value);
        if (laneIndex() == 0) mine[warpIndex()] = own;
        syncBlock();
        if (threadIndex().x != 0) return;
        double sum = 0;
        for (unsigned warp = 0; warp < kCgWarps; ++warp)
            sum += mine[warp];
        *to = sum;
    }

private:
    unsigned turn_ = 0;
};

// The sum of pieces' sums.  Called by whole warps, each of which gets the same bits.
OROGEN_DEVICE inline double sumPieces(const double* pieces, std::uint64_t count)
{
    double sum = 0;
    for (std::uint64_t i = laneIndex(); i < count; i += kWarpLanes)
        sum += pieces[i];
    return warpSum(sum);
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
