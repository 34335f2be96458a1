// Solvers by kernels, on a GPU or on the host from the same source: conjugate gradients, with the stopping rule of
// conjugate_gradients.h, and Cramer's rule.  solveOnTarget() sums in another order than the CPU, so that the last bits
// differ.  solveExactlyOnTarget() and solveByCramerOnTarget() give the CPU's bits.
#pragma once

#include <optional>
#include <vector>

#include "compute/device/host_executor.h"
#include "compute/linear_algebra/conjugate_gradients.h"
#include "compute/linear_algebra/direct.h"

namespace orogen::compute {

class KernelTarget;

struct PoissonGrid
{
    std::uint64_t width = 0, height = 0;  // inner points, fewer than 2^32 together
};

// Symmetric system, given by one of dense, sparse and grid.
struct KernelSystem
{
    const Matrix* dense = nullptr;
    const SparseMatrix* sparse = nullptr;
    bool half = false;  // only the lower half is sent and read; requires dense and Hestenes and Stiefel's algorithm
    std::optional<PoissonGrid> grid = {};  // Poisson's equation, without a matrix
};

struct CgKernelOptions
{
    // One launch per step of an iteration, even if grid barriers are available; always so for the paper's algorithms.
    bool plain = false;
    // Iterations between two checks of the residual and of `stop`, at most 1024; 0: as many as take about 20 ms,
    // learned from previous launches.  Does not change the bits of the result, unless the solve stagnates.
    std::uint64_t stepsALaunch = 0;
    // Maximum number of blocks in x, if blocks can share the work.  Does not change the bits of the result.
    unsigned mostBlocks = ~0u;
};

struct CgKernelRun
{
    Solution solution;        // assessed on the CPU
    bool persistent = false;  // iterated in cooperative launches
    ExecutorCounts executor;  // counts of the host executor; all 0 on a GPU
    double allocateMs = 0, uploadMs = 0, kernelMs = 0, downloadMs = 0;
    std::vector<BarrierSite> barriers;  // barriers that the host executor reached, each listed once
};

// Solves on a target by conjugate gradients.  `a` is the matrix of `system`, used for its diagonal and for the final
// check on the CPU.  The CPU's sums differ in the last bits; the solve continues up to three times if they give a
// residual above the tolerance.  After a stop between launches the solution is the state reached, unless the target
// polls the same token.  Errors:
//   - kDevice: a kernel violated the programming model, or the device failed;
//   - kLimit: no memory;
//   - kInterrupted: a stop came while A was sent, during a launch on the host executor, or during a transfer of a GPU
//     target that polls the token;
//   - kUsage: options.preconditioner is set, which kernels cannot apply.
Result<CgKernelRun> solveOnTarget(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system,
                                  const LinearOperator& a, std::span<const double> b, const SolveOptions& options,
                                  ThreadPool& pool, const CgKernelOptions& kernelOptions = {},
                                  std::span<const double> start = {});

// Solves with exact inner products, products with A in the order of the CPU, and one launch per operation.  With
// `options.dot` an ExactDot, solveByConjugateGradients() gives the same bits of x and of the history.  Errors: as
// solveOnTarget().  Not for halves of A nor mixed precision; `options.dot` is not called.
Result<CgKernelRun> solveExactlyOnTarget(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system,
                                         const LinearOperator& a, std::span<const double> b,
                                         const SolveOptions& options, ThreadPool& pool,
                                         const CgKernelOptions& kernelOptions = {}, std::span<const double> start = {});

// Solves by Cramer's rule.  Computes n + 1 determinants in one launch, their quotients on the CPU.  Bit-identical to
// solveByCramer().  Errors: the target's.
Result<CgKernelRun> solveByCramerOnTarget(KernelTarget& target, const Matrix& a, std::span<const double> b,
                                          const SolveOptions& options, ThreadPool& pool);

}  // namespace orogen::compute
