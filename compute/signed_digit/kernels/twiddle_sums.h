// Sums of a discrete Fourier transform by kernels: dot products of decimals with twiddle factors.
#pragma once

#include <span>
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/kernels/target_work.h"

namespace orogen::compute {

enum class TwiddlePart
{
    kCosines,
    kSines,
    kBoth,  // twice as many values: the first half times cosines, the second times sines
};

// Computes on `target`, which must outlive this object. Sums are exact, since twiddle factors are integers times
// 10^-digits.
class TwiddleSums : private TargetWork
{
public:
    TwiddleSums(KernelTarget& target, std::stop_token stop, std::uint64_t mostSteps = 0)
        : TargetWork(target, std::move(stop), mostSteps)
    {
    }

    // Uploads n cosines and n sines of the angles 2 pi k / n, with at most `digits` digits after the point.
    Status prepare(std::span<const Decimal> cosines, std::span<const Decimal> sines, int digits);

    // Returns sum_j values[j] twiddle(j k mod n) for each k, where twiddle() is a cosine or a sine by `part`. Exponents
    // of the values may span any range that memory holds.
    Result<std::vector<Decimal>> sums(const DecimalList& values, TwiddlePart part);

    const KernelTimes& times() const { return times_; }

private:
    struct Sizes;

    Status uploadValues(TargetMemory& memory, const DecimalList& values, const Sizes& sizes);
    Status multiply(const TargetMemory& values, TargetMemory& sums, TwiddlePart part, const Sizes& sizes);
    Result<std::vector<Decimal>> numbers(const TargetMemory& sums, const Sizes& sizes);

    TargetMemory table_;
    std::uint64_t n_ = 0, width_ = 0;
    std::int64_t exponent_ = 0;
};

}  // namespace orogen::compute
