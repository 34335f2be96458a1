// Quotient of two decimals to a number of significant digits, with the exact remainder.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "compute/signed_digit/decimal.h"
#include "compute/signed_digit/signed_digits.h"

namespace orogen::compute {

enum class QuotientAlgorithm
{
    // One signed digit after another.  The redundancy of the digit set (signed_digits.h) allows a digit to be chosen by
    // the leading places of remainder and divisor alone.  Each digit but 0 takes two additions of all places at once.
    kRecurrence,
    kGmp,  // mpz_tdiv_qr
};
inline constexpr QuotientAlgorithm kQuotientAlgorithms[] = {QuotientAlgorithm::kRecurrence, QuotientAlgorithm::kGmp};
std::string_view nameOf(QuotientAlgorithm algorithm);  // "recurrence", "gmp"

struct DecimalQuotient
{
    Decimal quotient;   // nearest number with `digits` digits; if two are equally near, the one with an even last digit
    Decimal remainder;  // a - quotient * b, of either sign
    std::uint64_t additions = 0;         // each over all places at once; 0 for kGmp
    std::uint64_t synchronisations = 0;  // waits after such an addition
};

// Returns a / b, where b is not 0, to `digits` >= 1 significant digits.  Undefined after a stop.  Cost of kRecurrence:
// `digits` times the digits of the longer operand.
DecimalQuotient quotient(const DecimalView& a, const DecimalView& b, std::int64_t digits, QuotientAlgorithm algorithm,
                         DigitSet set = {}, const std::stop_token& stop = {});

// Returns whether quotient and remainder are as DecimalQuotient states.  Multiplies by column sums, without GMP.
bool isQuotient(const DecimalQuotient& found, const DecimalView& a, const DecimalView& b, std::int64_t digits,
                const std::stop_token& stop = {});

}  // namespace orogen::compute
