// Sums and dot products of decimals by kernels: on a GPU, or on the host from the same source.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "compute/device/cuda.h"
#include "compute/device/host_executor.h"
#include "compute/signed_digit/signed_digit.h"
#include "core/base/status.h"

namespace orogen::compute {

// Those of SumAlgorithm and DotAlgorithm that there are kernels for.
bool inKernels(SumAlgorithm algorithm);  // first, second, regrouped, columns
bool inKernels(DotAlgorithm algorithm);  // paper, product

struct DecimalKernelRun
{
    Decimal number;
    std::uint64_t additions = 0;  // as of CpuDecimals
    ExecutorCounts executor;      // of the host; 0 on a GPU
    double uploadMs = 0, kernelMs = 0, downloadMs = 0;
    std::vector<BarrierSite> barriers;  // that the host executor met, each once
};

struct DecimalKernelOptions
{
    DigitSet set;
    std::stop_token stop = {};
};

class KernelTarget;

// On any target, whose memory and time it takes.  An error means that a kernel broke a rule of the programming model,
// or that memory ran out.
Result<DecimalKernelRun> sumOnTarget(KernelTarget& target, SumAlgorithm algorithm, std::span<const DigitRows> rows,
                                     const DecimalKernelOptions& options = {});
Result<DecimalKernelRun> dotOnTarget(KernelTarget& target, DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                     const DecimalKernelOptions& options = {});

}  // namespace orogen::compute
