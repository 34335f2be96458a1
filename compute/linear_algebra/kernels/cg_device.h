// Conjugate gradients by kernels: on a GPU, or on the host from the same source.  What ends a solve, and what is
// believed, is as in conjugate_gradients.h; sums are made in another order than there, so that the last bits differ.
#pragma once

#include <optional>
#include <vector>

#include "compute/device/host_executor.h"
#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {

class KernelTarget;

struct PoissonGrid
{
    std::uint64_t width = 0, height = 0;  // inner points, fewer than 2^32 together
};

// One of the three, symmetric.
struct KernelSystem
{
    const Matrix* dense = nullptr;
    const SparseMatrix* sparse = nullptr;
    bool half = false;  // only the lower half is sent and read; dense, and Hestenes and Stiefel's algorithm
    std::optional<PoissonGrid> grid = {};  // Poisson's equation, without a matrix
};

struct CgKernelOptions
{
    // A launch an iteration's step, even where the grid could meet.  The paper's algorithms always do so.
    bool plain = false;
    // Iterations between two looks at the residual and at `stop`; 0: as many as take about 20 ms, learned from those
    // before.  Changes no bit of the result.
    std::uint64_t stepsALaunch = 0;
    // Of a grid, at most; changes no bit of the result, either.
    unsigned mostBlocks = ~0u;
};

struct CgKernelRun
{
    Solution solution;        // assessed on the CPU
    bool persistent = false;  // iterated in cooperative launches
    ExecutorCounts executor;  // of the host; 0 on a GPU
    double allocateMs = 0, uploadMs = 0, kernelMs = 0, downloadMs = 0;
    std::vector<BarrierSite> barriers;  // that the host executor met, each once
};

// `a` is the same matrix, for its diagonal and for the last check, by which a solve goes on where the CPU, whose sums
// differ in the last bits, has it above the tolerance.  Errors: a kernel broke a rule of the programming model, the
// device failed (kDevice), memory ran out (kLimit), a launch was stopped or a stop came while A was sent
// (kInterrupted), or options.preconditioner is set, which no kernel can apply (kUsage).  A stop between launches is no
// error: the solution is what there is by then.
Result<CgKernelRun> solveOnTarget(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system,
                                  const LinearOperator& a, std::span<const double> b, const SolveOptions& options,
                                  ThreadPool& pool, const CgKernelOptions& kernelOptions = {},
                                  std::span<const double> start = {});

}  // namespace orogen::compute
