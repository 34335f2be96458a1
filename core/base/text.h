// Text helpers: trimming, splitting into words, numbers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orogen {

inline constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text);  // without the blanks around it

// Returns the next word of `rest` and sets `rest` to the trimmed remainder.
std::string_view takeWord(std::string_view& rest);

// Parses the whole of `text` as std::from_chars does: no blanks, no sign '+'; real numbers may be infinite or NaN.
// Returns nothing for other text or if out of the range of Number.
template <class Number>
std::optional<Number> numberIn(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

// Parses a number within [lowest, highest]; rejects NaN.
template <class Number>
std::optional<Number> numberIn(std::string_view text, double lowest, double highest)
{
    const std::optional<Number> value = numberIn<Number>(text);
    return value && double(*value) >= lowest && double(*value) <= highest ? value : std::nullopt;
}

// Parses the real number at the start of `text`, after blanks and '+'; ignores what follows.
std::optional<double> leadingNumber(std::string_view text);

// Formats fixed-point text with `decimals` (>= 0) digits after the point.  A number that rounds to zero has no sign:
// "0.0".
std::string fixedText(double number, int decimals);

// Formats as fixedText() with a comma before every third digit: "12,345", "-12,345.7".
std::string grouped(std::uint64_t number);
std::string grouped(double number, int decimals);

}  // namespace orogen
