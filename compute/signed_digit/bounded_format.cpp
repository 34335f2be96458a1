#include "compute/signed_digit/bounded_format.h"

#include <algorithm>

#include <fmt/format.h>

namespace orogen::compute {
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
    constexpr std::int64_t kInWord = 18;  // 10^18 times 64 bits fit in 128
    if (mantissaDigits <= kInWord)
    {
        unsigned __int128 largest = 1;
        for (std::int64_t i = 0; i < mantissaDigits; ++i)
            largest *= 10;
        return digitsOf(n * (largest - 1)) + 2 * largestOrder;
    }
    // n <= 10^f, so that n 10^f - n has as many digits as n 10^f unless n is a power of ten.
    const int digits = digitsOf(n);
    std::uint64_t power = 1;
    for (int i = 1; i < digits; ++i)
        power *= 10;
    return digits - (n == power) + mantissaDigits + 2 * largestOrder;
}

}  // namespace orogen::compute
