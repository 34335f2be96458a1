// Sums and dot products of decimals by kernels: on a GPU, or on the host from the same source.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"
#include "compute/signed_digit/kernels/kernel_times.h"
#include "compute/signed_digit/signed_digit.h"
#include "core/base/status.h"

namespace orogen::compute {

// Those of SumAlgorithm and DotAlgorithm that there are kernels for.
inline constexpr SumAlgorithm kSumKernels[] = {SumAlgorithm::kFirst, SumAlgorithm::kSecond, SumAlgorithm::kPaperThreads,
                                               SumAlgorithm::kRegrouped, SumAlgorithm::kColumns};
inline constexpr DotAlgorithm kDotKernels[] = {DotAlgorithm::kPaper, DotAlgorithm::kPaperThreads,
                                               DotAlgorithm::kProduct};
bool inKernels(SumAlgorithm algorithm);
bool inKernels(DotAlgorithm algorithm);

struct DecimalKernelRun : KernelTimes
{
    Decimal number;
    DigitOperations operations;         // as of CpuDecimals
    ExecutorCounts executor;            // of the host; 0 on a GPU
    std::vector<BarrierSite> barriers;  // that the host executor met, each once
};

struct DecimalKernelOptions
{
    DigitSet set = {};
    std::stop_token stop = {};    // seen between launches of some 20 ms, and between pieces of a transfer
    std::uint64_t mostSteps = 0;  // of a launch: rows, turns, units; 0: by the clock.  The result does not depend on it
};

class KernelTarget;

// On any target, whose memory and time it takes.  An error means that a kernel broke a rule of the programming model,
// or that memory ran out.
Result<DecimalKernelRun> sumOnTarget(KernelTarget& target, SumAlgorithm algorithm, std::span<const DigitRows> rows,
                                     const DecimalKernelOptions& options = {});
Result<DecimalKernelRun> dotOnTarget(KernelTarget& target, DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                     const DecimalKernelOptions& options = {});

}  // namespace orogen::compute
