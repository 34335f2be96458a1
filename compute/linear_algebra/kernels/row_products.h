// A times a vector by the rows of a dense matrix: a block takes eight rows together, and its warps share the columns.
// So an element of the vector is read once for eight rows, a thread has eight loads under way, and blocks get rows in
// portions small enough to be even.
#pragma once

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

// Row after row, `pitch` elements apart, which is size rounded up to kVectorPadding; as many rows as a multiple of
// kRowsTogether.  Behind columns and rows there are zeros.
template <class T>
struct DenseRows
{
    using Element = T;

    const T* values;
    std::uint64_t size, pitch;
};

constexpr unsigned kRowsTogether = 8;

namespace OROGEN_TARGET {

// What this thread's columns give to eight rows.
template <class T>
OROGEN_DEVICE inline void multiplyColumns(const T* rows, std::uint64_t pitch, const T* x, T (&sums)[kRowsTogether])
{
    constexpr unsigned kElements = 16 / sizeof(T);  // of an access
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

// Calls store(i, (A x)_i) for the eight rows of a group, each once and by another lane of the first warp, and returns
// what this thread's call returned.  Called by the whole block, with 0 and 1 as `turn` one after the other: what it
// keeps in shared memory of two groups that follow each other lies apart.
template <class T, class Store>
OROGEN_DEVICE inline double multiplyRows(const DenseRows<T>& a, std::uint64_t group, unsigned turn, const T* x,
                                         const Store& store)
{
    OROGEN_SHARED(T, places, 2 * kCgWarps * kRowsTogether);
    T* const ofWarps = places + turn * kCgWarps * kRowsTogether;
    T sums[kRowsTogether] = {};
    multiplyColumns(a.values + group * kRowsTogether * a.pitch, a.pitch, x, sums);
    constexpr unsigned kLanes = kWarpLanes / kRowsTogether;  // that have the sum of a row
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
