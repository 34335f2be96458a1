// Conjugate gradients in single precision inside a refinement in double.
#pragma once

#include "compute/linear_algebra/cg_run.h"

namespace orogen::compute {

// Iterates with A and all vectors in single precision; as soon as the residual fell as far as single precision can be
// believed, what was found is added to x in double, and the residual of x made anew there (a refinement).  Directions
// are forgotten then: kept, they carried their rounding along and cost more steps than they saved (55 against 44 where
// A has few large eigenvalues, n = 200).
//
// True: that was all, and the solution says why it ended.  False: double has to go on, because the residual no longer
// falls, because single precision met what is not positive definite or not finite, or because A or the preconditioner
// offers no single precision.  system.start becomes the best x so far, in both cases.
bool refineInSingle(CgAlgorithm algorithm, const LinearOperator& a, const SolveOptions& options, ThreadPool& pool,
                    ScaledSystem& system, Solution& solution);

}  // namespace orogen::compute
