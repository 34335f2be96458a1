// What a result is set beside: what single and double precision make of the same numbers, and the times of the paper's
// processor and of GMP.
#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "compute/signed_digit/digit_rows.h"

namespace orogen::compute {

// The float or double nearest to a number; infinite where it is too large.
template <class Real>
Real nearest(const DecimalView& number);

// Of `exact`, in percent; none where `found` is not finite, or where `exact` is 0 and `found` is not.
std::optional<double> errorPercent(double found, const DecimalView& exact);

// Numbers, or products of pairs, each rounded to Real, added one after another.  After a stop, anything.
template <class Real>
Real floatingSum(const DecimalList& numbers, const std::stop_token& stop = {});
template <class Real>
Real floatingDot(const DecimalList& x, const DecimalList& y, const std::stop_token& stop = {});

// A part of the rows in some 10 ms, and from that all of them: each takes as long.
struct RowsTime
{
    double ms = 0;          // of all
    double timedMs = 0;     // of those that were timed
    std::size_t timed = 0;  // rows, of `rows`
    std::size_t rows = 0;
};
// The digit loop.  None: a single row takes too long, or there is none, or a stop.
std::optional<RowsTime> timeDigitLoop(std::span<const DigitRows> rows, const std::stop_token& stop = {});
std::optional<RowsTime> timeDigitLoop(std::span<const FactorRows> rows, const std::stop_token& stop = {});
// mpz_add and mpz_addmul on one thread, of numbers that are binary already.
std::optional<RowsTime> timeGmp(std::span<const DigitRows> rows, const std::stop_token& stop = {});
std::optional<RowsTime> timeGmp(std::span<const FactorRows> rows, const std::stop_token& stop = {});

}  // namespace orogen::compute
