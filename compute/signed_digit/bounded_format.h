// The paper's bounded format: numbers K 10^t with |K| <= 10^f - 1 and |t| <= k (its formula 6 with base 10).
//
// Its table I has 10^(f + k) for the largest number and 10^-(f + k) for the smallest positive one; right are
// (10^f - 1) 10^k and 10^-k (erratum 5).  The digits of a sum's K are erratum 4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compute/signed_digit/decimal.h"

namespace orogen::compute {

enum class FormatFit
{
    kFits,
    kOverflow,   // larger than the largest
    kUnderflow,  // smaller than the smallest positive one, and not 0
    kInexact,    // between them, and of more digits, or finer ones, than K 10^t can have
};
std::string_view textOf(FormatFit fit);  // "fits", "overflow", "underflow", "inexact"

struct BoundedFormat
{
    std::int64_t mantissaDigits = 1;  // f >= 1
    std::int64_t largestOrder = 0;    // k >= 0

    FormatFit fit(const DecimalView& number) const;

    // As formulas: the numbers themselves have f + k digits.
    std::string largest() const;   // "(10^3 - 1) 10^5"
    std::string smallest() const;  // "10^-5"

    // Of K in a sum of n >= 1 numbers: floor(lg(n (10^f - 1) 10^(2k))) + 1; in signed digits one more.
    std::int64_t digitsOfSum(std::uint64_t n) const;
};

}  // namespace orogen::compute
