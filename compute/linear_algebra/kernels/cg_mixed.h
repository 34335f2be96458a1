// Kernels that connect conjugate gradients in single precision with a refinement in double.
#pragma once

#include "compute/linear_algebra/kernels/cg_vectors.h"

namespace orogen::compute {

// Converts the elements of A to single precision, times a power of two.
struct NarrowArguments
{
    const double* from;
    float* to;
    std::uint64_t size;  // both buffers are padded to an even number of elements
    double scale;
};

// Adds the correction found in single precision to the x in double, and resets the correction to 0.
struct TakeUpArguments
{
    double* whole;
    float* found;
    std::uint64_t size;
    double scale;
};

// Converts the residual from double to single precision, and stores its negative as the right-hand side there.
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
