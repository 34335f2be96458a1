// Checks of a result by GMP, and comparisons. These are errors in single and double precision, and times of the digit
// loop (the baseline of paper 000, see cpu_decimals.h) and of GMP.
#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "compute/signed_digit/digit_rows.h"

namespace orogen::compute {

// Returns the float or double nearest to a number: an infinity if the number is too large, 0 if it is too small.
template <class Real>
Real nearest(const DecimalView& number);

// Returns the error of `found` relative to `exact` (percent). Returns nullopt if `found` is not finite, or if `exact`
// is 0 and `found` is not.
std::optional<double> errorPercent(double found, const DecimalView& exact);

// Add numbers, or products of pairs, one after another, and round each step to Real. Undefined after a stop.
template <class Real>
Real floatingSum(const DecimalList& numbers, const std::stop_token& stop = {});
template <class Real>
Real floatingDot(const DecimalList& x, const DecimalList& y, const std::stop_token& stop = {});

// Time of all rows. If all would take longer than some 10 ms, only a part of the rows is timed, and `ms` is
// extrapolated in proportion to the work.
struct RowsTime
{
    double ms = 0;          // all rows
    double timedMs = 0;     // the timed rows
    std::size_t timed = 0;  // number of timed rows
    std::size_t rows = 0;
};
// Time the digit loop. Return nullopt if even the part to be timed would take too long, without rows, or after a stop.
std::optional<RowsTime> timeDigitLoop(std::span<const DigitRows> rows, const std::stop_token& stop = {});
std::optional<RowsTime> timeDigitLoop(std::span<const FactorRows> rows, const std::stop_token& stop = {});
// Time mpz_add or mpz_addmul on one thread, on numbers already in binary. Return nullopt as timeDigitLoop() does.
std::optional<RowsTime> timeGmp(std::span<const DigitRows> rows, const std::stop_token& stop = {});
std::optional<RowsTime> timeGmp(std::span<const FactorRows> rows, const std::stop_token& stop = {});

// Return whether a sum or dot product is exact, by computing it with GMP from the numbers themselves. Only the
// conversion of digits to integers is shared with the checked code. Undefined after a stop.
bool isSum(const DecimalView& sum, const DecimalList& numbers, const std::stop_token& stop = {});
bool isDotProduct(const DecimalView& product, const DecimalList& x, const DecimalList& y,
                  const std::stop_token& stop = {});

}  // namespace orogen::compute
