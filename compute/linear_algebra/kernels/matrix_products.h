// Products of matrices, out = a b: the paper's with one thread per element, its two alternatives, and our own by tiles.
#pragma once

#include "compute/linear_algebra/kernels/matrix_place.h"

namespace orogen::compute {

constexpr unsigned kBlockSumThreads = 256;  // per block, which computes one element
constexpr unsigned kProductTile = 64, kProductDepth = 8;
constexpr unsigned kTiledThreads = 256;
constexpr unsigned kThreadSide = 4;  // a thread computes 4 x 4 elements of a tile

namespace OROGEN_TARGET {

// The paper's product, whose sum stays in a register.
OROGEN_DEVICE inline void multiplyPaper(const ProductArguments& arguments)
{
    const MatrixPlace at = elementOfThread(arguments.first);
    if (at.row >= arguments.rows || at.column >= arguments.columns) return;
    const double* const row = arguments.a + at.row * arguments.inner;
    double sum = 0;
    for (std::uint64_t d = 0; d < arguments.inner; ++d)
        sum += row[d] * arguments.b[d * arguments.columns + at.column];
    arguments.out[at.row * arguments.columns + at.column] = sum;
}

// The paper's first alternative: z runs over the terms of a sum, each added to global memory atomically (the paper's
// code has a race).  The order of the additions varies.
OROGEN_DEVICE inline void multiplyByTerms(const ProductArguments& arguments)
{
    const MatrixPlace at = elementOfThread(arguments.first);
    if (at.row >= arguments.rows || at.column >= arguments.columns) return;
    double* const to = arguments.out + at.row * arguments.columns + at.column;
    for (std::uint64_t d = blockIndex().z; d < arguments.inner; d += gridSize().z)
        fetchAdd(to, arguments.a[at.row * arguments.inner + d] * arguments.b[d * arguments.columns + at.column]);
}

// The paper's second alternative: a block computes one element and reduces its threads' sums in shared memory.  In the
// paper a thread has one term, so that there are at most 1024; here it has every 256th.
OROGEN_DEVICE inline void multiplyByBlocks(const ProductArguments& arguments)
{
    OROGEN_SHARED(double, sums, kBlockSumThreads);
    const unsigned thread = threadIndex().x;
    const std::uint64_t row = arguments.first.row + blockIndex().y, column = arguments.first.column + blockIndex().x;
    double sum = 0;
    for (std::uint64_t d = thread; d < arguments.inner; d += kBlockSumThreads)
        sum += arguments.a[row * arguments.inner + d] * arguments.b[d * arguments.columns + column];
    sums[thread] = sum;
    for (unsigned half = kBlockSumThreads / 2; half > 0; half /= 2)
    {
        syncBlock();
        if (thread < half) sums[thread] += sums[thread + half];
    }
    if (thread == 0) arguments.out[row * arguments.columns + column] = sums[0];
}

// ---- our own ----

struct TileParts : ProductParts<kProductTile, kProductDepth, kTiledThreads>
{
    // Stores a transposed, so that a thread's four rows are adjacent.
    OROGEN_DEVICE void store(double* tileA, double* tileB) const
    {
        OROGEN_UNROLL
        for (unsigned part = 0; part < kParts; ++part)
        {
            const unsigned i = threadIndex().x + part * kTiledThreads;
            tileA[i % kProductDepth * kProductTile + i / kProductDepth] = a[part];
            tileB[i] = b[part];
        }
    }
};

OROGEN_DEVICE inline void addTileProducts(const double* tileA, const double* tileB, unsigned row, unsigned column,
                                          double (&sums)[kThreadSide][kThreadSide])
{
    OROGEN_UNROLL
    for (unsigned d = 0; d < kProductDepth; ++d)
    {
        double left[kThreadSide], right[kThreadSide];
        OROGEN_UNROLL
        for (unsigned i = 0; i < kThreadSide; ++i)
        {
            left[i] = tileA[d * kProductTile + row + i];
            right[i] = tileB[d * kProductTile + column + i];
        }
        OROGEN_UNROLL
        for (unsigned i = 0; i < kThreadSide; ++i)
            OROGEN_UNROLL
        for (unsigned j = 0; j < kThreadSide; ++j)
            sums[i][j] += left[i] * right[j];
    }
}

// Multiplies tiles of 64 x 64 by stretches of 8 in shared memory.  While one stretch is multiplied, the next is loaded
// into registers.  Two buffers alternate, so that one barrier per stretch suffices.  Sums are made in the order of the
// inner index, as in the paper's product.
OROGEN_DEVICE inline void multiplyTiled(const ProductArguments& arguments)
{
    OROGEN_SHARED(double, tilesA, 2 * kProductDepth * kProductTile);
    OROGEN_SHARED(double, tilesB, 2 * kProductDepth * kProductTile);
    const MatrixPlace tile = {arguments.first.row + std::uint64_t(blockIndex().y) * kProductTile,
                              arguments.first.column + std::uint64_t(blockIndex().x) * kProductTile};
    constexpr unsigned kThreads = kProductTile / kThreadSide;
    const unsigned row = threadIndex().x / kThreads * kThreadSide, column = threadIndex().x % kThreads * kThreadSide;
    double sums[kThreadSide][kThreadSide] = {};
    TileParts parts;
    parts.load(arguments, tile, 0);
    unsigned turn = 0;
    for (std::uint64_t depth = 0; depth < arguments.inner; depth += kProductDepth, turn ^= 1)
    {
        double* const tileA = tilesA + turn * kProductDepth * kProductTile;
        double* const tileB = tilesB + turn * kProductDepth * kProductTile;
        parts.store(tileA, tileB);
        syncBlock();
        parts.load(arguments, tile, depth + kProductDepth);
        addTileProducts(tileA, tileB, row, column, sums);
    }
    OROGEN_UNROLL
    for (unsigned i = 0; i < kThreadSide; ++i)
        OROGEN_UNROLL
    for (unsigned j = 0; j < kThreadSide; ++j)
        if (tile.row + row + i < arguments.rows && tile.column + column + j < arguments.columns)
            arguments.out[(tile.row + row + i) * arguments.columns + tile.column + column + j] = sums[i][j];
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(multiplyPaper, ProductArguments, kPaperSide* kPaperSide)
OROGEN_KERNEL(multiplyByTerms, ProductArguments, kPaperSide* kPaperSide)
OROGEN_KERNEL(multiplyByBlocks, ProductArguments, kBlockSumThreads)
OROGEN_KERNEL(multiplyTiled, ProductArguments, kTiledThreads)

}  // namespace orogen::compute
