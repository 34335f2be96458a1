// Product of a dense matrix with a vector by rows: a block takes eight rows together, and its warps share the columns.
// An element of the vector is read once for eight rows, a thread has eight loads in flight, and the portions are small
// enough to balance blocks.
#pragma once

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

// Rows `pitch` elements apart, which is size rounded up to kVectorPadding.  The number of rows is rounded up to a
// multiple of kRowsTogether.  The padding is zero.
template <class T>
struct DenseRows
{
    using Element = T;

    const T* values;
    std::uint64_t size, pitch;
};

constexpr unsigned kRowsTogether = 8;

namespace OROGEN_TARGET {

// Computes the contribution of this thread's columns to eight rows.
template <class T>
OROGEN_DEVICE inline void multiplyColumns(const T* rows, std::uint64_t pitch, const T* x, T (&sums)[kRowsTogether])
{
    constexpr unsigned kElements = 16 / sizeof(T);  // per access
    for (std::uint64_t j = threadIndex().x * kElements; j < pitch; j += kCgThreads * kElements)
    {
        Vector16<T> elements[kRowsTogether];
        OROGEN_UNROLL
        for (unsigned row = 0; row < kRowsTogether; ++row)
            elements[row] = loadVector16(rows + row * pitch + j);
        const Vector16<T> vector = loadVector16Kept(x + j);
        OROGEN_UNROLL
        for (unsigned row = 0; row < kRowsTogether; ++row)
            OROGEN_UNROLL
        for (unsigned k = 0; k < kElements; ++k)
            sums[row] = fusedMultiplyAdd(elements[row].values[k], vector.values[k], sums[row]);
    }
}

// Calls store(i, (A x)_i) for each of a group's eight rows, in different lanes of the first warp.  Returns the result
// of this thread's call.  Called by the whole block with `turn` alternating between 0 and 1, so that consecutive groups
// use separate shared memory.
template <class T, class Store>
OROGEN_DEVICE inline double multiplyRows(const DenseRows<T>& a, std::uint64_t group, unsigned turn, const T* x,
                                         const Store& store)
{
    OROGEN_SHARED(T, places, 2 * kCgWarps * kRowsTogether);
    T* const ofWarps = places + turn * kCgWarps * kRowsTogether;
    T sums[kRowsTogether] = {};
    multiplyColumns(a.values + group * kRowsTogether * a.pitch, a.pitch, x, sums);
    constexpr unsigned kLanes = kWarpLanes / kRowsTogether;  // lanes with the sum of a row
    const T sum = warpSums(sums);
    if (laneIndex() % kLanes == 0) ofWarps[warpIndex() * kRowsTogether + laneIndex() / kLanes] = sum;
    syncBlock();
    const unsigned row = threadIndex().x;
    const std::uint64_t i = group * kRowsTogether + row;
    if (row >= kRowsTogether || i >= a.size) return 0;
    T whole = 0;
    OROGEN_UNROLL
    for (unsigned warp = 0; warp < kCgWarps; ++warp)
        whole += ofWarps[warp * kRowsTogether + row];
    return store(i, whole);
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
