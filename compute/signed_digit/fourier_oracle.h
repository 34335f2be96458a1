// Check of a discrete Fourier transform by GMP that shares neither cosines nor sums with the transform.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "compute/signed_digit/fourier.h"

namespace orogen::compute {

// Coordinates, in `real` and `imaginary` (null: 0), and the values that are claimed to be their transform. The
// transform is formula 3 of paper 000, or its inverse, formula 4, if `inverse` (fourier.h).
struct ClaimedTransform
{
    const DecimalList& real;
    const DecimalList* imaginary = nullptr;
    bool inverse = false;
    std::span<const ComplexDecimal> values;  // as many as coordinates, at least one
};

// Returns the largest distance of a value from the transform, in multiples of 10^unitExponent. All parts of coordinates
// must be below 10^(unitExponent + digits). The distance is off by less than 0.01. Undefined after a stop. Cost: n^2
// complex products of integers of about 10/3 `digits` bits.
double largestDistance(const ClaimedTransform& claimed, std::int64_t unitExponent, int digits,
                       const std::stop_token& stop = {});

}  // namespace orogen::compute
