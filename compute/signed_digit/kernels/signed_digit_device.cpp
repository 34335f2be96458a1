// Bands of rows, one after the other, into one number.
#include "compute/signed_digit/kernels/signed_digit_device.h"

#include <algorithm>
#include <cassert>

#include "compute/signed_digit/kernels/target_sum.h"

namespace orogen::compute {
namespace {

struct Places
{
    std::int64_t low = 0, high = 0;
    bool any = false;

    void take(std::int64_t exponent, std::size_t width)
    {
        const std::int64_t end = exponent + std::int64_t(width + kSpareDigits);
        low = any ? std::min(low, exponent) : exponent;
        high = any ? std::max(high, end) : end;
        any = true;
    }
};

const Error kStopped = {ExitCode::kInterrupted, "signed-digit: cancelled"};

}  // namespace

bool inKernels(SumAlgorithm algorithm) { return std::ranges::find(kSumKernels, algorithm) != std::end(kSumKernels); }
bool inKernels(DotAlgorithm algorithm) { return std::ranges::find(kDotKernels, algorithm) != std::end(kDotKernels); }

Result<DecimalKernelRun> sumOnTarget(KernelTarget& target, SumAlgorithm algorithm, std::span<const DigitRows> rows,
                                     const DecimalKernelOptions& options)
{
    assert(inKernels(algorithm));
    Places places;
    for (const DigitRows& band : rows)
        places.take(band.exponent, band.width);
    TargetSum sum(target, options, places.low, places.high);
    for (const DigitRows& band : rows)
    {
        if (options.stop.stop_requested()) return kStopped;
        if (Status status = sum.addSum(algorithm, band); !status) return status.error();
    }
    const bool byColumns = algorithm == SumAlgorithm::kSecond || algorithm == SumAlgorithm::kPaperThreads;
    if (byColumns || algorithm == SumAlgorithm::kRegrouped)
        if (Status status = sum.addColumns(byColumns ? RowSource::kColumns : RowSource::kDigits); !status)
            return status.error();
    return sum.finish();
}

Result<DecimalKernelRun> dotOnTarget(KernelTarget& target, DotAlgorithm algorithm, std::span<const FactorRows> rows,
                                     const DecimalKernelOptions& options)
{
    assert(inKernels(algorithm));
    Places places;
    for (const FactorRows& band : rows)
        places.take(band.x.exponent, band.x.width + band.y.width);
    TargetSum sum(target, options, places.low, places.high);
    for (const FactorRows& band : rows)
    {
        if (options.stop.stop_requested()) return kStopped;
        if (Status status = sum.addDot(algorithm, band); !status) return status.error();
    }
    if (algorithm != DotAlgorithm::kProduct)
        if (Status status = sum.addColumns(RowSource::kColumns); !status) return status.error();
    return sum.finish();
}

}  // namespace orogen::compute
