// Sums and multiples of matrices as in the paper: one thread per element, blocks of 32 x 32.
#pragma once

#include "compute/linear_algebra/kernels/matrix_place.h"

namespace orogen::compute {

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

}  // namespace orogen::compute
