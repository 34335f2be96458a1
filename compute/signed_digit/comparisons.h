// What a result is set beside: what single and double precision make of the same numbers, and the time of the paper's
// processor.
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

// The digit loop on as many of the rows as take some 10 ms, and from that of all of them: it takes as long for each.
struct DigitLoopTime
{
    double ms = 0;          // of all
    double timedMs = 0;     // of those that were timed
    std::size_t timed = 0;  // rows, of `rows`
    std::size_t rows = 0;
};
// None: a single row takes too long, or there is none.
std::optional<DigitLoopTime> timeDigitLoop(std::span<const DigitRows> rows);
std::optional<DigitLoopTime> timeDigitLoop(std::span<const FactorRows> rows);

}  // namespace orogen::compute
