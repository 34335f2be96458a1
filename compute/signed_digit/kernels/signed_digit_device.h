// Sums and dot products of decimals by kernels, on a GPU or on the host from the same source.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"
#include "compute/signed_digit/cpu_decimals.h"
#include "core/base/status.h"

namespace orogen::compute {

// Algorithms that have kernels.
inline constexpr SumAlgorithm kSumKernels[] = {SumAlgorithm::kFirst, SumAlgorithm::kSecond, SumAlgorithm::kPaperThreads,
                                               SumAlgorithm::kRegrouped, SumAlgorithm::kColumns};
inline constexpr DotAlgorithm kDotKernels[] = {DotAlgorithm::kPaper, DotAlgorithm::kPaperThreads,
                                               DotAlgorithm::kProduct};
bool inKernels(SumAlgorithm algorithm);
bool inKernels(DotAlgorithm algorithm);

// Milliseconds for packing digits on the CPU, allocation on the target, transfers, and kernels.
struct KernelTimes
{
    double packMs = 0, allocateMs = 0, uploadMs = 0, kernelMs = 0, downloadMs = 0;
};

struct DecimalKernelRun : KernelTimes
{
    Decimal number;
    DigitOperations operations;         // counted as by CpuDecimals
    ExecutorCounts executor;            // counts of the host executor; 0 on a GPU
    std::vector<BarrierSite> barriers;  // barriers that the host executor met, each listed once
};

struct DecimalKernelOptions
{
    DigitSet set = {};
    std::stop_token stop = {};  // checked between launches of some 20 ms, and between pieces of a transfer
    // Maximum of steps per launch (SteppedShape, target_work.h); 0: as many as time allows.
    std::uint64_t mostSteps = 0;
};

class KernelTarget;

// Return the sum of the rows, or of the products of the rows of factors, computed on `target`. Errors: those of
// KernelTarget; kInterrupted after a stop.
Result<DecimalKernelRun> sumOnTarget(KernelTarget& target, SumAlgorithm algorithm, std::span<const DigitRows> rows,
                                     const DecimalKernelOptions& options = {});
Result<DecimalKernelRun> dotOnTarget(KernelTarget& target, DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                     const DecimalKernelOptions& options = {});

}  // namespace orogen::compute
