// Parts of an iteration of conjugate gradients, one kernel launch each: for the recurrences of paper 003
// (conjugate_gradients.h), and for devices without grid barriers.  Scalars stay in the target's memory.  A kernel of
// one block computes them from the sums of the pieces into which sums.h partitions a vector; the other kernels read
// them.  Iterations are queued ahead; once CgState::end is set, the remaining ones change nothing.
#pragma once

#include "compute/linear_algebra/kernels/cg_vectors.h"
#include "compute/linear_algebra/kernels/matrix_vector.h"

namespace orogen::compute {

constexpr unsigned kMostInnerProducts = 5;

// Arguments of y = A x.  The kernel does nothing if `state` is given and its `end` is set.
template <class Matrix>
struct MultiplyArguments
{
    Matrix a;
    const typename Matrix::Element* x;
    typename Matrix::Element* y;
    const CgState* state;
};
template <class T>
struct GatherArguments : MultiplyArguments<HalfRows<T>>
{
};

template <class T>
struct InnerProductsArguments
{
    const T* u[kMostInnerProducts];
    const T* v[kMostInnerProducts];
    std::uint64_t size;
    double* sums;  // partial sums: all pieces of the first product, then those of the next
    const CgState* state;
};

// Arguments of v = ofV v + ofW w, with both factors in the target's memory.
template <class T>
struct CombineArguments
{
    T* v;
    const T* w;
    std::uint64_t size;
    const double *ofV, *ofW;
    const CgState* state;
};

template <class T>
struct AdvanceArguments
{
    CgVectors<T> vectors;
    const T *d, *q;
    const double* length;
    const CgState* state;
};

template <class T>
struct RenewArguments
{
    CgVectors<T> vectors;
    const T* q;
    const CgState* state;
};

struct TakeSumsArguments
{
    CgState* state;
    const double *squares, *weights;  // as in CgVectors; weights: nullptr without a preconditioner
    std::uint64_t pieces;
    double* history;  // destination of (r, r) after an iteration
    double enough;    // (r, r) that ends the iterations
    CgResidual residual;
};

struct TakeLengthArguments
{
    CgState* state;
    CgCoefficients* coefficients;
    const double* curvatures;  // pieces' sums of (d, A d)
    std::uint64_t pieces;
};

struct TakeCoefficientsArguments
{
    CgState* state;
    CgCoefficients* coefficients;
    // Pieces' sums of (r, z), (A z, z), one product after another.  If `haveDelta` (d holds the paper's delta), also of
    // (r, d), (A z, d), (A d, d).
    const double* sums;
    std::uint64_t pieces;
    bool haveDelta;
    CgRounding rounding;
};

namespace OROGEN_TARGET {

OROGEN_DEVICE inline bool hasEnded(const CgState* state) { return state && state->end != CgEnd::kGoOn; }

template <class T>
OROGEN_DEVICE inline void multiply(const MultiplyArguments<DenseRows<T>>& arguments)
{
    if (hasEnded(arguments.state)) return;
    const std::uint64_t groups = quotientUp(arguments.a.size, kRowsTogether);
    unsigned turn = 0;
    for (std::uint64_t group = blockIndex().x; group < groups; group += gridSize().x)
        multiplyRows(arguments.a, group, turn ^= 1, arguments.x,
                     [&](std::uint64_t i, T sum) { return double(arguments.y[i] = sum); });
}

template <class T>
OROGEN_DEVICE inline void multiply(const MultiplyArguments<HalfRows<T>>& arguments)
{
    if (hasEnded(arguments.state)) return;
    const std::uint64_t tiles = tilesBefore(arguments.a.groups);
    unsigned turn = 0;
    for (std::uint64_t tile = blockIndex().x; tile < tiles; tile += gridSize().x)
        multiplyHalfTile(arguments.a, tile, turn ^= 1, [&](std::uint64_t j) { return arguments.x[j]; });
}

// Computes y = A x for sparse rows and for the rows of a grid.
template <class Rows>
OROGEN_DEVICE inline void multiply(const MultiplyArguments<Rows>& arguments)
{
    using T = typename Rows::Element;
    if (hasEnded(arguments.state)) return;
    const Pieces pieces = piecesOf(arguments.a);
    const std::uint64_t count = pieces.count();
    for (std::uint64_t piece = blockIndex().x; piece < count; piece += gridSize().x)
        multiplyPiece(
            arguments.a, pieces, piece, [&](std::uint64_t j) { return arguments.x[j]; },
            [&](std::uint64_t i, T sum) { return double(arguments.y[i] = sum); });
}

// Computes y = A x from the tiles' contributions, for the lower half of a symmetric A; one block per group of rows.
template <class T>
OROGEN_DEVICE inline void gather(const GatherArguments<T>& arguments)
{
    if (hasEnded(arguments.state)) return;
    gatherHalf(arguments.a, blockIndex().x, [&](std::uint64_t i, T sum) { return double(arguments.y[i] = sum); });
}

// Computes pieces' sums of several inner products, as figure 6 of paper 003: blocks in y are the products, and blocks
// in x share the pieces.
template <class T>
OROGEN_DEVICE inline void makeInnerProducts(const InnerProductsArguments<T>& arguments)
{
    if (hasEnded(arguments.state)) return;
    const unsigned product = blockIndex().y;
    const T *const u = arguments.u[product], *const v = arguments.v[product];
    const Pieces pieces = piecesOf(arguments.size);
    const std::uint64_t count = pieces.count();
    BlockSums sums;
    for (std::uint64_t piece = blockIndex().x; piece < count; piece += gridSize().x)
    {
        const std::uint64_t next = (piece + 1) * pieces.length, end = next < arguments.size ? next : arguments.size;
        double sum = 0;
        for (std::uint64_t i = piece * pieces.length + 2 * threadIndex().x; i < end; i += kPieceStep)
        {
            const Pair<T> left = loadPairAt(u + i), right = loadPairAt(v + i);
            sum += double(left.first) * double(right.first) + double(left.second) * double(right.second);
        }
        sums.of(sum, arguments.sums + product * count + piece);
    }
}

template <class T>
OROGEN_DEVICE inline void combine(const CombineArguments<T>& arguments)
{
    if (hasEnded(arguments.state)) return;
    const T ofV = T(*arguments.ofV), ofW = T(*arguments.ofW);
    for (std::uint64_t i = 2 * (std::uint64_t(blockIndex().x) * kCgThreads + threadIndex().x); i < arguments.size;
         i += std::uint64_t(gridSize().x) * kPieceStep)
    {
        const Pair<T> v = loadPairAt(arguments.v + i), w = loadPairAt(arguments.w + i);
        storePairAt(arguments.v + i, ofV * v.first + ofW * w.first, ofV * v.second + ofW * w.second);
    }
}

template <class T>
OROGEN_DEVICE inline void advance(const AdvanceArguments<T>& arguments)
{
    if (hasEnded(arguments.state)) return;
    BlockSums sums;
    advanceVectors(arguments.vectors, sums, arguments.d, arguments.q, T(*arguments.length));
}

template <class T>
OROGEN_DEVICE inline void renew(const RenewArguments<T>& arguments)
{
    if (hasEnded(arguments.state)) return;
    BlockSums sums;
    renewResidual(arguments.vectors, sums, arguments.q);
}

// ---- kernels of one block ----

OROGEN_DEVICE inline void cgTakeSums(const TakeSumsArguments& arguments)
{
    const bool advanced = arguments.residual == CgResidual::kAdvanced;
    CgState state = *arguments.state;
    if (advanced && state.end != CgEnd::kGoOn) return;
    BlockSums sums;
    takeNewSums(state, sums, arguments.squares, arguments.weights, arguments.pieces, arguments.enough,
                arguments.residual);
    if (threadIndex().x != 0) return;
    if (advanced) *arguments.history = state.rr;
    *arguments.state = state;
}

OROGEN_DEVICE inline void cgTakeLength(const TakeLengthArguments& arguments)
{
    if (hasEnded(arguments.state)) return;
    BlockSums sums;
    const double curvature = sums.of(arguments.curvatures, arguments.pieces);
    if (threadIndex().x != 0) return;
    arguments.state->end = endOfCurvature(curvature);
    arguments.coefficients->length = -arguments.state->rz / curvature;
}

OROGEN_DEVICE inline void cgTakeCoefficients(const TakeCoefficientsArguments& arguments)
{
    if (hasEnded(arguments.state)) return;
    BlockSums sums;
    double products[kMostInnerProducts] = {};
    OROGEN_UNROLL
    for (unsigned i = 0; i < kMostInnerProducts; ++i)
        if (i < 2 || arguments.haveDelta)
            products[i] = sums.of(arguments.sums + i * arguments.pieces, arguments.pieces);
    if (threadIndex().x != 0) return;
    CgCoefficients chosen = *arguments.coefficients;
    arguments.state->end = chooseCoefficients({products[0], products[1], products[2], products[3], products[4]},
                                              arguments.haveDelta, arguments.rounding, chosen);
    *arguments.coefficients = chosen;
}

}  // namespace OROGEN_TARGET

// Defines a kernel for a kind of matrix and a precision; kernelOf() finds the kernel by its arguments.
#define OROGEN_CG_STEP(name, function, ...)                                                                            \
    namespace OROGEN_TARGET {                                                                                          \
    OROGEN_DEVICE inline void name(const __VA_ARGS__& arguments) { function(arguments); }                              \
    }                                                                                                                  \
    OROGEN_KERNEL_RESIDENT(name, __VA_ARGS__, kCgThreads, 2)                                                           \
    OROGEN_KERNEL_OF(name, __VA_ARGS__)

OROGEN_CG_STEP(cgMultiplyDense, multiply, MultiplyArguments<DenseRows<double>>)
OROGEN_CG_STEP(cgMultiplyTiles, multiply, MultiplyArguments<HalfRows<double>>)
OROGEN_CG_STEP(cgMultiplySparse, multiply, MultiplyArguments<SparseRows<double>>)
OROGEN_CG_STEP(cgMultiplyPoisson, multiply, MultiplyArguments<PoissonRows<double>>)
OROGEN_CG_STEP(cgGatherTiles, gather, GatherArguments<double>)
OROGEN_CG_STEP(cgInnerProducts, makeInnerProducts, InnerProductsArguments<double>)
OROGEN_CG_STEP(cgCombine, combine, CombineArguments<double>)
OROGEN_CG_STEP(cgAdvance, advance, AdvanceArguments<double>)
OROGEN_CG_STEP(cgRenewResidual, renew, RenewArguments<double>)
OROGEN_CG_STEP(cgMultiplyDenseSingle, multiply, MultiplyArguments<DenseRows<float>>)
OROGEN_CG_STEP(cgMultiplyTilesSingle, multiply, MultiplyArguments<HalfRows<float>>)
OROGEN_CG_STEP(cgMultiplySparseSingle, multiply, MultiplyArguments<SparseRows<float>>)
OROGEN_CG_STEP(cgMultiplyPoissonSingle, multiply, MultiplyArguments<PoissonRows<float>>)
OROGEN_CG_STEP(cgGatherTilesSingle, gather, GatherArguments<float>)
OROGEN_CG_STEP(cgInnerProductsSingle, makeInnerProducts, InnerProductsArguments<float>)
OROGEN_CG_STEP(cgCombineSingle, combine, CombineArguments<float>)
OROGEN_CG_STEP(cgAdvanceSingle, advance, AdvanceArguments<float>)
OROGEN_CG_STEP(cgRenewResidualSingle, renew, RenewArguments<float>)
#undef OROGEN_CG_STEP
OROGEN_KERNEL(cgTakeSums, TakeSumsArguments, kCgThreads)
OROGEN_KERNEL_OF(cgTakeSums, TakeSumsArguments)
OROGEN_KERNEL(cgTakeLength, TakeLengthArguments, kCgThreads)
OROGEN_KERNEL_OF(cgTakeLength, TakeLengthArguments)
OROGEN_KERNEL(cgTakeCoefficients, TakeCoefficientsArguments, kCgThreads)
OROGEN_KERNEL_OF(cgTakeCoefficients, TakeCoefficientsArguments)

// ---- between single precision and a refinement in double ----

// Arguments of cgNarrow(), which converts the elements of A, times a power of two, to single precision.
struct NarrowArguments
{
    const double* from;
    float* to;
    std::uint64_t size;  // both buffers are padded to an even number of elements
    double scale;
};

// Arguments of cgTakeUp(), which adds the correction found in single precision to x, and resets the correction to 0.
struct TakeUpArguments
{
    double* whole;
    float* found;
    std::uint64_t size;
    double scale;
};

// Arguments of cgTakeDown(), which converts the residual from double to single precision, and stores the negative
// residual as the right-hand side of the system in single precision.
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
