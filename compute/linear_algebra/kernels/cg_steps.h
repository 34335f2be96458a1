// The steps of conjugate gradients, a launch each: for the paper's recurrence, and where a grid cannot meet.
#pragma once

#include "compute/linear_algebra/kernels/cg_vectors.h"
#include "compute/linear_algebra/kernels/half_products.h"
#include "compute/linear_algebra/kernels/row_products.h"

namespace orogen::compute {

struct MultiplyRowsArguments
{
    RowMatrix a;
    const double* x;
    double* y;
};

struct MultiplyHalfArguments
{
    HalfMatrix a;
    const double* x;
    double* y;
};

constexpr unsigned kMostInnerProducts = 5;

struct InnerProductsArguments
{
    const double* u[kMostInnerProducts];
    const double* v[kMostInnerProducts];
    std::uint64_t size;
    double* sums;  // of the pieces, product after product
};

struct CombineArguments
{
    double* v;
    const double* w;
    std::uint64_t size;
    double alpha, beta;
};

struct AdvanceArguments
{
    CgVectors vectors;
    const double *d, *q;
    double length;  // not of renewResidual
};

namespace OROGEN_TARGET {

OROGEN_DEVICE inline void cgMultiplyRows(const MultiplyRowsArguments& arguments)
{
    const std::uint64_t pieces = piecesOf(arguments.a.size, kRowPiece);
    for (std::uint64_t piece = blockIndex().x; piece < pieces; piece += gridSize().x)
        multiplyRows(
            arguments.a, piece, [&](std::uint64_t j) { return arguments.x[j]; },
            [&](std::uint64_t i, double sum) { return arguments.y[i] = sum; });
}

OROGEN_DEVICE inline void cgMultiplyTiles(const MultiplyHalfArguments& arguments)
{
    const std::uint64_t tiles = tilesBefore(arguments.a.groups);
    unsigned turn = 0;
    for (std::uint64_t tile = blockIndex().x; tile < tiles; tile += gridSize().x)
        multiplyHalfTile(arguments.a, tile, turn ^= 1, [&](std::uint64_t j) { return arguments.x[j]; });
}

// A block a group.
OROGEN_DEVICE inline void cgGatherTiles(const MultiplyHalfArguments& arguments)
{
    gatherHalf(arguments.a, blockIndex().x, [&](std::uint64_t i, double sum) { return arguments.y[i] = sum; });
}

// The paper's figure 6: y runs over the products, x over the pieces.
OROGEN_DEVICE inline void cgInnerProducts(const InnerProductsArguments& arguments)
{
    const unsigned product = blockIndex().y;
    const double* const u = arguments.u[product];
    const double* const v = arguments.v[product];
    const std::uint64_t pieces = piecesOf(arguments.size, kSumPiece);
    BlockSums sums;
    for (std::uint64_t piece = blockIndex().x; piece < pieces; piece += gridSize().x)
    {
        const std::uint64_t i = piece * kSumPiece + threadIndex().x;
        sums.sum(i < arguments.size ? u[i] * v[i] : 0, arguments.sums + product * pieces + piece);
    }
}

// v = alpha v + beta w; v may be anything where alpha is 0.
OROGEN_DEVICE inline void cgCombine(const CombineArguments& arguments)
{
    const std::uint64_t stride = std::uint64_t(gridSize().x) * kCgThreads;
    for (std::uint64_t i = std::uint64_t(blockIndex().x) * kCgThreads + threadIndex().x; i < arguments.size;
         i += stride)
    {
        const double w = arguments.beta * arguments.w[i];
        arguments.v[i] = arguments.alpha == 0 ? w : arguments.alpha * arguments.v[i] + w;
    }
}

OROGEN_DEVICE inline void cgAdvance(const AdvanceArguments& arguments)
{
    BlockSums sums;
    advanceVectors(arguments.vectors, sums, arguments.d, arguments.q, arguments.length);
}

OROGEN_DEVICE inline void cgRenewResidual(const AdvanceArguments& arguments)
{
    BlockSums sums;
    renewResidual(arguments.vectors, sums, arguments.q);
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(cgMultiplyRows, MultiplyRowsArguments, kCgThreads)
OROGEN_KERNEL(cgMultiplyTiles, MultiplyHalfArguments, kCgThreads)
OROGEN_KERNEL(cgGatherTiles, MultiplyHalfArguments, kCgThreads)
OROGEN_KERNEL(cgInnerProducts, InnerProductsArguments, kCgThreads)
OROGEN_KERNEL(cgCombine, CombineArguments, kCgThreads)
OROGEN_KERNEL(cgAdvance, AdvanceArguments, kCgThreads)
OROGEN_KERNEL(cgRenewResidual, AdvanceArguments, kCgThreads)

}  // namespace orogen::compute
