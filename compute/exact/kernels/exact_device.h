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
    ExecutorCounts executor;            // counts of the host executor; all 0 on a GPU
    std::vector<BarrierSite> barriers;  // barriers that the host executor reached, each listed once
};

struct ExactKernelOptions
{
    std::stop_token stop = {};  // checked between launches of some 20 ms, and between pieces of a transfer
    // Maximum number of steps (kStepTerms terms each) per launch; 0: no maximum.  No effect on the result.
    std::uint64_t mostSteps = 0;
    // Exponent of the window's first unit (exact_terms.h); kWindowByValues: chosen from a sample of the
    // terms.  No effect on the result.
    int unit = kWindowByValues;
    static constexpr int kWindowByValues = 1 << 20;
};

// Sums the terms on `target`.  Values that are not doubles are converted first: an integer becomes two terms, a
// product of integers four.  Errors: the target's, and kInterrupted after a stop.
Result<ExactKernelRun> exactSumOnTarget(KernelTarget& target, ExactTerms terms, std::span<const ValuePiece> pieces,
                                        const ExactKernelOptions& options = {});

// Returns the size of the doubles that exactSumOnTarget() packs the values into; it uploads as many bytes.
std::uint64_t packedBytes(ExactTerms terms, std::span<const ValuePiece> pieces);

// Exact sums of products of vectors that lie on a target already.
class ExactTargetDots
{
public:
    ExactTargetDots(KernelTarget& target, const ExactKernelOptions& options) : target_(target), options_(options) {}

    // Allocates the digits of the total on the target.  Errors: the target's.
    Status place();
    // Returns the number of terms with the padding that kernels read.
    static std::uint64_t padded(std::uint64_t terms);
    // Adds x[i] * y[i] (without y: x[i]) for all `terms` and their padding, which must be 0.  A padding of +0 turns a
    // total of -0 into +0.  `unit`: exponent of the window's first unit (exact_terms.h), which affects the speed alone.
    Status add(const double* x, const double* y, std::uint64_t terms, int unit, ExactTotal& total);

    double allocateMs() const { return allocateMs_; }
    double kernelMs() const { return kernelMs_; }
    double downloadMs() const { return downloadMs_; }

private:
    // Adds at most kMostTermsInDigits terms, and reads the digits before they can overflow.
    Status addSome(const double* x, const double* y, std::uint64_t first, std::uint64_t steps, int unit,
                   ExactTotal& total);

    KernelTarget& target_;
    const ExactKernelOptions& options_;
    TargetMemory digits_, found_;
    double allocateMs_ = 0, kernelMs_ = 0, downloadMs_ = 0;
};

// Returns the exponent of a window's first unit for terms up to `largest` in magnitude, with room for terms a few times
// larger.
int unitForLargest(double largest);

}  // namespace orogen::compute
