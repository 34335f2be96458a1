// The product of matrices by matrix instructions (tensor cores), out = a b.
#pragma once

#include "compute/linear_algebra/kernels/matrix_place.h"

namespace orogen::compute {

constexpr unsigned kTensorTile = 64, kTensorDepth = 16;  // sides of a block's tile; depth of a stretch
constexpr unsigned kTensorThreads = 128;                 // four warps, each with a quarter of the tile
constexpr unsigned kTensorQuarter = kTensorTile / 2;
// Rows are padded by 4, so that the 16 lanes that read together access 16 different pairs of banks.
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

// Position of a lane's elements in a product of 16 x 8 (kernel_matrix.h).
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

// Multiplies tiles of 64 x 64 by stretches of 16.  While one stretch is multiplied, the next is loaded into registers.
// Two buffers alternate, so that one barrier per stretch suffices.
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
