// Iterations of Hestenes' and Stiefel's conjugate gradients in one cooperative launch: two grid barriers an iteration,
// three where only half of A is read.  The direction d is made on the way into the product, which spares another; sums
// over the whole are made by every warp from the pieces' sums, which spares sending them round.
#pragma once

#include "compute/linear_algebra/kernels/cg_vectors.h"
#include "compute/linear_algebra/kernels/half_products.h"
#include "compute/linear_algebra/kernels/row_products.h"

namespace orogen::compute {

enum class CgEnd : std::uint32_t
{
    kGoOn,
    kSmallEnough,
    kNotPositive,
    kNotFinite,
};

// What a launch leaves behind for the next one.
struct CgState
{
    double rr, rz;       // (r, r) and (r, z)
    double beta;         // of the next direction d = z + beta d; 0: begin anew
    std::uint64_t done;  // iterations
    CgEnd end;
};

template <class Matrix>
struct CgPersistentArguments
{
    Matrix a;
    CgVectors vectors;
    double *d, *nextDirection, *q;  // d and the next one change places in each iteration
    double* curvatures;             // of pieces: their share in (A d, d)
    double* history;                // (r, r) after each iteration of this launch
    CgState* state;
    double rz, beta;  // as in CgState
    double enough;    // (r, r) that ends it
    std::uint64_t steps;
};

using CgRowsArguments = CgPersistentArguments<RowMatrix>;
using CgHalfArguments = CgPersistentArguments<HalfMatrix>;

namespace OROGEN_TARGET {

// q = A d from d on its way; a grid barrier has passed when it returns (d, A d).
template <class DirectionAt, class Store>
OROGEN_DEVICE inline double multiplyAll(const RowMatrix& a, BlockSums& sums, const DirectionAt& directionAt,
                                        const Store& store, double* curvatures)
{
    const std::uint64_t pieces = piecesOf(a.size, kRowPiece);
    for (std::uint64_t piece = blockIndex().x; piece < pieces; piece += gridSize().x)
        sums.sum(multiplyRows(a, piece, directionAt, store), curvatures + piece);
    syncGrid();
    return sumPieces(curvatures, pieces);
}

template <class DirectionAt, class Store>
OROGEN_DEVICE inline double multiplyAll(const HalfMatrix& a, BlockSums& sums, const DirectionAt& directionAt,
                                        const Store& store, double* curvatures)
{
    unsigned turn = 0;
    for (std::uint64_t tile = blockIndex().x; tile < tilesBefore(a.groups); tile += gridSize().x)
        multiplyHalfTile(a, tile, turn ^= 1, directionAt);
    syncGrid();
    for (std::uint64_t group = blockIndex().x; group < a.groups; group += gridSize().x)
        sums.sum(gatherHalf(a, group, store), curvatures + group);
    syncGrid();
    return sumPieces(curvatures, a.groups);
}

template <class Matrix>
OROGEN_DEVICE inline void iterate(const CgPersistentArguments<Matrix>& arguments)
{
    const CgVectors& v = arguments.vectors;
    const bool first = blockIndex().x == 0 && threadIndex().x == 0;
    BlockSums sums;
    double* d = arguments.d;
    double* next = arguments.nextDirection;
    CgState state = {0, arguments.rz, arguments.beta, 0, CgEnd::kGoOn};
    while (state.done < arguments.steps && state.end == CgEnd::kGoOn)
    {
        const double beta = state.beta;
        const auto directionAt = [&](std::uint64_t i) { return beta == 0 ? v.z[i] : v.z[i] + beta * d[i]; };
        const auto store = [&](std::uint64_t i, double product) {
            arguments.q[i] = product;
            next[i] = directionAt(i);
            return next[i] * product;
        };
        const double curvature = multiplyAll(arguments.a, sums, directionAt, store, arguments.curvatures);
        if (!isFinite(curvature) || curvature <= 0)
        {
            state.end = isFinite(curvature) ? CgEnd::kNotPositive : CgEnd::kNotFinite;
            break;
        }
        advanceVectors(v, sums, next, arguments.q, -state.rz / curvature);
        syncGrid();
        const double lastRz = state.rz;
        const std::uint64_t pieces = piecesOf(v.size, kSumPiece);
        state.rr = sumPieces(v.squares, pieces);
        state.rz = v.inverse ? sumPieces(v.weights, pieces) : state.rr;
        state.beta = state.rz / lastRz;
        if (first) arguments.history[state.done] = state.rr;
        ++state.done;
        if (!isFinite(state.rr)) state.end = CgEnd::kNotFinite;
        if (state.rr <= arguments.enough) state.end = CgEnd::kSmallEnough;
        double* const old = d;
        d = next;
        next = old;
    }
    if (first) *arguments.state = state;
}

OROGEN_DEVICE inline void cgIterateRows(const CgRowsArguments& arguments) { iterate(arguments); }
OROGEN_DEVICE inline void cgIterateHalf(const CgHalfArguments& arguments) { iterate(arguments); }

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(cgIterateRows, CgRowsArguments, kCgThreads)
OROGEN_KERNEL(cgIterateHalf, CgHalfArguments, kCgThreads)

}  // namespace orogen::compute
