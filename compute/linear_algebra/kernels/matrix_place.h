// Place in a matrix at which a thread works.  CUDA allows 65,535 blocks in y, so that a matrix of more rows takes
// several launches, each from its own first row.  Places are counted in 64 bits: 46,341 x 46,341 elements overflow 31.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

constexpr unsigned kPaperSide = 32;             // threads per block in x and in y
constexpr std::uint64_t kMostBlocksY = 65'535;  // per grid, also in z

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

}  // namespace orogen::compute
