// If timing all rows would take too long, timeRows() times some of them and extrapolates in proportion to the work.
#include "compute/signed_digit/comparisons.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/fourier.h"
#include "compute/signed_digit/gmp_numbers.h"
#include "core/base/clock.h"

namespace orogen::compute {
namespace {

// Returns text such as "123e5" of a number without leading zeros. 800 digits, and one more that tells whether others
// follow, suffice for the nearest double: a midpoint between two doubles has at most 768 digits.
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

// Returns the first 1,000 digits, and one more that tells whether others follow. A double has at most 767 digits, so
// later digits do not change the double's error visibly.
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

// Times as many rows as have about `most` work in all; `workOf` returns the work of one row of a band. A band is one
// element of `rows`. Returns nullopt without rows, if the rows to time have more work than `tooMuch`, and after a stop.
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
        best = std::min(best, millisecondsSince(start));
    }
    time.timedMs = best;
    time.ms = best * work / timedWork;
    return time;
}

// Measures work in digits, or products of digits: 1 to 4 ns each.
template <class Rows, class Algorithm>
std::optional<RowsTime> timeLoop(Algorithm algorithm, std::span<const Rows> rows, const std::stop_token& stop)
{
    return timeRows(
        algorithm, rows, [](const Rows& band) { return workOf(band); }, 4e6, 4e7, stop);
}

// Measures work in digits: GMP takes 1 ns or more to convert each to binary, before the timing begins.
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
    // Shifts the error and the value so that the value begins at the decimal point: roughly() has a double's range.
    const std::int64_t top = value.exponent + std::int64_t(value.digits.size());
    error.exponent -= top;
    return 100 * std::abs(roughly(error) / roughly(DecimalView{value.digits, value.exponent - top, value.negative}));
}

template <class Real>
Real floatingSum(const DecimalList& numbers, const std::stop_token& stop)
{
    Real sum = 0;
    for (std::size_t i = 0; i < numbers.size() && !(i % kNumbersBetweenLooks == 0 && stop.stop_requested()); ++i)
        sum += nearest<Real>(numbers[i]);
    return sum;
}
template float floatingSum<float>(const DecimalList&, const std::stop_token&);
template double floatingSum<double>(const DecimalList&, const std::stop_token&);

template <class Real>
Real floatingDot(const DecimalList& x, const DecimalList& y, const std::stop_token& stop)
{
    Real sum = 0;
    for (std::size_t i = 0; i < x.size() && !(i % kNumbersBetweenLooks == 0 && stop.stop_requested()); ++i)
    {
        const volatile Real product = nearest<Real>(x[i]) * nearest<Real>(y[i]);  // volatile prevents fused additions
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

// ---- exact sums and products by GMP ----

namespace {

struct Scaled
{
    GmpNumber value;
    std::int64_t exponent = 0;
};

void lowerExponent(Scaled& number, std::int64_t exponent)
{
    if (number.exponent <= exponent) return;
    GmpNumber power;
    mpz_ui_pow_ui(power, 10, static_cast<unsigned long>(number.exponent - exponent));
    mpz_mul(number.value, number.value, power);
    number.exponent = exponent;
}

// Sum of terms in the order of their exponents. It adds the sums of both halves recursively, so that few partial sums
// are as long as the whole.
class TermSum
{
public:
    using AddTerm = std::function<void(GmpNumber& sum, std::size_t i)>;

    TermSum(std::vector<std::int64_t> exponents, AddTerm addTerm, const std::stop_token& stop)
        : exponents_(std::move(exponents)), addTerm_(std::move(addTerm)), stop_(stop), order_(exponents_.size())
    {
        std::iota(order_.begin(), order_.end(), std::size_t(0));
        std::ranges::stable_sort(order_, {}, [this](std::size_t i) { return exponents_[i]; });
    }

    bool is(const DecimalView& number)
    {
        Scaled expected = order_.empty() ? Scaled() : sum(0, order_.size());
        Scaled found;
        found.value.setDigits(number.digits);
        found.exponent = number.exponent;
        if (number.negative) mpz_neg(found.value, found.value);
        const std::int64_t exponent = std::min(expected.exponent, found.exponent);
        lowerExponent(expected, exponent);
        lowerExponent(found, exponent);
        return mpz_cmp(expected.value, found.value) == 0;
    }

private:
    Scaled sum(std::size_t begin, std::size_t end)
    {
        const std::int64_t low = exponents_[order_[begin]];
        if (low == exponents_[order_[end - 1]])
        {
            Scaled total{{}, low};
            for (std::size_t i = begin; i < end && !stop_.stop_requested(); ++i)
                addTerm_(total.value, order_[i]);
            return total;
        }
        const std::size_t middle = begin + (end - begin) / 2;
        Scaled total = sum(begin, middle), upper = sum(middle, end);
        if (stop_.stop_requested()) return total;
        lowerExponent(upper, total.exponent);
        mpz_add(total.value, total.value, upper.value);
        return total;
    }

    const std::vector<std::int64_t> exponents_;
    const AddTerm addTerm_;
    const std::stop_token stop_;
    std::vector<std::size_t> order_;
};

}  // namespace

bool isSum(const DecimalView& sum, const DecimalList& numbers, const std::stop_token& stop)
{
    std::vector<std::int64_t> exponents;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        exponents.push_back(numbers[i].exponent);
    GmpNumber term;
    const auto add = [&](GmpNumber& total, std::size_t i) {
        term.setDigits(numbers[i].digits);
        (numbers[i].negative ? mpz_sub : mpz_add)(total, total, term);
    };
    return TermSum(std::move(exponents), add, stop).is(sum);
}

bool isDotProduct(const DecimalView& product, const DecimalList& x, const DecimalList& y, const std::stop_token& stop)
{
    std::vector<std::int64_t> exponents;
    for (std::size_t i = 0; i < x.size(); ++i)
        exponents.push_back(x[i].exponent + y[i].exponent);
    GmpNumber a, b;
    const auto add = [&](GmpNumber& total, std::size_t i) {
        a.setDigits(x[i].digits);
        b.setDigits(y[i].digits);
        (x[i].negative != y[i].negative ? mpz_submul : mpz_addmul)(total, a, b);
    };
    return TermSum(std::move(exponents), add, stop).is(product);
}

}  // namespace orogen::compute
