// Kernels of dense matrices: sums, multiples and products.  Three kernels of the product out = a b are those of paper
// 003 (assets/docs/understand/papers.md).  Two are our own: by tiles, and by matrix instructions (tensor cores).
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// ---- place in a matrix at which a thread works ----
//
// CUDA allows 65,535 blocks in y, so that a matrix of more rows of blocks takes several launches, each from its own
// first row.  Rows and columns are 64-bit: the indices of 46,341 x 46,341 elements exceed 31 bits.

constexpr unsigned kPaperSide = 32;             // threads per block in x and in y
constexpr std::uint64_t kMostBlocksY = 65'535;  // limit of a grid in y and in z

struct MatrixPlace
{
    std::uint64_t row, column;
};

// Arguments of out = a b.
struct ProductArguments
{
    const double* a;  // rows x inner
    const double* b;  // inner x columns
    double* out;      // rows x columns; all 0 before multiplyByTerms
    std::uint64_t rows, inner, columns;
    MatrixPlace first;
};

namespace OROGEN_TARGET {

OROGEN_DEVICE inline MatrixPlace elementOfThread(const MatrixPlace& first)
{
    return {first.row + std::uint64_t(blockIndex().y) * blockSize().y + threadIndex().y,
            first.column + std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x};
}

// Elements that a thread of a tiled product loads for shared memory at a time: from kDepth columns of a's rows and
// kDepth rows of b's columns; 0 outside the matrices.
template <unsigned kTile, unsigned kDepth, unsigned kThreads>
struct ProductParts
{
    static_assert(kTile * kDepth % kThreads == 0);
    static constexpr unsigned kParts = kTile * kDepth / kThreads;
    double a[kParts], b[kParts];

    OROGEN_DEVICE void load(const ProductArguments& arguments, const MatrixPlace& tile, std::uint64_t depth)
    {
        OROGEN_UNROLL
        for (unsigned part = 0; part < kParts; ++part)
        {
            const unsigned i = threadIndex().x + part * kThreads;
            const std::uint64_t row = tile.row + i / kDepth, left = depth + i % kDepth;
            const std::uint64_t upper = depth + i / kTile, column = tile.column + i % kTile;
            const bool inA = row < arguments.rows && left < arguments.inner;
            const bool inB = upper < arguments.inner && column < arguments.columns;
            a[part] = inA ? arguments.a[row * arguments.inner + left] : 0;
            b[part] = inB ? arguments.b[upper * arguments.columns + column] : 0;
        }
    }
};

}  // namespace OROGEN_TARGET

// ---- sums and multiples as in the paper: one thread per element, blocks of 32 x 32 ----

// Arguments of out = alpha a + beta b, all of one shape; b may be nullptr (none).  out may be a or b.
struct ElementsArguments
{
    const double* a;
    const double* b;
    double* out;
    std::uint64_t rows, columns;
    MatrixPlace first;
    double alpha, beta;
};

namespace OROGEN_TARGET {

OROGEN_DEVICE inline void combineElements(const ElementsArguments& arguments)
{
    const MatrixPlace at = elementOfThread(arguments.first);
    if (at.row >= arguments.rows || at.column >= arguments.columns) return;
    const std::uint64_t i = at.row * arguments.columns + at.column;
    double value = arguments.alpha * arguments.a[i];
    if (arguments.b) value += arguments.beta * arguments.b[i];
    arguments.out[i] = value;
}

// Sets all elements to alpha.
OROGEN_DEVICE inline void fillElements(const ElementsArguments& arguments)
{
    const MatrixPlace at = elementOfThread(arguments.first);
    if (at.row >= arguments.rows || at.column >= arguments.columns) return;
    arguments.out[at.row * arguments.columns + at.column] = arguments.alpha;
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(combineElements, ElementsArguments, kPaperSide* kPaperSide)
OROGEN_KERNEL(fillElements, ElementsArguments, kPaperSide* kPaperSide)

// ---- products ----

constexpr unsigned kBlockSumThreads = 256;  // per block, which computes one element
constexpr unsigned kProductTile = 64, kProductDepth = 8;
constexpr unsigned kTiledThreads = 256;
constexpr unsigned kThreadSide = 4;  // a thread computes 4 x 4 elements of a tile

namespace OROGEN_TARGET {

// Computes the paper's product: a thread computes an element, whose sum stays in a register.
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

// Computes the product as the paper's first alternative: blocks in z share the terms of a sum, each added to global
// memory atomically (the paper's code has a race).  The order of the additions varies.
OROGEN_DEVICE inline void multiplyByTerms(const ProductArguments& arguments)
{
    const MatrixPlace at = elementOfThread(arguments.first);
    if (at.row >= arguments.rows || at.column >= arguments.columns) return;
    double* const to = arguments.out + at.row * arguments.columns + at.column;
    for (std::uint64_t d = blockIndex().z; d < arguments.inner; d += gridSize().z)
        fetchAdd(to, arguments.a[at.row * arguments.inner + d] * arguments.b[d * arguments.columns + at.column]);
}

// Computes the product as the paper's second alternative: a block computes one element and reduces its threads' sums in
// shared memory.  In the paper a thread has one term, which limits a sum to 1024 terms; here a thread has every 256th.
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

// ---- product by tiles ----

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

// Computes a tile of 64 x 64 elements of out, by stretches of 8 along the inner index, from shared memory.  While one
// stretch is multiplied, the next is loaded into registers.  Two buffers alternate, so that one barrier per stretch
// suffices.  Sums are made in the order of the inner index, as in the paper's product.
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

// ---- product by matrix instructions ----

constexpr unsigned kTensorTile = 64, kTensorDepth = 16;  // side of a block's tile; inner indices loaded at once
constexpr unsigned kTensorThreads = 128;                 // four warps, each with a quarter of the tile
constexpr unsigned kTensorQuarter = kTensorTile / 2;
// Rows are padded by 4, so that the 16 lanes that read together access 16 different pairs of shared-memory banks.
constexpr unsigned kTensorStrideA = kTensorDepth + 4, kTensorStrideB = kTensorTile + 4;

namespace OROGEN_TARGET {

struct TensorParts : ProductParts<kTensorTile, kTensorDepth, kTensorThreads>
{
    OROGEN_DEVICE void store(double* tileA, double* tileB) const
    {
        OROGEN_UNROLL
        for (unsigned part = 0; part < kParts; ++part)
        {
            const unsigned i = threadIndex().x + part * kTensorThreads;
            tileA[i / kTensorDepth * kTensorStrideA + i % kTensorDepth] = a[part];
            tileB[i / kTensorTile * kTensorStrideB + i % kTensorTile] = b[part];
        }
    }
};

// Position of a lane's elements in a product of 16 x 8: `group` and `member` are g and t of
// compute/device/kernel_matrix.h.
struct LanePlace
{
    unsigned group, member;
};

// Adds one stretch to a warp's quarter of the tile: 2 x 4 products of 16 x 8, over a depth of 16.
OROGEN_DEVICE inline void addTensorProducts(const double* tileA, const double* tileB, unsigned row, unsigned column,
                                            double (&sums)[2][4][4])
{
    const LanePlace lane = {laneIndex() / 4, laneIndex() % 4};
    double a[2][8], b[4];
    OROGEN_UNROLL
    for (unsigned up = 0; up < 2; ++up)
        OROGEN_UNROLL
    for (unsigned i = 0; i < 8; ++i)
        a[up][i] = tileA[(row + 16 * up + lane.group + 8 * (i % 2)) * kTensorStrideA + lane.member + 4 * (i / 2)];
    OROGEN_UNROLL
    for (unsigned along = 0; along < 4; ++along)
    {
        OROGEN_UNROLL
        for (unsigned i = 0; i < 4; ++i)
            b[i] = tileB[(lane.member + 4 * i) * kTensorStrideB + column + 8 * along + lane.group];
        OROGEN_UNROLL
        for (unsigned up = 0; up < 2; ++up)
            mmaDoubles16x8x16(sums[up][along], a[up], b);
    }
}

// Computes a tile of 64 x 64 elements of out, by stretches of 16 along the inner index.  While one stretch is
// multiplied, the next is loaded into registers.  Two buffers alternate, so that one barrier per stretch suffices.
OROGEN_DEVICE inline void multiplyTensor(const ProductArguments& arguments)
{
    OROGEN_SHARED(double, tilesA, 2 * kTensorTile * kTensorStrideA);
    OROGEN_SHARED(double, tilesB, 2 * kTensorDepth * kTensorStrideB);
    const MatrixPlace tile = {arguments.first.row + std::uint64_t(blockIndex().y) * kTensorTile,
                              arguments.first.column + std::uint64_t(blockIndex().x) * kTensorTile};
    const unsigned warp = threadIndex().x / kWarpLanes;
    const unsigned row = warp / 2 * kTensorQuarter, column = warp % 2 * kTensorQuarter;
    double sums[2][4][4] = {};
    TensorParts parts;
    parts.load(arguments, tile, 0);
    unsigned turn = 0;
    for (std::uint64_t depth = 0; depth < arguments.inner; depth += kTensorDepth, turn ^= 1)
    {
        double* const tileA = tilesA + turn * kTensorTile * kTensorStrideA;
        double* const tileB = tilesB + turn * kTensorDepth * kTensorStrideB;
        parts.store(tileA, tileB);
        syncBlock();
        parts.load(arguments, tile, depth + kTensorDepth);
        addTensorProducts(tileA, tileB, row, column, sums);
    }
    const LanePlace lane = {laneIndex() / 4, laneIndex() % 4};
    OROGEN_UNROLL
    for (unsigned i = 0; i < 32; ++i)
    {
        const unsigned up = i / 16, along = i / 4 % 4, part = i % 4;
        const std::uint64_t toRow = tile.row + row + 16 * up + lane.group + 8 * (part / 2);
        const std::uint64_t toColumn = tile.column + column + 8 * along + 2 * lane.member + part % 2;
        if (toRow < arguments.rows && toColumn < arguments.columns)
            arguments.out[toRow * arguments.columns + toColumn] = sums[up][along][part];
    }
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(multiplyTensor, ProductArguments, kTensorThreads)

}  // namespace orogen::compute
