// Whether a result is the sum, or the dot product: computed anew by GMP from the numbers themselves, which shares no
// code with what made it but how digits become an integer.
#pragma once

#include <stop_token>

#include "compute/signed_digit/digit_rows.h"

namespace orogen::compute {

// After a stop, anything.
bool isSum(const DecimalView& sum, const DecimalList& numbers, const std::stop_token& stop = {});
bool isDotProduct(const DecimalView& product, const DecimalList& x, const DecimalList& y,
                  const std::stop_token& stop = {});

}  // namespace orogen::compute
