// What conjugate gradients do with vectors between two products.
#pragma once

#include "compute/linear_algebra/kernels/sums.h"

namespace orogen::compute {

// x, r = A x - b, and z = r, or `inverse` times r where a diagonal preconditions.
struct CgVectors
{
    const double* b;
    const double* inverse;  // nullptr: none, and z is r
    double *x, *r, *z;
    double* squares;  // of pieces: their share in (r, r)
    double* weights;  // and in (r, z)
    std::uint64_t size;
};

namespace OROGEN_TARGET {

// r_i is known: z_i, and the block's sums of its piece.  Called by the whole block, i < size or not.
OROGEN_DEVICE inline void takeResidual(const CgVectors& v, BlockSums& sums, std::uint64_t i, double r)
{
    double z = r;
    if (i < v.size)
    {
        v.r[i] = r;
        if (v.inverse) v.z[i] = z = v.inverse[i] * r;
    }
    sums.sum(r * r, v.squares + i / kSumPiece);
    if (v.inverse) sums.sum(r * z, v.weights + i / kSumPiece);
}

// x and r move by `length` along d and q = A d.
OROGEN_DEVICE inline void advanceVectors(const CgVectors& v, BlockSums& sums, const double* d, const double* q,
                                         double length)
{
    const std::uint64_t pieces = piecesOf(v.size, kSumPiece);
    for (std::uint64_t piece = blockIndex().x; piece < pieces; piece += gridSize().x)
    {
        const std::uint64_t i = piece * kSumPiece + threadIndex().x;
        double r = 0;
        if (i < v.size)
        {
            v.x[i] += length * d[i];
            r = v.r[i] + length * q[i];
        }
        takeResidual(v, sums, i, r);
    }
}

// r = q - b, where q = A x.
OROGEN_DEVICE inline void renewResidual(const CgVectors& v, BlockSums& sums, const double* q)
{
    const std::uint64_t pieces = piecesOf(v.size, kSumPiece);
    for (std::uint64_t piece = blockIndex().x; piece < pieces; piece += gridSize().x)
    {
        const std::uint64_t i = piece * kSumPiece + threadIndex().x;
        takeResidual(v, sums, i, i < v.size ? q[i] - v.b[i] : 0);
    }
}

}  // namespace OROGEN_TARGET

}  // namespace orogen::compute
