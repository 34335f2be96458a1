// Vector operations of conjugate gradients between two products.  Elements are T (double or float); sums are doubles,
// added by pieces (sums.h).  conjugate_gradients.h says what paper 003 is.
#pragma once

#include <limits>

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

// Vectors x, r = A x - b, and z = r, or `inverse` times r with a diagonal preconditioner.  All are padded with zeros.
template <class T>
struct CgVectors
{
    using Element = T;

    const T* b;
    const T* inverse;  // nullptr: no preconditioner, and z is r
    T *x, *r, *z;
    double* squares;  // per piece: contribution to (r, r)
    double* weights;  // per piece: contribution to (r, z)
    std::uint64_t size;
};

enum class CgEnd : std::uint32_t
{
    kGoOn,
    kLook,         // (r, r) is not finite or at most the caller's bound: the caller must check it
    kNotPositive,  // (A d, d) <= 0, or paper 003's equivalent; the iteration was not made
    kNotFinite,    // the iteration was not made
};

// Coefficients of an iteration.
struct CgCoefficients
{
    double length;    // step of x along d, by Hestenes and Stiefel
    double ofD, ofZ;  // coefficients of paper 003 (eqs. 8 and 9): d = ofD d + ofZ z
    double one;       // 1, for kernels that read a coefficient from memory
};

// Inner products for the coefficients of paper 003: rz is (r, z), and zAd is (z, A d).  Here d holds the paper's delta,
// the change of x in an iteration.  Products with d are 0 while there is no delta.
struct CgProducts
{
    double rz, zAz, rd, zAd, dAd;
};

struct CgRounding
{
    double epsilon;       // machine epsilon of the vectors' elements
    double farBelowZero;  // ratio -determinant / product (chooseCoefficients()) that exceeds rounding errors
};
template <class T>
inline constexpr CgRounding kCgRounding = {double(std::numeric_limits<T>::epsilon()),
                                           sizeof(T) == sizeof(double) ? 1e-8 : 1e-3};

// Scalars of a solve, which stay on the target between launches.
struct CgState
{
    double rr, rz;       // inner products (r, r) and (r, z)
    double beta;         // for the next direction d = z + beta d
    std::uint64_t done;  // iterations made
    CgEnd end;
};

// Origin of the residual whose sums are taken.
enum class CgResidual : std::uint32_t
{
    kAdvanced,  // updated by an iteration
    kAnew,      // recomputed; the recurrences start again
    kReplaced,  // recomputed; the direction is kept (van der Vorst and Ye, "Residual replacement strategies", 2000)
};

namespace OROGEN_TARGET {

// Stores the residuals that residualAt(i) returns for i and i + 1, and computes z and the pieces' sums from them.
// Called by the whole grid.
template <class T, class ResidualAt>
OROGEN_DEVICE inline void takeResiduals(const CgVectors<T>& v, BlockSums& sums, const ResidualAt& residualAt)
{
    const Pieces pieces = piecesOf(v.size);
    const std::uint64_t count = pieces.count();
    for (std::uint64_t piece = blockIndex().x; piece < count; piece += gridSize().x)
    {
        const std::uint64_t next = (piece + 1) * pieces.length, end = next < v.size ? next : v.size;
        double squares = 0, weights = 0;
        for (std::uint64_t i = piece * pieces.length + 2 * threadIndex().x; i < end; i += kPieceStep)
        {
            const Pair<T> r = residualAt(i);
            storePairAt(v.r + i, r.first, r.second);
            const double first = double(r.first), second = double(r.second);
            squares += first * first + second * second;
            if (!v.inverse) continue;
            const Pair<T> inverse = loadPairAt(v.inverse + i);
            const Pair<T> z = {inverse.first * r.first, inverse.second * r.second};
            storePairAt(v.z + i, z.first, z.second);
            weights += first * double(z.first) + second * double(z.second);
        }
        sums.of(squares, v.squares + piece);
        if (v.inverse) sums.of(weights, v.weights + piece);
    }
}

// Moves x and r by `length` along d and q = A d.
template <class T>
OROGEN_DEVICE inline void advanceVectors(const CgVectors<T>& v, BlockSums& sums, const T* d, const T* q, T length)
{
    takeResiduals(v, sums, [&](std::uint64_t i) {
        const Pair<T> x = loadPairAt(v.x + i), r = loadPairAt(v.r + i), along = loadPairAt(d + i),
                      product = loadPairAt(q + i);
        storePairAt(v.x + i, x.first + length * along.first, x.second + length * along.second);
        return Pair<T>{r.first + length * product.first, r.second + length * product.second};
    });
}

// Computes r = q - b, where q = A x.
template <class T>
OROGEN_DEVICE inline void renewResidual(const CgVectors<T>& v, BlockSums& sums, const T* q)
{
    takeResiduals(v, sums, [&](std::uint64_t i) {
        const Pair<T> product = loadPairAt(q + i), right = loadPairAt(v.b + i);
        return Pair<T>{product.first - right.first, product.second - right.second};
    });
}

// Updates the state by (r, r) and (r, z) from the pieces' sums.  Called by whole blocks; all blocks get the same bits.
OROGEN_DEVICE inline void takeNewSums(CgState& state, BlockSums& sums, const double* squares, const double* weights,
                                      std::uint64_t pieces, double enough, CgResidual residual)
{
    const double lastRz = state.rz;
    state.rr = sums.of(squares, pieces);
    state.rz = weights ? sums.of(weights, pieces) : state.rr;
    const double growth = state.rz / lastRz;
    if (residual == CgResidual::kAnew)
        state.beta = 0;
    else  // kReplaced: state.beta was computed from the replaced residual, so growth corrects it
        state.beta = residual == CgResidual::kAdvanced ? growth : state.beta * growth;
    state.done += residual == CgResidual::kAdvanced ? 1 : 0;
    state.end = !isFinite(state.rr) || state.rr <= enough ? CgEnd::kLook : CgEnd::kGoOn;
}

// Returns kGoOn if this (A d, d) allows an iteration, else the reason to end.
OROGEN_DEVICE inline CgEnd endOfCurvature(double curvature)
{
    if (!isFinite(curvature)) return CgEnd::kNotFinite;
    return curvature <= 0 ? CgEnd::kNotPositive : CgEnd::kGoOn;
}

// Chooses the coefficients of paper 003.  Returns kGoOn, or the reason to end.
OROGEN_DEVICE inline CgEnd chooseCoefficients(const CgProducts& by, bool haveDelta, const CgRounding& rounding,
                                              CgCoefficients& chosen)
{
    const double product = by.dAd * by.zAz, determinant = product - by.zAd * by.zAd;
    // Without a delta, or if z and delta are almost parallel (eqs. 8 and 9 become 0/0), z alone suffices.
    const bool alone = !haveDelta || determinant <= 4 * rounding.epsilon * product;
    chosen.ofD = alone ? 0 : (by.rz * by.zAd - by.rd * by.zAz) / determinant;
    chosen.ofZ = alone ? -by.rz / by.zAz : (by.rd * by.zAd - by.rz * by.dAd) / determinant;
    if (!isFinite(by.rz + by.rd + by.zAd + by.zAz + by.dAd)) return CgEnd::kNotFinite;
    if (by.zAz <= 0 || (haveDelta && by.dAd < 0)) return CgEnd::kNotPositive;
    return determinant < -rounding.farBelowZero * product ? CgEnd::kNotPositive : CgEnd::kGoOn;
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
