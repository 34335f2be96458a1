// Pieces of text: blanks around it, its words, the numbers it spells.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orogen {

inline constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text);  // without the blanks around it

// The next word of `rest`, which becomes what follows it, trimmed.
std::string_view takeWord(std::string_view& rest);

// The number that is the whole of `text`, as std::from_chars reads it: no blanks, no sign '+'; a real number may be
// infinite or NaN.  Empty where `text` is anything else, or is out of the range of Number.
template <class Number>
std::optional<Number> numberIn(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

// The same within [lowest, highest], which NaN is not.
template <class Number>
std::optional<Number> numberIn(std::string_view text, double lowest, double highest)
{
    const std::optional<Number> value = numberIn<Number>(text);
    return value && double(*value) >= lowest && double(*value) <= highest ? value : std::nullopt;
}

// The real number that `text` begins with, after blanks and signs '+'; whatever follows it.
std::optional<double> leadingNumber(std::string_view text);

// Fixed-point text with `decimals` (at least 0) digits behind the point.  A number that rounds to zero has no sign:
// "0.0".
std::string fixedText(double number, int decimals);

// With a comma before every third digit: "12,345", "-12,345.7"; otherwise as fixedText().
std::string grouped(std::uint64_t number);
std::string grouped(double number, int decimals);

}  // namespace orogen
