// The addition of paper 000 (cpu_decimals.h) step by step: transfers and interim digits of every addition of all digits
// at once.
#pragma once

#include <cstdint>
#include <vector>

#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/digit_rows.h"
#include "compute/signed_digit/signed_digits.h"

namespace orogen::compute {

// Digits and their transfers, lowest place first.  The interim digit is s - 10 c, where s is the sum of a place's
// digits and c its transfer into the next place.  The result's digit adds the transfer from the place below.
struct AdditionStep
{
    std::vector<SignedDigit> addend, transfers, interim, result;
};

struct ShownAddition
{
    SignedDigits first, second, sum;
    std::vector<std::int64_t> columns;  // sums of columns, lowest first, of kSecond and kRegrouped; empty for kFirst
    std::int64_t exponent = 0;          // place of the lowest digit in columns and steps
    std::vector<SignedDigit> start;     // digits that the first step adds to
    std::vector<AdditionStep> steps;    // one after another, each waits for the one before
};

// Algorithms of shownAddition(): kFirst adds the numbers, kSecond a row for each column's sum, kRegrouped a row for
// each digit of the sums.
inline constexpr SumAlgorithm kShownAlgorithms[] = {SumAlgorithm::kFirst, SumAlgorithm::kSecond,
                                                    SumAlgorithm::kRegrouped};
// Returns a + b by one of kShownAlgorithms, step by step.
ShownAddition shownAddition(const DecimalView& a, const DecimalView& b, DigitSet set, SumAlgorithm algorithm);

}  // namespace orogen::compute
