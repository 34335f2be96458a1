// Sums in an order that depends on the problem alone.  A vector is split into at most kMostPieces pieces, and a block
// sums a piece.  Every block that needs the total adds the pieces' sums in the same order.  So results have the same
// bits for any number of blocks, and adding the pieces' sums takes little time compared to summing the pieces.
//
// Also here: access to two adjacent elements of a vector at once, and the mapping from arguments to kernels.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// Two adjacent elements of a vector, loaded and stored in one access.
template <class T>
struct alignas(2 * sizeof(T)) Pair
{
    T first, second;
};

namespace OROGEN_TARGET {

template <class T>
OROGEN_DEVICE inline Pair<T> loadPairAt(const T* from)
{
    return *reinterpret_cast<const Pair<T>*>(from);
}
template <class T>
OROGEN_DEVICE inline void storePairAt(T* to, T first, T second)
{
    *reinterpret_cast<Pair<T>*>(to) = {first, second};
}

}  // namespace OROGEN_TARGET

constexpr unsigned kCgThreads = 256, kCgWarps = kCgThreads / kWarpLanes;
// Enough pieces to give all blocks about equal work.  For the total, each thread of a block adds at most eight.
constexpr std::uint64_t kMostPieces = 2048;
constexpr unsigned kPieceStep = 2 * kCgThreads;  // elements per step of a block: two per thread
constexpr unsigned kVectorPadding = 64;          // vectors are padded with zeros to a multiple of this
constexpr unsigned kSumsTogether = 8;            // sums that a warp computes at once

OROGEN_DEVICE constexpr std::uint64_t quotientUp(std::uint64_t value, std::uint64_t by)
{
    return (value + by - 1) / by;
}
OROGEN_DEVICE constexpr std::uint64_t padded(std::uint64_t size)
{
    return quotientUp(size, kVectorPadding) * kVectorPadding;
}

// Partition of `size` elements into pieces of `length`, a multiple of a block's step; the last piece may be shorter.
struct Pieces
{
    std::uint64_t size, length;

    OROGEN_DEVICE constexpr std::uint64_t count() const { return quotientUp(size, length); }
};

OROGEN_DEVICE constexpr Pieces piecesOf(std::uint64_t size, std::uint64_t step = kPieceStep)
{
    const std::uint64_t steps = quotientUp(size, step * kMostPieces);
    return {size, step * (steps > 0 ? steps : 1)};
}

namespace OROGEN_TARGET {

OROGEN_DEVICE inline unsigned warpIndex() { return threadIndex().x / kWarpLanes; }
OROGEN_DEVICE inline bool isFinite(double value) { return value - value == 0; }

// Returns the sum over the warp, with the same bits in every lane: lanes differ only in the order of two summands.
template <class T>
OROGEN_DEVICE inline T warpSum(T value)
{
    OROGEN_UNROLL
    for (unsigned lanes = kWarpLanes / 2; lanes > 0; lanes /= 2)
        value += shuffleXor(kAllLanes, value, lanes);
    return value;
}

// Computes eight sums over a warp in nine shuffles: in the first three steps, two lanes divide the values between them.
// Returns to lane l the sum of values[l / 4].
template <class T>
OROGEN_DEVICE inline T warpSums(T (&values)[kSumsTogether])
{
    OROGEN_UNROLL
    for (unsigned half = kSumsTogether / 2, lanes = kWarpLanes / 2; half > 0; half /= 2, lanes /= 2)
    {
        const bool upper = (laneIndex() & lanes) != 0;
        OROGEN_UNROLL
        for (unsigned k = 0; k < half; ++k)
        {
            const T kept = upper ? values[k + half] : values[k], given = upper ? values[k] : values[k + half];
            values[k] = kept + shuffleXor(kAllLanes, given, lanes);
        }
    }
    T sum = values[0];
    OROGEN_UNROLL
    for (unsigned lanes = kWarpLanes / kSumsTogether / 2; lanes > 0; lanes /= 2)
        sum += shuffleXor(kAllLanes, sum, lanes);
    return sum;
}

// Sums a value over the block, and gives each thread the sum.  The whole block calls of(), which contains one barrier.
// Consecutive sums alternate between two buffers, so that a buffer is reused only after another barrier.
class BlockSums
{
public:
    OROGEN_DEVICE double of(double value)
    {
        OROGEN_SHARED(double, warps, 2 * kCgWarps);
        double* const mine = warps + turn_ * kCgWarps;
        turn_ ^= 1;
        const double own = warpSum(value);
        if (laneIndex() == 0) mine[warpIndex()] = own;
        syncBlock();
        double sum = 0;
        OROGEN_UNROLL
        for (unsigned warp = 0; warp < kCgWarps; ++warp)
            sum += mine[warp];
        return sum;
    }
    // Stores the sum of the threads' values at `to`.
    OROGEN_DEVICE void of(double value, double* to)
    {
        const double sum = of(value);
        if (threadIndex().x == 0) *to = sum;
    }
    // Returns the total of `count` sums of pieces.
    OROGEN_DEVICE double of(const double* pieces, std::uint64_t count)
    {
        double sum = 0;
        for (std::uint64_t i = threadIndex().x; i < count; i += kCgThreads)
            sum += pieces[i];
        return of(sum);
    }

private:
    unsigned turn_ = 0;
};

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute

// In host code, kernelOf(&arguments) returns the kernel that takes arguments of this type.
#ifdef __CUDACC__
#define OROGEN_KERNEL_OF(name, Arguments)
#else
#define OROGEN_KERNEL_OF(name, Arguments)                                                                              \
    inline Kernel<Arguments> kernelOf(const Arguments*) { return name##Kernel(); }
#endif
