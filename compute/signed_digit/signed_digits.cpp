// The redundant format as paper 000 defines it: a reference, not the fast path.  ColumnTotal is the exception: fast
// summations use it, too.
#include "compute/signed_digit/signed_digits.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdlib>

#include <fmt/format.h>

#include "compute/multiword/limbs.h"

namespace orogen::compute {
namespace {

// Adds the places [0, sum.size()). Finds all transfers of a block first, so that the loops have no dependency chain.
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

// Returns the digits of `number` in `width` places from `exponent` on, which is at most number.exponent.
std::vector<SignedDigit> aligned(const SignedDigits& number, std::int64_t exponent, std::size_t width)
{
    std::vector<SignedDigit> digits(width);
    std::ranges::copy(number.digits, digits.begin() + (number.exponent - exponent));
    return digits;
}

std::size_t topDigit(std::span<const SignedDigit> digits)  // number of places up to the highest digit that is not 0
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

// Sets bit i + shift for each digit i with the property; the result has at least one bit more than digits.
std::vector<Limb> bitsWhere(std::span<const SignedDigit> digits, bool (*property)(SignedDigit), unsigned shift)
{
    std::vector<Limb> bits(digits.size() / kLimbBits + 1);
    for (std::size_t i = 0; i + shift < bits.size() * kLimbBits && i < digits.size(); ++i)
        bits[(i + shift) / kLimbBits] |= Limb(property(digits[i])) << (i + shift) % kLimbBits;
    return bits;
}

// Converts a number that is not negative, as erratum 9 (signed_digits.h) states.
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
    // Above the addend, a digit passes a transfer on only if it is at the threshold.
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

// ---- columns that become one number; negative sums are carried twice, as the first pass finds the sign ----

namespace {

constexpr std::size_t kBetweenLooks = std::size_t(1) << 20;  // columns between two stop checks

// Writes the digits of sign * sum_i columns[i] 10^i and returns the carry out, which is >= 0 if that number is.
std::int64_t carry(std::span<const std::int64_t> columns, int sign, std::vector<Digit>& digits,
                   const std::stop_token& stop)
{
    std::int64_t carry = 0;
    digits.clear();
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        if (i % kBetweenLooks == kBetweenLooks - 1 && stop.stop_requested()) break;
        const std::int64_t sum = sign * columns[i] + carry;
        const auto digit = int((sum % 10 + 10) % 10);
        digits.push_back(Digit(digit));
        carry = (sum - digit) / 10;
    }
    return carry;
}

}  // namespace

ColumnTotal::ColumnTotal(std::int64_t low, std::int64_t high, const std::stop_token& stop) : exponent_(low)
{
    const auto size = std::size_t(high - low);
    columns_.reserve(size);
    while (columns_.size() < size && !stop.stop_requested())
        columns_.resize(std::min(size, columns_.size() + kBetweenLooks));
}

void ColumnTotal::reach(std::size_t begin, std::size_t count)
{
    const ColumnRun run = {begin, begin + count};
    if (added_.empty() || added_.back() != run) added_.push_back(run);
}

std::vector<ColumnRun> ColumnTotal::reached() const
{
    std::vector<ColumnRun> runs = added_, merged;
    std::ranges::sort(runs, {}, &ColumnRun::begin);
    for (const ColumnRun& run : runs)
        if (merged.empty() || run.begin > merged.back().end)
            merged.push_back(run);
        else
            merged.back().end = std::max(merged.back().end, run.end);
    return merged;
}

Decimal ColumnTotal::number(const std::stop_token& stop) const
{
    Decimal number{{}, exponent_, false};
    std::int64_t rest = carry(columns_, 1, number.digits, stop);
    if (rest < 0)
    {
        number.negative = true;
        rest = carry(columns_, -1, number.digits, stop);
    }
    if (stop.stop_requested()) return {};
    for (; rest > 0; rest /= 10)
        number.digits.push_back(Digit(rest % 10));
    return canonical(std::move(number));
}

// ---- numbers of bounded length ----

namespace {

int digitsOf(unsigned __int128 number)
{
    int digits = 1;
    while (number /= 10)
        ++digits;
    return digits;
}

}  // namespace

std::string_view textOf(FormatFit fit)
{
    constexpr std::string_view texts[] = {"fits", "overflow", "underflow", "inexact"};
    return texts[int(fit)];
}

FormatFit BoundedFormat::fit(const DecimalView& number) const
{
    const auto isDigit = [](Digit digit) { return digit != 0; };
    const auto lowest = std::ranges::find_if(number.digits, isDigit);
    if (lowest == number.digits.end()) return FormatFit::kFits;
    const auto highest = std::find_if(number.digits.rbegin(), number.digits.rend(), isDigit);
    const std::int64_t low = number.exponent + (lowest - number.digits.begin());
    const std::int64_t top = number.exponent + std::int64_t(number.digits.size()) - (highest - number.digits.rbegin());
    if (top > mantissaDigits + largestOrder) return FormatFit::kOverflow;
    if (top <= -largestOrder) return FormatFit::kUnderflow;
    const bool fine = low<-largestOrder, lengthy = top - std::min(low, largestOrder)> mantissaDigits;
    return fine || lengthy ? FormatFit::kInexact : FormatFit::kFits;
}

std::string BoundedFormat::largest() const { return fmt::format("(10^{} - 1) 10^{}", mantissaDigits, largestOrder); }
std::string BoundedFormat::smallest() const { return fmt::format("10^-{}", largestOrder); }

std::int64_t BoundedFormat::digitsOfSum(std::uint64_t n) const
{
    constexpr std::int64_t kInWord = 18;  // 10^18 times a 64-bit number fits in 128 bits
    if (mantissaDigits <= kInWord)
    {
        unsigned __int128 largest = 1;
        for (std::int64_t i = 0; i < mantissaDigits; ++i)
            largest *= 10;
        return digitsOf(n * (largest - 1)) + 2 * largestOrder;
    }
    // Assumes n <= 10^f.  Then n 10^f - n has as many digits as n 10^f, unless n is a power of ten.
    const int digits = digitsOf(n);
    std::uint64_t power = 1;
    for (int i = 1; i < digits; ++i)
        power *= 10;
    return digits - (n == power) + mantissaDigits + 2 * largestOrder;
}

}  // namespace orogen::compute
