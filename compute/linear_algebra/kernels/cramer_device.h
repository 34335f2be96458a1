// Cramer's rule on a target.
#pragma once

#include "compute/linear_algebra/direct.h"
#include "compute/linear_algebra/kernels/cg_device.h"

namespace orogen::compute {

// Computes n + 1 determinants in one launch, their quotients on the CPU.  Bit-identical to solveByCramer().
Result<CgKernelRun> solveByCramerOnTarget(KernelTarget& target, const Matrix& a, std::span<const double> b,
                                          const SolveOptions& options, ThreadPool& pool);

}  // namespace orogen::compute
