// Where in a matrix a thread works.  CUDA counts at most 65,535 blocks in y, so that a matrix of more rows takes
// several launches, each from a first row on.  All places are counted in 64 bits: 46,341 x 46,341 elements overflow 31.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

constexpr unsigned kPaperSide = 32;             // threads of a block in x and in y
constexpr std::uint64_t kMostBlocksY = 65'535;  // of a grid, and in z

struct MatrixPlace
{
    std::uint64_t row, column;
};

// out = a b
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

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
