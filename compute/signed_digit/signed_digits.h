// The paper's format [(a_1 ... a_n), t]: an integer of redundant decimal digits, times 10^t.  A carry moves one place
// at most, so that addition takes the same time for any length, one processor a digit.
//
// Paper 000 (Otsokov, Magomedov), sections II to IV.  Where it prints something else than what stands here:
//   1  Its rule, a transfer of 1 where x + y > 6, leaves the digits -6 ... 6: (3,6) + (3,1) would give a digit 7.  For
//      digits -a ... a the transfer is 1 where x + y >= t, for any 10 - a + 1 <= t <= a; the printed rule is that of
//      -7 ... 7.
//   2  u_i = x_i + y_i - 10 c_i, and the digit is u_i + c_(i-1), with c_(-1) = 0.
//   3  D + 1 digits suffice for ever while each partial sum is below 10^D in size: a leading digit at place p means
//   that
//      the value is above 10^p / 3 (for -7 ... 7, above 10^p 2/9).
//   4  With exponents -k ... k, n summands of f digits need floor(lg(n (10^f - 1) 10^(2k))) + 1 digits, and one more in
//      this form; not floor(lg n + f + k).
//   5  The largest number is (10^f - 1) 10^k, the smallest positive one 10^-k (its table I).
//   6  The sum of a column of k digits has floor(lg 9k) + 1 of them; three only for k <= 111.
//   7  Row j of the second method can be the j-th digit of every column: so many rows as a column sum has digits, and
//      one addition fewer, instead of d rows and d - 1 additions.
//   9  The way back: the sign is that of the leading digit; a negative number is negated; then digit i borrows where
//   b_i,
//      b = ((G << 1) + T) xor T with G_i = (digit < 0) and T_i = (digit = 0), and becomes (digit - b_i) mod 10.
// 8 stands in product.h, 10 and 11 in the tests and in fourier.h.
#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <vector>

#include "compute/signed_digit/decimal.h"

namespace orogen::compute {

using SignedDigit = std::int8_t;

// Digits -largest ... largest.
struct DigitSet
{
    int largest = 6;  // 6 or 7

    constexpr int threshold() const { return largest; }
    // What a place hands to the next one up, if its digits add up to `sum`.
    constexpr int transfer(int sum) const { return int(sum >= threshold()) - int(sum <= -threshold()); }
    constexpr bool holds(int digit) const { return digit >= -largest && digit <= largest; }
    friend bool operator==(const DigitSet&, const DigitSet&) = default;
};

struct SignedDigits
{
    DigitSet set;
    std::vector<SignedDigit> digits;  // the lowest first; any zeros at the top
    std::int64_t exponent = 0;
};

// Digits of the set from any in -9 ... 9, one place more of them: each place looks at itself and the one below.
std::vector<SignedDigit> intoSet(std::span<const SignedDigit> digits, DigitSet set);

SignedDigits signedDigits(const DecimalView& number, DigitSet set = {});
Decimal decimal(const SignedDigits& number);

// Operands of one set.
SignedDigits add(const SignedDigits& a, const SignedDigits& b);
SignedDigits subtract(const SignedDigits& a, const SignedDigits& b);
SignedDigits negated(SignedDigits number);
int sign(const SignedDigits& number);                       // -1, 0, 1
int compare(const SignedDigits& a, const SignedDigits& b);  // the sign of a - b

// By partial products (section VI), a column of them at a time, and the second method.
SignedDigits multiply(const SignedDigits& a, const SignedDigits& b);

// sum += addend 10^place, where `sum` has a digit to spare (3 above); returns the transfer out of it, which is then 0.
// Places above the addend's last but one keep their digit.
int addInto(std::span<SignedDigit> sum, std::span<const SignedDigit> addend, DigitSet set, std::size_t place = 0);

// The end of the second method: sums of columns, of any sign, become digits of one number.
struct ColumnNumber
{
    std::vector<SignedDigit> digits;
    std::uint64_t additions = 0;  // one after the other, each over all digits: what the paper synchronises
};

// Columns [begin, end) of a total.
struct ColumnRun
{
    std::size_t begin = 0, end = 0;
    friend bool operator==(const ColumnRun&, const ColumnRun&) = default;
};

// As printed: a row a column.  Columns outside `runs`, which ascend, are 0 and have no row.
ColumnNumber numberByColumns(std::span<const std::int64_t> sums, DigitSet set, std::span<const ColumnRun> runs);
ColumnNumber numberByColumns(std::span<const std::int64_t> sums, DigitSet set);
ColumnNumber numberByDigits(std::span<const std::int64_t> sums, DigitSet set);  // regrouped: a row a digit
int digitsOfLargest(std::span<const std::int64_t> sums);                        // L; of zeros: 1

}  // namespace orogen::compute
