#include "compute/signed_digit/quotient.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <utility>
#include <vector>

#include "compute/signed_digit/cpu_decimals.h"
#include "compute/signed_digit/gmp_numbers.h"

namespace orogen::compute {
namespace {

using Row = std::vector<SignedDigit>;

std::int64_t lengthOf(const Decimal& number) { return std::int64_t(number.digits.size()); }

Decimal magnitudeOf(const DecimalView& number)
{
    return canonical({{number.digits.begin(), number.digits.end()}, number.exponent, false});
}

// Returns whether the digits of a, read as a fraction 0.ddd, are at least those of b.
bool leadsAtLeast(const Decimal& a, const Decimal& b)
{
    return !std::lexicographical_compare(a.digits.rbegin(), a.digits.rend(), b.digits.rbegin(), b.digits.rend());
}

// Recurrence w <- 10 w - q d, where w is the remainder, d the divisor and q the next digit of the quotient. Dividend
// and divisor are positive and aligned at their highest digits.
class Recurrence
{
public:
    // `fraction` shifts the dividend one place down, so that it is below the divisor.
    Recurrence(const Decimal& dividend, const Decimal& divisor, bool fraction, DigitSet set)
        : set_(set), longer_(std::size_t(std::max(lengthOf(dividend), lengthOf(divisor)))),
          place_(kPadding + longer_ - divisor.digits.size()), divisor_(aligned(divisor, place_)),
          remainder_(aligned(dividend, kPadding + longer_ - dividend.digits.size() - std::size_t(fraction))),
          next_(divisor_.size()), leading_(leadingOf(divisor_, 0))
    {
    }

    // Returns a digit: remainder / divisor by their leading places, rounded to the nearest.  Subtracts the digit times
    // the divisor from the remainder.  With `shift`, first multiplies the remainder by 10.
    int divide(bool shift)
    {
        const std::int64_t leading = leadingOf(remainder_, shift);
        const std::int64_t half = leading < 0 ? -leading_ / 2 : leading_ / 2;
        const int digit = int((leading + half) / leading_);
        assert(set_.holds(digit));
        subtract(digit, shift);
        return digit;
    }

    // Return the sign of 2 |w| - d, and the sign of w.
    int compareTwice() const
    {
        const SignedDigits w = number(remainder_);
        const SignedDigits size = compute::sign(w) < 0 ? negated(w) : w;
        return compare(add(size, size), number(divisor_));
    }
    int sign() const { return compute::sign(number(remainder_)); }
    void subtract(int times) { subtract(times, false); }

    // Returns w, in units of the divisor's last place.
    Decimal remainder() const { return decimal(number(remainder_)); }
    std::uint64_t additions() const { return additions_; }

private:
    static constexpr std::size_t kPadding = 6, kSpare = 3;  // places below the operands, and above them
    static constexpr std::size_t kEstimated = 5;            // places of an estimate, from the highest digit down

    Row aligned(const Decimal& number, std::size_t place) const
    {
        Row row(kPadding + longer_ + kSpare);
        std::ranges::copy(signedDigits({number.digits, 0, false}, set_).digits, row.begin() + std::ptrdiff_t(place));
        return row;
    }

    SignedDigits number(const Row& row) const { return {set_, row, -std::int64_t(place_)}; }

    // Returns the value of the leading places, as an integer.  In its unit, the digits left out are worth less than 0.8
    // and the divisor is at least 10^4.  The error is thus below 1e-4 of the divisor.
    std::int64_t leadingOf(const Row& row, bool shift) const
    {
        const std::size_t low = kPadding + longer_ - kEstimated;
        std::int64_t value = 0;
        for (std::size_t i = row.size(); i-- > low;)
            value = 10 * value + row[i - shift];
        return value;
    }

    void subtract(int times, bool shift)
    {
        // Digits are at most 7 and `times` at most 5 in size.  Sums are thus at most 7 + 7 * 5 in size, transfers 4,
        // and the digits that follow 9.
        constexpr int kBias = 45;
        const std::size_t size = remainder_.size();
        int carried = 0;
        for (std::size_t i = 0; i < size; ++i)
        {
            const int digit = shift ? (i > 0 ? remainder_[i - 1] : 0) : remainder_[i];
            const int sum = digit - times * divisor_[i], transfer = (sum + kBias) / 10 - 4;
            next_[i] = SignedDigit(sum - 10 * transfer + carried);
            carried = transfer;
        }
        assert(carried == 0);
        carried = 0;
        for (std::size_t i = 0; i < size; ++i)
        {
            const int transfer = set_.transfer(next_[i]);
            remainder_[i] = SignedDigit(next_[i] - 10 * transfer + carried);
            carried = transfer;
        }
        assert(carried == 0);
        additions_ += times == 0 ? 0 : 2;
    }

    const DigitSet set_;
    const std::size_t longer_, place_;  // place_: that of the divisor's lowest digit
    const Row divisor_;
    Row remainder_, next_;
    const std::int64_t leading_;
    std::uint64_t additions_ = 0;
};

// Sets an integer to the digits of a number times 10^zeros.
void setInteger(GmpNumber& to, const Decimal& number, std::int64_t zeros)
{
    GmpNumber power;
    to.setDigits(number.digits);
    mpz_ui_pow_ui(power, 10, static_cast<unsigned long>(zeros));
    mpz_mul(to, to, power);
}

// Divides the digits of a, times 10^zeros, by those of b, as integers.  The quotient is rounded to the nearest integer,
// ties to even, as by divideByRecurrence().
void divideByGmp(const Decimal& a, const Decimal& b, std::int64_t zeros, DecimalQuotient& found)
{
    GmpNumber dividend, divisor, quotient, remainder, twice;
    setInteger(dividend, a, std::max<std::int64_t>(zeros, 0));
    setInteger(divisor, b, std::max<std::int64_t>(-zeros, 0));
    mpz_tdiv_qr(quotient, remainder, dividend, divisor);
    mpz_mul_2exp(twice, remainder, 1);
    const int order = mpz_cmp(mpz_srcptr(twice), mpz_srcptr(divisor));
    if (order > 0 || (order == 0 && mpz_odd_p(mpz_srcptr(quotient)) != 0))
    {
        mpz_add_ui(quotient, quotient, 1);
        mpz_sub(remainder, remainder, divisor);
    }
    found.quotient = decimalOf(quotient, 0);
    found.remainder = decimalOf(remainder, -std::max<std::int64_t>(zeros, 0));
}

void divideByRecurrence(const Decimal& a, const Decimal& b, bool fraction, std::int64_t digits, DigitSet set,
                        DecimalQuotient& found, const std::stop_token& stop)
{
    Recurrence recurrence(a, b, fraction, set);
    Row quotient(std::size_t(digits) + 1);
    for (std::size_t i = quotient.size(); i-- > 0 && !stop.stop_requested();)
        quotient[i] = SignedDigit(recurrence.divide(i + 1 < quotient.size()));
    const int order = recurrence.compareTwice(), sign = recurrence.sign();
    SignedDigits number = {set, std::move(quotient), 0};
    if (order > 0 || (order == 0 && number.digits[0] % 2 != 0))  // digits[0] has the parity of the number
    {
        recurrence.subtract(sign);
        number = add(number, signedDigits(Decimal{{1}, 0, sign < 0}, set));
    }
    found.quotient = decimal(number);
    found.remainder = recurrence.remainder();
    found.additions = found.synchronisations = recurrence.additions();
}

}  // namespace

std::string_view nameOf(QuotientAlgorithm algorithm)
{
    return algorithm == QuotientAlgorithm::kRecurrence ? "recurrence" : "gmp";
}

DecimalQuotient quotient(const DecimalView& a, const DecimalView& b, std::int64_t digits, QuotientAlgorithm algorithm,
                         DigitSet set, const std::stop_token& stop)
{
    assert(digits >= 1);
    const Decimal dividend = magnitudeOf(a), divisor = magnitudeOf(b);
    assert(!divisor.digits.empty());
    DecimalQuotient found;
    if (dividend.digits.empty()) return found;
    // A power of ten brings dividend / divisor into [0.1, 1).  The quotient's digits are those of this ratio.
    const bool fraction = leadsAtLeast(dividend, divisor);
    const std::int64_t zeros = digits - fraction - lengthOf(dividend) + lengthOf(divisor);
    const std::int64_t exponent = dividend.exponent - divisor.exponent - zeros;
    if (algorithm == QuotientAlgorithm::kRecurrence)
        divideByRecurrence(dividend, divisor, fraction, digits, set, found, stop);
    else
        divideByGmp(dividend, divisor, zeros, found);
    found.remainder.exponent +=
        algorithm == QuotientAlgorithm::kRecurrence ? exponent + divisor.exponent : dividend.exponent;
    found.quotient.exponent += exponent;
    found.quotient = canonical(std::move(found.quotient));
    found.remainder = canonical(std::move(found.remainder));
    found.quotient.negative = found.quotient.negative != (a.negative != b.negative);
    if (!found.remainder.digits.empty()) found.remainder.negative = found.remainder.negative != a.negative;
    return found;
}

bool isQuotient(const DecimalQuotient& found, const DecimalView& a, const DecimalView& b, std::int64_t digits,
                const std::stop_token& stop)
{
    const Decimal one = {{1}, 0, false},
                  dividend = canonical({{a.digits.begin(), a.digits.end()}, a.exponent, a.negative});
    DecimalList x, y;
    x.add(found.quotient), x.add(found.remainder);
    y.add(b), y.add(one);
    const std::vector<FactorRows> rows = alignedFactors(x, y, stop);
    if (CpuDecimals(DotAlgorithm::kProduct, rows, {}, stop).run(stop) != dividend) return false;
    const Decimal& q = found.quotient;
    if (q.digits.empty()) return dividend.digits.empty() && found.remainder.digits.empty();
    if (lengthOf(q) > digits) return false;
    // |remainder / b| is at most half a unit of the quotient's last place.  For |a / b| just below a
    // power of ten, that unit is a tenth of the unit for the power itself.
    const std::int64_t unit = q.exponent + lengthOf(q) - digits;
    const SignedDigits divisor = signedDigits(DecimalView{b.digits, b.exponent + unit, false});
    const SignedDigits size = signedDigits(DecimalView{found.remainder.digits, found.remainder.exponent, false});
    const int order = compare(add(size, size), divisor);
    const bool even = q.exponent > unit || q.digits[0] % 2 == 0;
    const bool power = lengthOf(q) == 1 && q.digits[0] == 1;
    const bool below = !found.remainder.digits.empty() && found.remainder.negative != a.negative;  // |a / b| < |q|
    if (power && below)
    {
        const SignedDigits tenth = signedDigits(DecimalView{b.digits, b.exponent + unit - 1, false});
        return compare(add(size, size), tenth) <= 0;
    }
    return order < 0 || (order == 0 && even);
}

}  // namespace orogen::compute
