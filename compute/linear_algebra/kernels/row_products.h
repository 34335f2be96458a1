// A times a vector by rows: a warp takes four rows at a time, so that an element of the vector is read once for them.
#pragma once

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

// A matrix stored by rows: dense (all size * size values, row after row), or sparse in the compressed row format, where
// row i has the values and columns from starts[i] to starts[i + 1] - 1.
struct RowMatrix
{
    const double* values;
    const std::uint64_t* starts;  // nullptr: dense
    const std::uint32_t* columns;
    std::uint64_t size;
};

constexpr unsigned kRowsAWarp = 4;
constexpr unsigned kRowPiece = kRowsAWarp * kCgWarps;  // rows of a block at a time

namespace OROGEN_TARGET {

// Rows from `first` on, < a.size; behind the last row the last row again.
template <class VectorAt>
OROGEN_DEVICE inline void multiplyDenseRows(const RowMatrix& a, std::uint64_t first, const VectorAt& vectorAt,
                                            double (&sums)[kRowsAWarp])
{
    const double* rows[kRowsAWarp];
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsAWarp; ++q)
        rows[q] = a.values + (first + q < a.size ? first + q : a.size - 1) * a.size;
    for (std::uint64_t j = laneIndex(); j < a.size; j += kWarpLanes)
    {
        const double element = vectorAt(j);
        OROGEN_UNROLL
        for (unsigned q = 0; q < kRowsAWarp; ++q)
            sums[q] += rows[q][j] * element;
    }
}

template <class VectorAt>
OROGEN_DEVICE inline void multiplySparseRows(const RowMatrix& a, std::uint64_t first, const VectorAt& vectorAt,
                                             double (&sums)[kRowsAWarp])
{
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsAWarp; ++q)
    {
        const std::uint64_t row = first + q < a.size ? first + q : a.size - 1;
        for (std::uint64_t k = a.starts[row] + laneIndex(); k < a.starts[row + 1]; k += kWarpLanes)
            sums[q] += a.values[k] * vectorAt(a.columns[k]);
    }
}

// Calls store(i, (A v)_i) once for each of the warp's rows in the block's piece, and returns what this lane's calls
// returned.
template <class VectorAt, class Store>
OROGEN_DEVICE inline double multiplyRows(const RowMatrix& a, std::uint64_t piece, const VectorAt& vectorAt,
                                         const Store& store)
{
    const std::uint64_t first = piece * kRowPiece + warpIndex() * kRowsAWarp;
    if (first >= a.size) return 0;
    double sums[kRowsAWarp] = {};
    if (a.starts)
        multiplySparseRows(a, first, vectorAt, sums);
    else
        multiplyDenseRows(a, first, vectorAt, sums);
    double stored = 0;
    OROGEN_UNROLL
    for (unsigned q = 0; q < kRowsAWarp; ++q)
    {
        const double sum = warpSum(sums[q]);
        if (laneIndex() == q && first + q < a.size) stored = store(first + q, sum);
    }
    return stored;
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
