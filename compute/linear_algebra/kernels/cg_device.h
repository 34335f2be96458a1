// Conjugate gradients by kernels: on a GPU, or on the host from the same source.  What ends a solve, and what is
// believed, is as in conjugate_gradients.h; sums are made in another order than there, so that the last bits differ.
#pragma once

#include <vector>

#include "compute/device/host_executor.h"
#include "compute/linear_algebra/conjugate_gradients.h"

namespace orogen::compute {

class KernelTarget;

// One of the two, symmetric.
struct KernelSystem
{
    const Matrix* dense = nullptr;
    const SparseMatrix* sparse = nullptr;
    bool half = false;  // only the lower half is sent and read; dense, and Hestenes and Stiefel's algorithm
};

struct CgKernelOptions
{
    // A launch an iteration's step, even where the grid could meet.  The paper's algorithms always do so.
    bool plain = false;
    // Of a persistent launch, after which it looks at `stop`; 0: about 10 ms of a GPU.
    std::uint64_t stepsALaunch = 0;
    // Of a grid, at most; changes no bit of the result.
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

// `a` is the same matrix, for its diagonal and for the last check.  Errors: a kernel broke a rule of the programming
// model, the device failed (kDevice), memory ran out (kLimit), or a launch was stopped (kInterrupted).  A stop between
// launches is no error: the solution is what there is by then.
Result<CgKernelRun> solveOnTarget(KernelTarget& target, CgAlgorithm algorithm, const KernelSystem& system,
                                  const LinearOperator& a, std::span<const double> b, const SolveOptions& options,
                                  ThreadPool& pool, const CgKernelOptions& kernelOptions = {},
                                  std::span<const double> start = {});

}  // namespace orogen::compute
