// Conjugate gradients in single precision inside a refinement in double.
#pragma once

#include "compute/linear_algebra/cg_run.h"

namespace orogen::compute {

// Iterates with A and all vectors in single precision.  When the residual has fallen as far as single precision is
// reliable, a refinement adds the correction to x in double and recomputes the residual of x there.  Directions are
// then discarded: keeping them carried their rounding along and cost more steps than it saved (55 against 44 for an A
// with few large eigenvalues, n = 200).
//
// Returns true if the solve has ended; the solution has the reason.  Returns false if double precision must continue:
// the residual no longer falls, single precision met values that are not positive definite or not finite, or A or the
// preconditioner does not support single precision.  Sets system.start to the best x so far in both cases.
bool refineInSingle(CgAlgorithm algorithm, const LinearOperator& a, const SolveOptions& options, ThreadPool& pool,
                    ScaledSystem& system, Solution& solution);

}  // namespace orogen::compute
