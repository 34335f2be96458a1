// Format [(a_1 ... a_n), t] of paper 000: an integer of redundant decimal digits, times 10^t. A carry moves at most one
// place, so addition takes the same time for any length, with one processor per digit.
//
// Source: Otsokov, Magomedov, sections II to IV. lg is the decimal logarithm. Errata:
//   1  The printed rule, a transfer of 1 if x + y > 6, leaves the digits -6 ... 6: (3,6) + (3,1) would give a digit 7.
//      For digits -a ... a the transfer is 1 if x + y >= t, for any 10 - a + 1 <= t <= a. The printed rule is that of
//      -7 ... 7.
//   2  u_i = x_i + y_i - 10 c_i, and the digit is u_i + c_(i-1), with c_(-1) = 0.
//   3  D + 1 digits always suffice while each partial sum is below 10^D in size: a leading digit at place p means that
//      the value is above 10^p / 3 (for -7 ... 7, above 10^p 2/9).
//   4  With exponents -k ... k, n summands of f digits need floor(lg(n (10^f - 1) 10^(2k))) + 1 digits, and one more in
//      this form; not floor(lg n + f + k).
//   5  The largest number is (10^f - 1) 10^k, the smallest positive one 10^-k; not 10^(f + k), 10^-(f + k) (table I).
//   6  The sum of a column of k digits has floor(lg 9k) + 1 digits; three only for k <= 111.
//   7  The second method adds one row of digits per column sum. Row j can instead be the j-th digit of every sum:
//      as many rows as the largest sum has digits, instead of d rows for d columns.
//   9  Conversion back: the sign is that of the leading digit; a negative number is negated. Then digit i borrows if
//      b_i, b = ((G << 1) + T) xor T with G_i = (digit < 0) and T_i = (digit = 0), and becomes (digit - b_i) mod 10.
// Erratum 8 is in cpu_decimals.h, 11 in fourier.h, and 10 in the tests.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "compute/signed_digit/decimal.h"

namespace orogen::compute {

using SignedDigit = std::int8_t;

// Digits -largest ... largest.
struct DigitSet
{
    int largest = 6;  // 6 or 7

    constexpr int threshold() const { return largest; }
    // Returns the carry into the next higher place if the digits of a place add up to `sum`.
    constexpr int transfer(int sum) const { return int(sum >= threshold()) - int(sum <= -threshold()); }
    constexpr bool holds(int digit) const { return digit >= -largest && digit <= largest; }
    friend bool operator==(const DigitSet&, const DigitSet&) = default;
};

struct SignedDigits
{
    DigitSet set;
    std::vector<SignedDigit> digits;  // lowest first; zeros at the top are allowed
    std::int64_t exponent = 0;
};

// Converts digits in -9 ... 9 into the set, with one place more. Each place depends only on itself and the one below.
std::vector<SignedDigit> intoSet(std::span<const SignedDigit> digits, DigitSet set);

// Convert a number into the format, and back.
SignedDigits signedDigits(const DecimalView& number, DigitSet set = {});
Decimal decimal(const SignedDigits& number);

// Operands must have the same digit set.
SignedDigits add(const SignedDigits& a, const SignedDigits& b);
SignedDigits subtract(const SignedDigits& a, const SignedDigits& b);
SignedDigits negated(SignedDigits number);
int sign(const SignedDigits& number);                       // -1, 0, 1
int compare(const SignedDigits& a, const SignedDigits& b);  // sign of a - b

// Multiplies by column sums of partial products (section VI), which numberByDigits() turns into a number.
SignedDigits multiply(const SignedDigits& a, const SignedDigits& b);

// Computes sum += addend 10^place. Returns the transfer out of `sum`, which is 0 if `sum` has a spare digit (erratum
// 3). Above the addend, only places that its carry reaches change.
int addInto(std::span<SignedDigit> sum, std::span<const SignedDigit> addend, DigitSet set, std::size_t place = 0);

// ---- columns that become one number ----

// Result of the second method's last step, in which column sums of any sign become digits of one number.
struct ColumnNumber
{
    std::vector<SignedDigit> digits;
    std::uint64_t additions = 0;  // made one after another, each over all digits at once
};

// Columns [begin, end) of a ColumnTotal.
struct ColumnRun
{
    std::size_t begin = 0, end = 0;
    friend bool operator==(const ColumnRun&, const ColumnRun&) = default;
};

// Adds the column sums by the second method as printed, one row per column. Columns outside `runs`, which ascend, are 0
// and have no row. Without `runs`, every column has one.
ColumnNumber numberByColumns(std::span<const std::int64_t> sums, DigitSet set, std::span<const ColumnRun> runs);
ColumnNumber numberByColumns(std::span<const std::int64_t> sums, DigitSet set);
ColumnNumber numberByDigits(std::span<const std::int64_t> sums, DigitSet set);  // a row per digit (erratum 7)
int digitsOfLargest(std::span<const std::int64_t> sums);                        // digits of the largest sum; 1 for 0

// Columns of either sign, one per power of ten, to which CpuDecimals and the kernels' host code add column sums.
class ColumnTotal
{
public:
    ColumnTotal() = default;
    // Makes columns for 10^low up to 10^(high - 1). After a stop they and number() are undefined.
    ColumnTotal(std::int64_t low, std::int64_t high, const std::stop_token& stop = {});

    // Adds sums[i] 10^(exponent + i step), or subtracts it if `negative`.
    template <class T>
    void add(std::int64_t exponent, std::span<const T> sums, std::size_t step = 1, bool negative = false)
    {
        if (sums.empty()) return;
        std::int64_t* const to = columns_.data() + (exponent - exponent_);
        reach(std::size_t(exponent - exponent_), (sums.size() - 1) * step + 1);
        for (std::size_t i = 0; i < sums.size(); ++i)
            to[i * step] += negative ? -std::int64_t(sums[i]) : std::int64_t(sums[i]);
    }

    std::int64_t exponent() const { return exponent_; }
    std::span<const std::int64_t> columns() const { return columns_; }
    std::vector<ColumnRun> reached() const;  // columns that were added to, ascending, none adjacent

    Decimal number(const std::stop_token& stop = {}) const;  // by carries from the lowest column up

private:
    void reach(std::size_t begin, std::size_t count);

    std::int64_t exponent_ = 0;
    std::vector<std::int64_t> columns_;
    std::vector<ColumnRun> added_;  // one run per addition, unless equal to the previous one
};

// ---- numbers of bounded length ----

enum class FormatFit
{
    kFits,
    kOverflow,   // at least 10^(f + k) in size; f and k as in BoundedFormat
    kUnderflow,  // not 0, and smaller than the smallest positive number
    kInexact,    // neither, but with more or finer digits than K 10^t has
};
std::string_view textOf(FormatFit fit);  // "fits", "overflow", "underflow", "inexact"

// The paper's bounded format: numbers K 10^t with |K| <= 10^f - 1 and |t| <= k (its formula 6 with base 10).
struct BoundedFormat
{
    std::int64_t mantissaDigits = 1;  // f >= 1
    std::int64_t largestOrder = 0;    // k >= 0

    FormatFit fit(const DecimalView& number) const;

    // Return formulas, since the numbers themselves have up to f + k digits.
    std::string largest() const;   // "(10^3 - 1) 10^5"
    std::string smallest() const;  // "10^-5"

    // Returns how many digits K can have in a sum of n >= 1 numbers: floor(lg(n (10^f - 1) 10^(2k))) + 1 (erratum 4).
    // Signed digits take one more.
    std::int64_t digitsOfSum(std::uint64_t n) const;
};

}  // namespace orogen::compute
