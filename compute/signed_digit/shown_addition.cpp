#include "compute/signed_digit/shown_addition.h"

#include <algorithm>
#include <utility>

namespace orogen::compute {
namespace {

using Row = std::vector<SignedDigit>;

constexpr std::size_t kDigitsAbove = 3;  // places above both numbers: for a column sum's second digit, and carries

// Returns a row of `width` places with the digits of a number, the lowest one at index `place`.  Negates them if
// `negative`.
template <class Digits>
Row aligned(const Digits& digits, std::int64_t place, bool negative, std::size_t width)
{
    Row row(width);
    for (std::size_t i = 0; i < digits.size(); ++i)
        row[std::size_t(place) + i] = SignedDigit(negative ? -int(digits[i]) : int(digits[i]));
    return row;
}

AdditionStep step(const Row& sum, const Row& addend, DigitSet set)
{
    AdditionStep step{addend, Row(sum.size()), Row(sum.size()), Row(sum.size())};
    for (std::size_t i = 0; i < sum.size(); ++i)
    {
        const int s = sum[i] + addend[i];
        step.transfers[i] = SignedDigit(set.transfer(s));
        step.interim[i] = SignedDigit(s - 10 * step.transfers[i]);
        step.result[i] = SignedDigit(step.interim[i] + (i > 0 ? step.transfers[i - 1] : 0));
    }
    return step;
}

// Returns a row with digit number `digit` (0 or 1) of each column's sum, at its place.  If `only` is not negative,
// columns other than `only` count as 0.
Row rowOf(std::span<const std::int64_t> columns, int digit, std::size_t width, std::ptrdiff_t only = -1)
{
    Row row(width);
    for (std::size_t i = 0; i < columns.size(); ++i)
    {
        if (only >= 0 && i != std::size_t(only)) continue;
        const std::int64_t sum = digit == 0 ? columns[i] : columns[i] / 10;  // at most 18 in size
        if (i + std::size_t(digit) < width) row[i + std::size_t(digit)] = SignedDigit(sum % 10);
    }
    return row;
}

Row sumOf(const Row& a, const Row& b)
{
    Row sum(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        sum[i] = SignedDigit(a[i] + b[i]);
    return sum;
}

// Returns whether the second method has a row for a place.  It has one for each place that an element of `bands`
// covers.
bool reaches(std::span<const DigitRows> bands, std::int64_t place)
{
    return std::ranges::any_of(bands, [place](const DigitRows& band) {
        return place >= band.exponent && place < band.exponent + std::int64_t(band.width);
    });
}

// Converts digits -9 ... 9 into the set, in as many places.
Row inSet(const Row& digits, DigitSet set)
{
    Row row = intoSet(digits, set);
    row.resize(digits.size());
    return row;
}

}  // namespace

ShownAddition shownAddition(const DecimalView& a, const DecimalView& b, DigitSet set, SumAlgorithm algorithm)
{
    ShownAddition shown{signedDigits(a, set), signedDigits(b, set), {}, {}, 0, {}, {}};
    const auto endOf = [](const DecimalView& x) { return x.exponent + std::int64_t(x.digits.size()); };
    const DecimalView& lower = a.digits.empty() || (!b.digits.empty() && b.exponent < a.exponent) ? b : a;
    const DecimalView& higher = a.digits.empty() || (!b.digits.empty() && endOf(b) > endOf(a)) ? b : a;
    const std::int64_t low = lower.exponent, high = endOf(higher);
    const std::size_t columns = std::size_t(high - low), width = columns + kDigitsAbove;
    shown.exponent = low;
    std::vector<Row> rows;
    if (algorithm == SumAlgorithm::kFirst)
        rows = {aligned(shown.first.digits, a.exponent - low, false, width),
                aligned(shown.second.digits, b.exponent - low, false, width)};
    else
    {
        const Row x = aligned(a.digits, a.exponent - low, a.negative, width),
                  y = aligned(b.digits, b.exponent - low, b.negative, width);
        for (std::size_t i = 0; i < columns; ++i)
            shown.columns.push_back(x[i] + y[i]);
        const int digits = digitsOfLargest(shown.columns);
        DecimalList both;
        both.add(a);
        both.add(b);
        const std::vector<DigitRows> bands = alignedRows(both);
        if (algorithm == SumAlgorithm::kRegrouped)
            for (int digit = 0; digit < digits; ++digit)
                rows.push_back(inSet(rowOf(shown.columns, digit, width), set));
        else
            for (std::size_t i = 0; i < columns; ++i)
                if (reaches(bands, low + std::int64_t(i)))
                    rows.push_back(inSet(sumOf(rowOf(shown.columns, 0, width, std::ptrdiff_t(i)),
                                               rowOf(shown.columns, 1, width, std::ptrdiff_t(i))),
                                         set));
    }
    Row sum = rows.empty() ? Row(width) : rows.front();
    shown.start = sum;
    for (std::size_t i = 1; i < rows.size(); ++i)
    {
        shown.steps.push_back(step(sum, rows[i], set));
        sum = shown.steps.back().result;
    }
    while (!sum.empty() && sum.back() == 0)
        sum.pop_back();
    shown.sum = {set, std::move(sum), low};
    return shown;
}

}  // namespace orogen::compute
