// Products of a sparse A with a vector: by compressed rows with a few lanes per row, or without a matrix on a grid.
#pragma once

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

// Row i has the values and columns from starts[i] to starts[i + 1] - 1.
template <class T>
struct SparseRows
{
    using Element = T;

    const T* values;
    const std::uint64_t* starts;
    const std::uint32_t* columns;
    std::uint64_t size;
    unsigned lanes;  // per row: a power of two up to 32, by the mean length of a row
};

// Poisson's equation on a grid of inner points, row after row: 4 in the middle, -1 for each neighbour.
template <class T>
struct PoissonRows
{
    using Element = T;

    std::uint64_t width, size;  // size: points, fewer than 2^32
};

constexpr unsigned kRowsInFlight = 4;  // per group of lanes
template <class T>
constexpr unsigned kPointsInFlight = 16 / sizeof(T);  // per thread

template <class T>
OROGEN_DEVICE constexpr Pieces piecesOf(const SparseRows<T>& a)
{
    return piecesOf(a.size, kCgThreads / a.lanes * kRowsInFlight);
}
template <class T>
OROGEN_DEVICE constexpr Pieces piecesOf(const PoissonRows<T>& a)
{
    return piecesOf(a.size);
}

namespace OROGEN_TARGET {

// Computes the contribution of this lane's elements to four rows; rows from `end` on have none.  Loads the first
// elements of all four before using any: most rows have no more.
template <class T, class VectorAt>
OROGEN_DEVICE inline void multiplyFourRows(const SparseRows<T>& a, std::uint64_t first, std::uint64_t apart,
                                           std::uint64_t end, const VectorAt& vectorAt, T (&sums)[kRowsInFlight])
{
    const unsigned lane = threadIndex().x % a.lanes;
    std::uint64_t starts[kRowsInFlight];
    std::uint32_t lengths[kRowsInFlight];  // a row has fewer than 2^32 elements
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
    {
        const std::uint64_t row = first + q * apart;
        starts[q] = row < end ? a.starts[row] : 0;
        lengths[q] = row < end ? std::uint32_t(a.starts[row + 1] - starts[q]) : 0;
    }
    T values[kRowsInFlight];
    std::uint32_t columns[kRowsInFlight];
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
    {
        values[q] = lane < lengths[q] ? a.values[starts[q] + lane] : T(0);
        columns[q] = lane < lengths[q] ? a.columns[starts[q] + lane] : 0;
    }
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
        sums[q] = lane < lengths[q] ? values[q] * vectorAt(columns[q]) : T(0);
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsInFlight; ++q)
        for (std::uint32_t k = lane + a.lanes; k < lengths[q]; k += a.lanes)
            sums[q] = fusedMultiplyAdd(a.values[starts[q] + k], vectorAt(a.columns[starts[q] + k]), sums[q]);
}

// Calls store(i, (A v)_i) once for each row of the piece; returns the sum of the results of this thread's calls.
template <class T, class VectorAt, class Store>
OROGEN_DEVICE inline double multiplyPiece(const SparseRows<T>& a, const Pieces& pieces, std::uint64_t piece,
                                          const VectorAt& vectorAt, const Store& store)
{
    const std::uint64_t next = (piece + 1) * pieces.length, end = next < a.size ? next : a.size;
    const std::uint64_t apart = kCgThreads / a.lanes;
    double stored = 0;
    for (std::uint64_t group = piece * pieces.length; group < end; group += apart * kRowsInFlight)
    {
        const std::uint64_t first = group + threadIndex().x / a.lanes;
        T sums[kRowsInFlight];
        multiplyFourRows(a, first, apart, end, vectorAt, sums);
        OROGEN_UNROLL
        for (unsigned q = 0; q < kRowsInFlight; ++q)
        {
            for (unsigned lanes = a.lanes / 2; lanes > 0; lanes /= 2)
                sums[q] += shuffleXor(kAllLanes, sums[q], lanes);
            const std::uint64_t row = first + q * apart;
            if (threadIndex().x % a.lanes == 0 && row < end) stored += store(row, sums[q]);
        }
    }
    return stored;
}

template <class T, class VectorAt>
OROGEN_DEVICE inline T productAt(const PoissonRows<T>& a, std::uint32_t i, const VectorAt& vectorAt)
{
    const auto width = std::uint32_t(a.width), size = std::uint32_t(a.size), column = i % width;
    const T above = i >= width ? vectorAt(i - width) : T(0), left = column > 0 ? vectorAt(i - 1) : T(0);
    const T right = column + 1 < width ? vectorAt(i + 1) : T(0);
    const T below = i < size - width ? vectorAt(i + width) : T(0);
    return 4 * vectorAt(i) - ((above + below) + (left + right));
}

// Computes two or four points per thread at a time, all read before any is stored.
template <class T, class VectorAt, class Store>
OROGEN_DEVICE inline double multiplyPiece(const PoissonRows<T>& a, const Pieces& pieces, std::uint64_t piece,
                                          const VectorAt& vectorAt, const Store& store)
{
    constexpr unsigned kPoints = kPointsInFlight<T>;
    const std::uint64_t next = (piece + 1) * pieces.length, end = next < a.size ? next : a.size;
    double stored = 0;
    for (std::uint64_t first = piece * pieces.length + threadIndex().x; first < end; first += kPoints * kCgThreads)
    {
        T products[kPoints];
        OROGEN_UNROLL
        for (unsigned k = 0; k < kPoints; ++k)
        {
            const std::uint64_t i = first + k * kCgThreads;
            products[k] = i < end ? productAt(a, std::uint32_t(i), vectorAt) : T(0);
        }
        OROGEN_UNROLL
        for (unsigned k = 0; k < kPoints; ++k)
            if (const std::uint64_t i = first + k * kCgThreads; i < end) stored += store(i, products[k]);
    }
    return stored;
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
