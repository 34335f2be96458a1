#include "compute/linear_algebra/kernels/cramer_device.h"

#include <cassert>

#include "compute/device/kernel_target.h"
#include "compute/linear_algebra/kernels/cramer.h"
#include "core/base/clock.h"

namespace orogen::compute {

static_assert(kMostCramer == kMostCramerSide);

Result<CgKernelRun> solveByCramerOnTarget(KernelTarget& target, const Matrix& a, std::span<const double> b,
                                          const SolveOptions& options, ThreadPool& pool)
{
    assert(a.rows() == a.columns() && a.rows() == b.size() && b.size() <= kMostCramer);
    CgKernelRun run;
    const Clock::time_point allocation = Clock::now();
    std::vector<double> pivots((b.size() + 1) * kCramerPivots);
    Result<TargetMemory> matrix = target.allocate(a.values().size_bytes());
    Result<TargetMemory> right = target.allocate(b.size_bytes());
    Result<TargetMemory> found = target.allocate(pivots.size() * sizeof(double));
    for (const Result<TargetMemory>* memory : {&matrix, &right, &found})
        if (!*memory) return memory->error();
    run.allocateMs = millisecondsSince(allocation);
    const Clock::time_point upload = Clock::now();
    if (Status status = target.upload(matrix->as<void>(), a.row(0), a.values().size_bytes()); !status)
        return status.error();
    if (Status status = target.upload(right->as<void>(), b.data(), b.size_bytes()); !status) return status.error();
    run.uploadMs = millisecondsSince(upload);
    if (Status status = target.startClock(); !status) return status.error();
    const CramerArguments arguments = {matrix->as<double>(), right->as<double>(), found->as<double>(),
                                       unsigned(b.size())};
    const LaunchShape shape = {{unsigned(b.size()) + 1}, {kWarpLanes}};
    if (Status status = target.launch(eliminateForCramerKernel(), shape, arguments); !status) return status.error();
    const Result<double> ms = target.stopClock();
    if (!ms) return ms.error();
    run.kernelMs = *ms;
    const Clock::time_point download = Clock::now();
    if (Status status = target.download(pivots.data(), found->as<void>(), pivots.size() * sizeof(double)); !status)
        return status.error();
    if (Status status = target.finish(); !status) return status.error();
    run.downloadMs = millisecondsSince(download);
    run.executor = target.hostLaunches().counts;
    run.barriers = target.hostLaunches().barriers;
    run.solution = solveByCramer(a, b, options, pool, [&](std::size_t which) {
        const double* const of = pivots.data() + which * kCramerPivots;
        return Pivots{of[0] < 0, {of + 1, of + 1 + b.size()}};
    });
    return run;
}

}  // namespace orogen::compute
