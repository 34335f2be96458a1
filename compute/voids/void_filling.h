// Filling the voids of an elevation model by Laplace's equation.  This room:
//
//   void_filling.h     solveVoids(): heights for the voids of a raster
//   void_multigrid.h   the preconditioner of its solver
//   filled_voids.h     those heights put into a raster or a height field
//
// What is solved: every void cell becomes the mean of its neighbours (the five-point stencil), like a soap film over
// the hole: no step at its rim, and no height outside of the range around it.  With one row for each void cell,
//   (number of neighbours) x - sum of neighbours that are voids = sum of neighbours that are known.
// Boundary conditions: known cells keep their heights (Dirichlet); nothing flows across the raster's border, beyond
// which there are no neighbours (Neumann).  Cells count as squares, whatever their size on the ground.  Units: heights
// come back in the unit in which the known ones are given.  All holes are solved as one system, which is never stored
// as a matrix.  It is positive definite: a hole without a known neighbour would have to be the whole raster.
//
// Solved by conjugate gradients after Hestenes and Stiefel (conjugate_gradients.h), in doubles, preconditioned by a
// cycle of multigrid: 15 to 30 iterations for a hole of any size, where without it a hole of n x n cells takes 2.5 n.
// Memory: about 210 bytes a void.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/status.h"

namespace orogen::compute {

struct VoidFillingOptions
{
    double tolerance = 1e-8;          // of the residual, relative to the right-hand side
    std::uint64_t maxIterations = 0;  // 0: 10 times the voids
    bool multigrid = true;            // preconditioned
    int threads = 1;                  // the same bits for any number
    std::stop_token stop = {};        // looked at each iteration
    std::function<void(std::uint64_t iteration, double relativeResidual)> watch = {};
};

struct VoidFilling
{
    std::vector<double> heights;  // of the voids, row by row; in the unit of the known ones
    std::uint64_t iterations = 0;
    // ||A x - b|| / ||b||, recomputed from the heights; they are counted from one level that makes ||b|| about as small
    // as it can be, so that a terrain has the same residual at any altitude.  0 for b = 0.
    double relativeResidual = 0;
    std::vector<double> history;  // relative residuals as the algorithm sees them, from the start on
    double solveMs = 0;           // with the multigrid, without reading the raster and the start
};

// `heights`: width x height, row by row; NaN is a void.  Without a void the result is empty.  Errors: kInput (nothing
// is known, or a known height is infinite), kLimit (memory), kInterrupted, kNo (not converged, with how far it came: no
// heights are given then).
Result<VoidFilling> solveVoids(std::span<const float> heights, int width, int height,
                               const VoidFillingOptions& options = {});

// How far a solve has come that began at the residual `first`, in [0, 1]: by the residual's powers of ten.
double progressOf(double residual, double first, double tolerance);

}  // namespace orogen::compute
