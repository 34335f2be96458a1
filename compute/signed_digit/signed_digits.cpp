// The redundant format as the paper defines it, one digit after another: a definition first, not the fast path.
#include "compute/signed_digit/signed_digits.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "compute/multiword/limb_kernels.h"

namespace orogen::compute {
namespace {

// Places [0, sum.size()) of one addition; a block's transfers first, so that the loops have no chain through them.
int addBlock(std::span<SignedDigit> sum, const SignedDigit* addend, DigitSet set, int transfer)
{
    constexpr std::size_t kMost = 256;
    std::array<SignedDigit, kMost + 1> transfers;
    transfers[0] = SignedDigit(transfer);
    const int threshold = set.threshold();
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        const int s = sum[i] + addend[i];
        transfers[i + 1] = SignedDigit(int(s >= threshold) - int(s <= -threshold));
    }
    for (std::size_t i = 0; i < sum.size(); ++i)
        sum[i] = SignedDigit(sum[i] + addend[i] - 10 * transfers[i + 1] + transfers[i]);
    return transfers[sum.size()];
}

// The digits of `number` as if its exponent were `exponent`, which is not above, in `width` places.
std::vector<SignedDigit> aligned(const SignedDigits& number, std::int64_t exponent, std::size_t width)
{
    std::vector<SignedDigit> digits(width);
    std::ranges::copy(number.digits, digits.begin() + (number.exponent - exponent));
    return digits;
}

std::size_t topDigit(std::span<const SignedDigit> digits)  // places up to it; 0 of zero
{
    std::size_t size = digits.size();
    while (size > 0 && digits[size - 1] == 0)
        --size;
    return size;
}

SignedDigits trimmed(SignedDigits number)
{
    number.digits.resize(topDigit(number.digits));
    return number;
}

// Bit i % 64 of limb i / 64, one bit beyond the digits at least.
std::vector<Limb> bitsWhere(std::span<const SignedDigit> digits, bool (*property)(SignedDigit), unsigned shift)
{
    std::vector<Limb> bits(digits.size() / kLimbBits + 1);
    for (std::size_t i = 0; i + shift < bits.size() * kLimbBits && i < digits.size(); ++i)
        bits[(i + shift) / kLimbBits] |= Limb(property(digits[i])) << (i + shift) % kLimbBits;
    return bits;
}

// Not below zero.
std::vector<Digit> plainDigits(std::span<const SignedDigit> digits)
{
    std::vector<Limb> borrows = bitsWhere(
        digits, [](SignedDigit digit) { return digit < 0; }, 1);
    const std::vector<Limb> passes = bitsWhere(
        digits, [](SignedDigit digit) { return digit == 0; }, 0);
    addLimbs(borrows.data(), borrows.data(), passes.data(), borrows.size());
    std::vector<Digit> plain(digits.size());
    for (std::size_t i = 0; i < digits.size(); ++i)
    {
        const auto borrow = int((borrows[i / kLimbBits] ^ passes[i / kLimbBits]) >> i % kLimbBits & 1);
        const int digit = digits[i] - borrow;
        plain[i] = Digit(digit < 0 ? digit + 10 : digit);
    }
    return plain;
}

constexpr std::array<std::int64_t, 19> kPowers = [] {
    std::array<std::int64_t, 19> powers = {1};
    for (std::size_t i = 1; i < powers.size(); ++i)
        powers[i] = 10 * powers[i - 1];
    return powers;
}();

SignedDigit digitOf(std::int64_t sum, int place) { return SignedDigit(sum / kPowers[std::size_t(place)] % 10); }

}  // namespace

std::vector<SignedDigit> intoSet(std::span<const SignedDigit> digits, DigitSet set)
{
    std::vector<SignedDigit> out(digits.size() + 1);
    for (std::size_t i = 0; i < digits.size(); ++i)
    {
        const int transfer = set.transfer(digits[i]);
        out[i] = SignedDigit(out[i] + digits[i] - 10 * transfer);
        out[i + 1] = SignedDigit(transfer);
    }
    return out;
}

SignedDigits signedDigits(const DecimalView& number, DigitSet set)
{
    std::vector<SignedDigit> digits(number.digits.size());
    for (std::size_t i = 0; i < digits.size(); ++i)
        digits[i] = SignedDigit(number.negative ? -number.digits[i] : number.digits[i]);
    return trimmed({set, intoSet(digits, set), number.exponent});
}

Decimal decimal(const SignedDigits& number)
{
    const bool negative = sign(number) < 0;
    const SignedDigits positive = negative ? negated(number) : number;
    return canonical({plainDigits(positive.digits), number.exponent, negative});
}

int addInto(std::span<SignedDigit> sum, std::span<const SignedDigit> addend, DigitSet set, std::size_t place)
{
    constexpr std::size_t kBlock = 256;
    assert(place + addend.size() <= sum.size());
    int transfer = 0;
    for (std::size_t i = 0; i < addend.size(); i += kBlock)
        transfer =
            addBlock(sum.subspan(place + i, std::min(kBlock, addend.size() - i)), addend.data() + i, set, transfer);
    // Above the addend every digit is alone: it hands on nothing unless it stands at the threshold.
    for (std::size_t i = place + addend.size(); i < sum.size() && transfer != 0; ++i)
    {
        const int s = sum[i], out = set.transfer(s);
        sum[i] = SignedDigit(s - 10 * out + transfer);
        transfer = out;
    }
    return transfer;
}

SignedDigits add(const SignedDigits& a, const SignedDigits& b)
{
    assert(a.set == b.set);
    const std::int64_t exponent = std::min(a.exponent, b.exponent);
    const auto end = std::max(a.exponent + std::int64_t(a.digits.size()), b.exponent + std::int64_t(b.digits.size()));
    const auto width = std::size_t(end - exponent) + 1;
    SignedDigits sum = {a.set, aligned(a, exponent, width), exponent};
    const int out = addInto(sum.digits, aligned(b, exponent, width), a.set);
    assert(out == 0);
    (void)out;
    return trimmed(std::move(sum));
}

SignedDigits negated(SignedDigits number)
{
    for (SignedDigit& digit : number.digits)
        digit = SignedDigit(-digit);
    return number;
}

SignedDigits subtract(const SignedDigits& a, const SignedDigits& b) { return add(a, negated(b)); }

int sign(const SignedDigits& number)
{
    const std::size_t size = topDigit(number.digits);
    return size == 0 ? 0 : number.digits[size - 1] < 0 ? -1 : 1;
}

int compare(const SignedDigits& a, const SignedDigits& b) { return sign(subtract(a, b)); }

SignedDigits multiply(const SignedDigits& a, const SignedDigits& b)
{
    assert(a.set == b.set);
    std::vector<std::int64_t> columns(a.digits.size() + b.digits.size());
    for (std::size_t i = 0; i < a.digits.size(); ++i)
        for (std::size_t j = 0; j < b.digits.size(); ++j)
            columns[i + j] += a.digits[i] * b.digits[j];
    return trimmed({a.set, numberByDigits(columns, a.set).digits, a.exponent + b.exponent});
}

int digitsOfLargest(std::span<const std::int64_t> sums)
{
    std::int64_t largest = 0;
    for (const std::int64_t sum : sums)
        largest = std::max(largest, std::abs(sum));
    int digits = 1;
    while (digits < int(kPowers.size()) && largest >= kPowers[std::size_t(digits)])
        ++digits;
    return digits;
}

ColumnNumber numberByColumns(std::span<const std::int64_t> sums, DigitSet set, std::span<const ColumnRun> runs)
{
    const int rowDigits = digitsOfLargest(sums);
    ColumnNumber number{std::vector<SignedDigit>(sums.size() + std::size_t(rowDigits) + 2), 0};
    std::vector<SignedDigit> row(std::size_t(rowDigits), 0);
    std::uint64_t rows = 0;
    for (const ColumnRun& run : runs)
        for (std::size_t i = run.begin; i < run.end; ++i, ++rows)
        {
            for (int j = 0; j < rowDigits; ++j)
                row[std::size_t(j)] = digitOf(sums[i], j);
            addInto(number.digits, intoSet(row, set), set, i);
        }
    number.additions = rows - (rows > 0);
    return number;
}

ColumnNumber numberByColumns(std::span<const std::int64_t> sums, DigitSet set)
{
    const ColumnRun all[] = {{0, sums.size()}};
    return numberByColumns(sums, set, all);
}

ColumnNumber numberByDigits(std::span<const std::int64_t> sums, DigitSet set)
{
    const int rows = digitsOfLargest(sums);
    ColumnNumber number{std::vector<SignedDigit>(sums.size() + std::size_t(rows) + 2), 0};
    std::vector<SignedDigit> row(sums.size());
    for (int j = 0; j < rows; ++j)
    {
        for (std::size_t i = 0; i < sums.size(); ++i)
            row[i] = digitOf(sums[i], j);
        addInto(number.digits, intoSet(row, set), set, std::size_t(j));
        number.additions += j > 0;
    }
    return number;
}

}  // namespace orogen::compute
