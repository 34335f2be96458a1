// Decimal numbers of any length, exactly: a sign, digits, and a power of ten.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"

namespace orogen::compute {

using Digit = std::uint8_t;  // 0 ... 9

// Of an exponent as it is written; a point before it counts apart.
inline constexpr std::int64_t kLargestExponent = 1'000'000;

// +-K 10^exponent, the lowest digit of K first.  Any zeros at either end.
struct DecimalView
{
    std::span<const Digit> digits;
    std::int64_t exponent = 0;
    bool negative = false;
};

struct Decimal
{
    std::vector<Digit> digits;
    std::int64_t exponent = 0;
    bool negative = false;

    operator DecimalView() const { return {digits, exponent, negative}; }
    friend bool operator==(const Decimal&, const Decimal&) = default;
};

// The only form of a number without zeros at either end; 0 has no digit, no exponent and no sign.
Decimal canonical(Decimal number);

// "-12.5e-3": a sign, digits with a point among them, an exponent, of which all but one digit may be missing; nothing
// around it.  Error kInput, naming `where` and the character, counted from `column`.
Result<Decimal> parseDecimal(std::string_view text, const std::string& where, std::size_t column = 1);

// As a person would write it, exactly: with a point where at most 20 zeros have to be added beside the digits, else
// with an exponent.  parseDecimal reads it back unless that is beyond kLargestExponent.
std::string decimalText(const DecimalView& number);

// The value of a double, exactly; not of an infinity or a NaN.
Decimal decimalFromDouble(double value);

// The double nearest to what parseDecimal would read.  Error kInput where it is beyond the largest.
Result<double> nearestDouble(std::string_view text, const std::string& where, std::size_t column = 1);

}  // namespace orogen::compute
