// Determinants for Cramer's rule: one warp per matrix of at most 20 x 20, in shared memory.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

constexpr unsigned kMostCramerSide = 20;                 // one lane per column
constexpr unsigned kCramerPivots = 1 + kMostCramerSide;  // per determinant: its sign and its pivots

struct CramerArguments
{
    const double* a;  // size x size
    const double* b;  // size
    double* pivots;   // (size + 1) x kCramerPivots: of a, then of a with b in place of each column
    unsigned size;
};

static_assert(kMostCramerSide <= kWarpLanes);

namespace OROGEN_TARGET {

OROGEN_DEVICE inline double absoluteOf(double value) { return value < 0 ? -value : value; }

// Returns the row, from k on, with the largest element of column k; the first one if there are several.
OROGEN_DEVICE inline unsigned pivotRow(const double* m, unsigned size, unsigned k)
{
    unsigned pivot = k;
    for (unsigned i = k + 1; i < size; ++i)
        if (absoluteOf(m[i * size + k]) > absoluteOf(m[pivot * size + k])) pivot = i;
    return pivot;
}

// Eliminates a in block 0, and a with b as column c in block c + 1.  A lane handles a column.  Each element goes
// through the CPU's operations in their order, so that pivots have the same bits.
OROGEN_DEVICE inline void eliminateForCramer(const CramerArguments& arguments)
{
    OROGEN_SHARED(double, m, kMostCramerSide* kMostCramerSide);
    OROGEN_SHARED(double, factors, kMostCramerSide);
    const unsigned size = arguments.size, lane = threadIndex().x;
    for (unsigned i = lane; i < size * size; i += kWarpLanes)
        m[i] = blockIndex().x == i % size + 1 ? arguments.b[i / size] : arguments.a[i];
    double* const pivots = arguments.pivots + std::size_t(blockIndex().x) * kCramerPivots;
    double sign = 1;
    for (unsigned k = 0; k < size; ++k)
    {
        syncBlock();
        const unsigned pivot = pivotRow(m, size, k);
        syncBlock();
        if (pivot != k)
        {
            sign = -sign;
            if (lane < size)
            {
                const double upper = m[k * size + lane];
                m[k * size + lane] = m[pivot * size + lane];
                m[pivot * size + lane] = upper;
            }
            syncBlock();
        }
        const double found = m[k * size + k];
        if (lane == 0) pivots[1 + k] = found;
        if (lane > k && lane < size) factors[lane] = m[lane * size + k] / found;
        syncBlock();
        if (lane >= k && lane < size)
            for (unsigned i = k + 1; i < size; ++i)
                m[i * size + lane] -= factors[i] * m[k * size + lane];
    }
    if (lane == 0) pivots[0] = sign;
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(eliminateForCramer, CramerArguments, kWarpLanes)

}  // namespace orogen::compute
