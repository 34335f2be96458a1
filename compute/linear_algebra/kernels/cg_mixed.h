// What conjugate gradients in single precision inside a refinement in double need beside both.
#pragma once

#include "compute/linear_algebra/kernels/cg_vectors.h"

namespace orogen::compute {

// A, element by element, times a power of two.
struct NarrowArguments
{
    const double* from;
    float* to;
    std::uint64_t size;  // both are there up to the next even number
    double scale;
};

// The whole x takes up what was found in single precision, which begins at 0 again.
struct TakeUpArguments
{
    double* whole;
    float* found;
    std::uint64_t size;
    double scale;
};

// The residual in double becomes that in single precision, whose right-hand side it is, negative.
struct TakeDownArguments
{
    const double* residual;
    float* right;
    CgVectors<float> vectors;
};

namespace OROGEN_TARGET {

OROGEN_DEVICE inline std::uint64_t firstPair()
{
    return 2 * (std::uint64_t(blockIndex().x) * kCgThreads + threadIndex().x);
}

OROGEN_DEVICE inline void cgNarrow(const NarrowArguments& arguments)
{
    for (std::uint64_t i = firstPair(); i < arguments.size; i += std::uint64_t(gridSize().x) * kPieceStep)
    {
        const Pair<double> from = loadPairAt(arguments.from + i);
        storePairAt(arguments.to + i, float(arguments.scale * from.first), float(arguments.scale * from.second));
    }
}

OROGEN_DEVICE inline void cgTakeUp(const TakeUpArguments& arguments)
{
    for (std::uint64_t i = firstPair(); i < arguments.size; i += std::uint64_t(gridSize().x) * kPieceStep)
    {
        const Pair<double> whole = loadPairAt(arguments.whole + i);
        const Pair<float> found = loadPairAt(arguments.found + i);
        storePairAt(arguments.whole + i, whole.first + arguments.scale * double(found.first),
                    whole.second + arguments.scale * double(found.second));
        storePairAt(arguments.found + i, 0.0F, 0.0F);
    }
}

OROGEN_DEVICE inline void cgTakeDown(const TakeDownArguments& arguments)
{
    BlockSums sums;
    takeResiduals(arguments.vectors, sums, [&](std::uint64_t i) {
        const Pair<double> residual = loadPairAt(arguments.residual + i);
        const Pair<float> r = {float(residual.first), float(residual.second)};
        storePairAt(arguments.right + i, -r.first, -r.second);
        return r;
    });
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(cgNarrow, NarrowArguments, kCgThreads)
OROGEN_KERNEL_OF(cgNarrow, NarrowArguments)
OROGEN_KERNEL(cgTakeUp, TakeUpArguments, kCgThreads)
OROGEN_KERNEL_OF(cgTakeUp, TakeUpArguments)
OROGEN_KERNEL(cgTakeDown, TakeDownArguments, kCgThreads)
OROGEN_KERNEL_OF(cgTakeDown, TakeDownArguments)

}  // namespace orogen::compute
