// Rows are timed in part where all of them would take too long; the time grows with their number.
#include "compute/signed_digit/comparisons.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/signed_digit.h"

namespace orogen::compute {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kBetweenLooks = 1024;  // numbers, between two looks at the stop

// "ddde5" of a number without zeros at its top: with 800 digits and one that tells whether others follow, as no double
// and no point between two has more than 767.
std::string shortText(std::span<const Digit> digits, std::int64_t exponent)
{
    constexpr std::size_t kMost = 800;
    const std::size_t shown = std::min(digits.size(), kMost);
    const auto rest = digits.first(digits.size() - shown);
    const bool more = std::ranges::any_of(rest, [](Digit digit) { return digit != 0; });
    std::string text(shown + more, '1');
    for (std::size_t i = 0; i < shown; ++i)
        text[i] = char('0' + digits[digits.size() - 1 - i]);
    return text + "e" + std::to_string(exponent + std::int64_t(rest.size()) - more);
}

// A number's first digits, with one behind them that tells whether others follow: what is further behind says nothing
// about a double's error, which has 767 digits at most, and a number may have any.
Decimal leadingDigits(const DecimalView& exact)
{
    constexpr std::size_t kMost = 1000;
    const auto isDigit = [](Digit digit) { return digit != 0; };
    const auto top = std::find_if(exact.digits.rbegin(), exact.digits.rend(), isDigit);
    const auto digits = exact.digits.first(std::size_t(exact.digits.rend() - top));
    const std::size_t rest = digits.size() - std::min(kMost, digits.size());
    Decimal leading{
        {digits.begin() + std::ptrdiff_t(rest), digits.end()}, exact.exponent + std::int64_t(rest), exact.negative};
    if (std::ranges::any_of(digits.first(rest), isDigit))
    {
        leading.digits.insert(leading.digits.begin(), Digit(1));
        --leading.exponent;
    }
    return canonical(std::move(leading));
}

// ---- time ----

std::size_t workOf(const DigitRows& rows) { return std::max<std::size_t>(1, rows.width); }
std::size_t workOf(const FactorRows& rows) { return std::max<std::size_t>(1, rows.x.width * rows.y.width); }
std::size_t countOf(const DigitRows& rows) { return rows.count; }
std::size_t countOf(const FactorRows& rows) { return rows.x.count; }

DigitRows firstOf(const DigitRows& rows, std::size_t count)
{
    DigitRows first{count, rows.width, rows.exponent, rows.negative, RowBuffer<Digit>(count * rows.width)};
    std::copy_n(rows.digits.data(), count * rows.width, first.digits.data());
    return first;
}
FactorRows firstOf(const FactorRows& rows, std::size_t count)
{
    return {firstOf(rows.x, count), firstOf(rows.y, count)};
}

std::size_t digitsOf(const DigitRows& rows) { return std::max<std::size_t>(1, rows.width); }
std::size_t digitsOf(const FactorRows& rows) { return digitsOf(rows.x) + digitsOf(rows.y); }

// `workOf` a row; some `most` are timed, none if a row alone takes `tooMuch`.
template <class Rows, class Algorithm, class WorkOf>
std::optional<RowsTime> timeRows(Algorithm algorithm, std::span<const Rows> rows, const WorkOf& workOf, double most,
                                 double tooMuch, const std::stop_token& stop)
{
    double work = 0, timedWork = 0;
    for (const Rows& band : rows)
        work += double(countOf(band)) * double(workOf(band));
    const double part = std::min(1.0, most / std::max(work, 1.0));
    RowsTime time;
    std::vector<Rows> timed;
    for (const Rows& band : rows)
    {
        const auto count = std::size_t(std::ceil(part * double(countOf(band))));
        timedWork += double(count) * double(workOf(band));
        time.timed += count;
        time.rows += countOf(band);
        if (timedWork > tooMuch) return std::nullopt;
        timed.push_back(firstOf(band, count));
    }
    if (time.timed == 0) return std::nullopt;
    CpuDecimals loop(algorithm, timed, {}, stop);
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i < 3; ++i)
    {
        const Clock::time_point start = Clock::now();
        loop.run(stop);
        if (stop.stop_requested()) return std::nullopt;
        best = std::min(best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
    }
    time.timedMs = best;
    time.ms = best * work / timedWork;
    return time;
}

// Digits, or products of digits: 1 to 4 ns each.
template <class Rows, class Algorithm>
std::optional<RowsTime> timeLoop(Algorithm algorithm, std::span<const Rows> rows, const std::stop_token& stop)
{
    return timeRows(
        algorithm, rows, [](const Rows& band) { return workOf(band); }, 4e6, 4e7, stop);
}

// Digits: GMP takes 1 ns for each to make them binary, and more where a number is long.
template <class Rows, class Algorithm>
std::optional<RowsTime> timeBinary(Algorithm algorithm, std::span<const Rows> rows, const std::stop_token& stop)
{
    return timeRows(
        algorithm, rows, [](const Rows& band) { return digitsOf(band); }, 4e6, 5e6, stop);
}

}  // namespace

template <class Real>
Real nearest(const DecimalView& number)
{
    const auto top = std::find_if(number.digits.rbegin(), number.digits.rend(), [](Digit digit) { return digit != 0; });
    const auto digits = number.digits.first(std::size_t(number.digits.rend() - top));
    if (digits.empty()) return 0;
    const std::string text = shortText(digits, number.exponent);
    Real value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{})
        value = number.exponent + std::int64_t(digits.size()) > 0 ? std::numeric_limits<Real>::infinity() : 0;
    return number.negative ? -value : value;
}
template float nearest<float>(const DecimalView&);
template double nearest<double>(const DecimalView&);

std::optional<double> errorPercent(double found, const DecimalView& exact)
{
    if (!std::isfinite(found)) return std::nullopt;
    const Decimal value = leadingDigits(exact);
    Decimal error = canonical(decimal(subtract(signedDigits(decimalFromDouble(found)), signedDigits(value))));
    if (error.digits.empty()) return 0;
    if (value.digits.empty()) return std::nullopt;
    // As if the value began behind the point: roughly() has a double's range.
    const std::int64_t top = value.exponent + std::int64_t(value.digits.size());
    error.exponent -= top;
    return 100 * std::abs(roughly(error) / roughly(DecimalView{value.digits, value.exponent - top, value.negative}));
}

template <class Real>
Real floatingSum(const DecimalList& numbers, const std::stop_token& stop)
{
    Real sum = 0;
    for (std::size_t i = 0; i < numbers.size() && !(i % kBetweenLooks == 0 && stop.stop_requested()); ++i)
        sum += nearest<Real>(numbers[i]);
    return sum;
}
template float floatingSum<float>(const DecimalList&, const std::stop_token&);
template double floatingSum<double>(const DecimalList&, const std::stop_token&);

template <class Real>
Real floatingDot(const DecimalList& x, const DecimalList& y, const std::stop_token& stop)
{
    Real sum = 0;
    for (std::size_t i = 0; i < x.size() && !(i % kBetweenLooks == 0 && stop.stop_requested()); ++i)
    {
        const volatile Real product = nearest<Real>(x[i]) * nearest<Real>(y[i]);  // never fused with the addition
        sum += product;
    }
    return sum;
}
template float floatingDot<float>(const DecimalList&, const DecimalList&, const std::stop_token&);
template double floatingDot<double>(const DecimalList&, const DecimalList&, const std::stop_token&);

std::optional<RowsTime> timeDigitLoop(std::span<const DigitRows> rows, const std::stop_token& stop)
{
    return timeLoop(SumAlgorithm::kDigitLoop, rows, stop);
}
std::optional<RowsTime> timeDigitLoop(std::span<const FactorRows> rows, const std::stop_token& stop)
{
    return timeLoop(DotAlgorithm::kDigitLoop, rows, stop);
}
std::optional<RowsTime> timeGmp(std::span<const DigitRows> rows, const std::stop_token& stop)
{
    return timeBinary(SumAlgorithm::kGmp, rows, stop);
}
std::optional<RowsTime> timeGmp(std::span<const FactorRows> rows, const std::stop_token& stop)
{
    return timeBinary(DotAlgorithm::kGmp, rows, stop);
}

}  // namespace orogen::compute
