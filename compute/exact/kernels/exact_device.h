// Exact sums by kernels, on a GPU or on the host from the same source.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/device/host_executor.h"
#include "compute/device/kernel_target.h"
#include "compute/exact/cpu_sums.h"
#include "compute/exact/exact_input.h"
#include "compute/exact/exact_total.h"

namespace orogen::compute {

struct ExactKernelRun
{
    ExactTotal total;
    double packMs = 0, allocateMs = 0, uploadMs = 0, kernelMs = 0, downloadMs = 0;
    ExecutorCounts executor;            // host executor; 0 on a GPU
    std::vector<BarrierSite> barriers;  // met by the host executor, each listed once
};

struct ExactKernelOptions
{
    std::stop_token stop = {};    // checked between launches of some 20 ms, and between pieces of a transfer
    std::uint64_t mostSteps = 0;  // steps of a launch at most; 0: by time.  No effect on the result
    int unit = kWindowByValues;   // the window's; no effect on the result
    static constexpr int kWindowByValues = 1 << 20;
};

// Sums the terms on `target`.  Values of other types than float64 become doubles first, integers two (products of
// integers four).  Errors: a kernel violated the programming model, memory ran out, or a stop.
Result<ExactKernelRun> exactSumOnTarget(KernelTarget& target, ExactTerms terms, std::span<const ValuePiece> pieces,
                                        const ExactKernelOptions& options = {});

}  // namespace orogen::compute
