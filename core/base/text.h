// Text helpers: trimming, words, numbers, edit distance, and sanitising for a terminal.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orogen {

inline constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view trimmed(std::string_view text);  // without the blanks around it

// Returns the text of a UTF-8 file without the byte order mark that some programs write before it.
std::string_view withoutByteOrderMark(std::string_view text);

// Returns the next word of `rest` and sets `rest` to the trimmed remainder.
std::string_view takeWord(std::string_view& rest);

// Parses the whole of `text` as std::from_chars does: no blanks, no sign '+'; real numbers may be infinite or NaN.
// Returns nothing for other text, or for a number out of the range of Number.
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

// Format with commas between groups of three digits, a double otherwise as fixedText(): "12,345", "-12,345.7".
std::string grouped(std::uint64_t number);
std::string grouped(double number, int decimals);

// Formats a number >= 0 with at most `digits` (>= 3) significant digits, and from 999.5 on as a whole number: "1.8",
// "45.6", "12,346".
std::string significant(double number, int digits);

// Returns a grouped number with its noun, which gets an "s" unless the number is 1: "1 run", "1,200 frames".
std::string counted(std::uint64_t number, std::string_view noun);

// ---- edit distance, for suggestions after a mistyped word ----

// Largest distance at which a word is suggested.
inline constexpr std::size_t kCloseWord = 4;

// Returns the Levenshtein distance: bytes to change, insert or delete to turn `a` into `b`.  O(|a| |b|).
std::size_t editDistance(std::string_view a, std::string_view b);

// ---- external text (file names, file contents, driver messages) for one line on a terminal ----

// Escapes control characters (C0, DEL and C1), line and paragraph separators, marks that change the direction of
// writing, and bytes that are not UTF-8.  Escapes look like \t, \n, \r, \x1b and \u202e.  Keeps all else, so that
// printable text is unchanged.
std::string printable(std::string_view text);

// Returns at most the first `bytes` bytes, made printable, without splitting a character.  The default suits a
// quotation in a one-line message.
std::string printableStart(std::string_view text, std::size_t bytes = 64);

}  // namespace orogen
