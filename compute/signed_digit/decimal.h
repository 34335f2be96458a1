// Exact decimal numbers of any length: a sign, digits, and a power of ten. Lists of them, read from files and from the
// command line, or generated.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/memory.h"
#include "core/base/status.h"

namespace orogen::compute {

using Digit = std::uint8_t;  // 0 ... 9

// Largest exponent that text may have, of either sign; digits after a point shift the stored exponent further.
inline constexpr std::int64_t kLargestExponent = 1'000'000;

// Number +-K 10^exponent, lowest digit of K first. Zeros at either end are allowed.
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

// Returns the unique form without zeros at either end; 0 has no digit, no exponent and no sign.
Decimal canonical(Decimal number);

inline constexpr std::size_t kNumbersBetweenLooks =
    1024;  // numbers between two checks for a stop, in loops over a list

// Parses text such as "-12.5e-3": a sign, digits with a point among them, an exponent. Only one digit is required, and
// nothing may surround the number. Error kInput with `where` and the position of the character, counted from `column`.
Result<Decimal> parseDecimal(std::string_view text, const std::string& where, std::size_t column = 1);

// Returns the exact number as text: without an exponent if that needs at most 20 zeros behind the digits, or between
// the point and the digits. parseDecimal() reads this text back if the exponent in it is within kLargestExponent.
std::string decimalText(const DecimalView& number);

// Returns the exact value of a double, which must be finite.
Decimal decimalFromDouble(double value);

// Returns the double nearest to the number that parseDecimal() reads. Error kInput also if the number is too large.
Result<double> nearestDouble(std::string_view text, const std::string& where, std::size_t column = 1);

// ---- lists ----

// Decimal numbers of any count and length, stored contiguously.
class DecimalList
{
public:
    void add(const DecimalView& number)
    {
        std::ranges::copy(number.digits, add(number.digits.size(), number.exponent, number.negative).begin());
    }
    // Adds a number whose digits, lowest first, the caller then writes.
    std::span<Digit> add(std::size_t digits, std::int64_t exponent, bool negative)
    {
        if (entries_.size() == entries_.capacity()) grow(entries_, 1);
        entries_.push_back({digits_.size(), exponent * 2 + std::int64_t(negative)});
        if (digits > digits_.capacity() - digits_.size()) grow(digits_, digits);
        digits_.resize(digits_.size() + digits);
        return std::span(digits_).last(digits);
    }
    void reserve(std::size_t numbers, std::size_t digits)
    {
        if (numbers > entries_.size()) grow(entries_, numbers - entries_.size());
        if (digits > digits_.size()) grow(digits_, digits - digits_.size());
    }
    std::size_t size() const { return entries_.size(); }
    std::size_t digits() const { return digits_.size(); }  // total of all numbers
    std::uint64_t bytes() const { return digits_.size() + entries_.size() * sizeof(Entry); }
    DecimalView operator[](std::size_t i) const
    {
        const std::size_t end = i + 1 < entries_.size() ? entries_[i + 1].begin : digits_.size();
        const Entry& entry = entries_[i];
        return {std::span(digits_).subspan(entry.begin, end - entry.begin), entry.exponentAndSign >> 1,
                (entry.exponentAndSign & 1) != 0};
    }

private:
    struct Entry
    {
        std::size_t begin;
        std::int64_t exponentAndSign;  // twice the exponent, plus 1 if negative
    };

    // Makes room for `more` further elements, and at least for twice the present ones.
    template <class T>
    static void grow(std::vector<T>& list, std::size_t more)
    {
        reserveLarge(list, list.size() + std::max(more, list.size()));
    }

    std::vector<Digit> digits_;
    std::vector<Entry> entries_;
};

// Value that the text of a number stands for.
enum class DecimalMeaning
{
    kItself,
    kNearestDouble,  // the exact value of the nearest double
};

// Reads one number per line, at least one, from a file or, if `path` is "-", from standard input; '#' starts a comment.
// Errors: kInput (unreadable, no number, or a wrong line), kLimit (memory), kInterrupted. After a stop the result
// may instead be a list of only some of the numbers.
Result<DecimalList> readDecimals(const std::string& path, DecimalMeaning meaning, const std::stop_token& stop = {});

// Reads the numbers from text in the format of readDecimals(); errors call the file `name`. Returns some of the numbers
// after a stop.
Result<DecimalList> decimalsInText(std::string_view text, DecimalMeaning meaning, const std::string& name,
                                   const std::stop_token& stop = {});

// Complex numbers; both lists have one entry for each.
struct ComplexDecimals
{
    DecimalList real, imaginary;
};

// Like readDecimals(), but reads a real and an imaginary part per line, with blanks between them. An imaginary part
// that is left out is 0.
Result<ComplexDecimals> readComplexDecimals(const std::string& path, DecimalMeaning meaning,
                                            const std::stop_token& stop = {});

// Parses an operand of the command line: a number, or @FILE with one number. Errors call the operand `name`.
Result<DecimalList> decimalOperand(std::string_view operand, DecimalMeaning meaning, const std::string& name,
                                   const std::stop_token& stop = {});

// Parameters of generated numbers: `digits` digits, the highest not 0, of either sign, exponents from -spread to
// spread. Equal parameters give equal numbers.
struct RandomDecimals
{
    std::uint64_t count = 1, digits = 1;
    std::int64_t spread = 0;
    std::uint64_t seed = 1;
};
// Returns generated numbers; after a stop only some of them.
DecimalList makeDecimals(const RandomDecimals& numbers, const std::stop_token& stop = {});

}  // namespace orogen::compute
