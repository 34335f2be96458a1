// The sums of a discrete Fourier transform by kernels: each output is a dot product of fixed-point decimals with turns.
#pragma once

#include <span>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/kernels/target_work.h"

namespace orogen::compute {

enum class TurnPart
{
    kCosines,
    kSines,
    kBoth,  // of twice as many values: the first half times cosines, the second times sines
};

// Work on `target`, which must outlive it.  Exact: turns are integers times 10^-digits, values are any decimals.
class TurnSums : private TargetWork
{
public:
    TurnSums(KernelTarget& target, std::stop_token stop, std::uint64_t mostSteps = 0)
        : TargetWork(target, std::move(stop), mostSteps)
    {
    }

    // n of each, for angles 2 pi k / n; of at most `digits` digits behind the point.
    Status prepare(std::span<const Decimal> cosines, std::span<const Decimal> sines, int digits);

    // sum_j values[j] turn(j k mod n) for each k; values of any range of exponents that memory holds.
    Result<std::vector<Decimal>> sums(const DecimalList& values, TurnPart part);

    const KernelTimes& times() const { return times_; }

private:
    struct Sizes;

    Status uploadValues(TargetMemory& memory, const DecimalList& values, const Sizes& sizes);
    Status multiply(const TargetMemory& values, TargetMemory& sums, TurnPart part, const Sizes& sizes);
    Result<std::vector<Decimal>> numbers(const TargetMemory& sums, const Sizes& sizes);

    TargetMemory table_;
    std::uint64_t n_ = 0, width_ = 0;
    std::int64_t exponent_ = 0;
};

}  // namespace orogen::compute
