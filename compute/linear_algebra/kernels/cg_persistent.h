// Iterations of Hestenes and Stiefel's conjugate gradients in one cooperative launch.  An iteration has two grid
// barriers if A is sparse or a grid's stencil, three if A is dense or a lower half.  A sparse product computes the
// direction d on its way, which saves a barrier.  A dense product reads d repeatedly, so d is computed before.  A
// product with the lower half adds its tiles' contributions after another barrier.  Every block computes totals itself
// from the pieces' sums, which saves distributing them.
#pragma once

#include "compute/linear_algebra/kernels/cg_vectors.h"
#include "compute/linear_algebra/kernels/matrix_vector.h"

namespace orogen::compute {

template <class Matrix>
struct CgPersistentArguments
{
    using Element = typename Matrix::Element;

    Matrix a;
    CgVectors<Element> vectors;
    Element *d, *nextDirection, *q;  // d and nextDirection are swapped in each iteration
    double* curvatures;              // per piece or group of rows: contribution to (A d, d)
    double* history;                 // (r, r) after each iteration of this launch
    CgState* state;
    double enough;  // (r, r) that ends the iterations
    std::uint64_t steps;
};

namespace OROGEN_TARGET {

// Next direction, z + beta d, and its destination.
template <class T>
struct Direction
{
    const T *z, *d;
    T* next;
    T beta;

    OROGEN_DEVICE T at(std::uint64_t i) const { return z[i] + beta * d[i]; }
};

// Returns (d, A d) for the next direction d, once all blocks have stored d and q = A d.  Contains one grid barrier
// (sparse) or two (dense, half).
template <class T>
OROGEN_DEVICE inline double multiplyAll(const DenseRows<T>& a, BlockSums& sums, const Direction<T>& direction, T* q,
                                        double* curvatures)
{
    for (std::uint64_t i = 2 * (std::uint64_t(blockIndex().x) * kCgThreads + threadIndex().x); i < a.size;
         i += 2 * std::uint64_t(gridSize().x) * kCgThreads)
        storePairAt(direction.next + i, direction.at(i), direction.at(i + 1));
    syncGrid();
    const std::uint64_t groups = quotientUp(a.size, kRowsTogether);
    unsigned turn = 0;
    for (std::uint64_t group = blockIndex().x; group < groups; group += gridSize().x)
    {
        const double share = multiplyRows(a, group, turn ^= 1, direction.next, [&](std::uint64_t i, T product) {
            q[i] = product;
            return double(direction.next[i]) * double(product);
        });
        if (warpIndex() > 0) continue;
        const double sum = warpSum(share);
        if (laneIndex() == 0) curvatures[group] = sum;
    }
    syncGrid();
    return sums.of(curvatures, groups);
}

// Stores q and d at i, and returns their product.
template <class T>
OROGEN_DEVICE inline double storeProduct(const Direction<T>& direction, T* q, std::uint64_t i, T product)
{
    const T d = direction.at(i);
    q[i] = product;
    direction.next[i] = d;
    return double(d) * double(product);
}

template <class T>
OROGEN_DEVICE inline double multiplyAll(const HalfRows<T>& a, BlockSums& sums, const Direction<T>& direction, T* q,
                                        double* curvatures)
{
    unsigned turn = 0;
    for (std::uint64_t tile = blockIndex().x; tile < tilesBefore(a.groups); tile += gridSize().x)
        multiplyHalfTile(a, tile, turn ^= 1, [&](std::uint64_t i) { return direction.at(i); });
    syncGrid();
    for (std::uint64_t group = blockIndex().x; group < a.groups; group += gridSize().x)
        sums.of(
            gatherHalf(a, group, [&](std::uint64_t i, T product) { return storeProduct(direction, q, i, product); }),
            curvatures + group);
    syncGrid();
    return sums.of(curvatures, a.groups);
}

// Multiplies sparse rows or the rows of a grid.
template <class Rows>
OROGEN_DEVICE inline double multiplyAll(const Rows& a, BlockSums& sums,
                                        const Direction<typename Rows::Element>& direction, typename Rows::Element* q,
                                        double* curvatures)
{
    using T = typename Rows::Element;
    const Pieces pieces = piecesOf(a);
    const std::uint64_t count = pieces.count();
    for (std::uint64_t piece = blockIndex().x; piece < count; piece += gridSize().x)
        sums.of(multiplyPiece(
                    a, pieces, piece, [&](std::uint64_t i) { return direction.at(i); },
                    [&](std::uint64_t i, T product) { return storeProduct(direction, q, i, product); }),
                curvatures + piece);
    syncGrid();
    return sums.of(curvatures, count);
}

template <class Matrix>
OROGEN_DEVICE inline void iterate(const CgPersistentArguments<Matrix>& arguments)
{
    using T = typename Matrix::Element;
    const CgVectors<T>& v = arguments.vectors;
    const bool first = blockIndex().x == 0 && threadIndex().x == 0;
    const std::uint64_t pieces = piecesOf(v.size).count();
    BlockSums sums;
    T *d = arguments.d, *next = arguments.nextDirection;
    CgState state = *arguments.state;
    for (std::uint64_t step = 0; step < arguments.steps && state.end == CgEnd::kGoOn; ++step)
    {
        const Direction<T> direction = {v.z, d, next, T(state.beta)};
        const double curvature = multiplyAll(arguments.a, sums, direction, arguments.q, arguments.curvatures);
        state.end = endOfCurvature(curvature);
        if (state.end != CgEnd::kGoOn) break;
        advanceVectors(v, sums, next, arguments.q, T(-state.rz / curvature));
        syncGrid();
        takeNewSums(state, sums, v.squares, v.inverse ? v.weights : nullptr, pieces, arguments.enough,
                    CgResidual::kAdvanced);
        if (first) arguments.history[step] = state.rr;
        T* const old = d;
        d = next;
        next = old;
    }
    if (first) *arguments.state = state;
}

}  // namespace OROGEN_TARGET

// Defines a kernel for a kind of matrix and a precision; kernelOf() finds the kernel by its arguments.  `blocks`:
// blocks that must fit on a multiprocessor.
#define OROGEN_CG_ITERATE(name, Matrix, blocks)                                                                        \
    namespace OROGEN_TARGET {                                                                                          \
    OROGEN_DEVICE inline void name(const CgPersistentArguments<Matrix>& arguments) { iterate(arguments); }             \
    }                                                                                                                  \
    OROGEN_KERNEL_RESIDENT(name, CgPersistentArguments<Matrix>, kCgThreads, blocks)                                    \
    OROGEN_KERNEL_OF(name, CgPersistentArguments<Matrix>)

OROGEN_CG_ITERATE(cgIterateDense, DenseRows<double>, 3)
OROGEN_CG_ITERATE(cgIterateHalf, HalfRows<double>, 2)
OROGEN_CG_ITERATE(cgIterateSparse, SparseRows<double>, 2)
OROGEN_CG_ITERATE(cgIteratePoisson, PoissonRows<double>, 4)
OROGEN_CG_ITERATE(cgIterateDenseSingle, DenseRows<float>, 2)
OROGEN_CG_ITERATE(cgIterateHalfSingle, HalfRows<float>, 3)
OROGEN_CG_ITERATE(cgIterateSparseSingle, SparseRows<float>, 3)
OROGEN_CG_ITERATE(cgIteratePoissonSingle, PoissonRows<float>, 4)
#undef OROGEN_CG_ITERATE

}  // namespace orogen::compute
