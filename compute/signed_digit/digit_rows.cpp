// Numbers with distant exponents go to separate sets of rows (bands). A single set from the smallest exponent to the
// largest would be mostly zeros.
#include "compute/signed_digit/digit_rows.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <map>
#include <tuple>

namespace orogen::compute {
namespace {

// Key of the numbers of one band: they have one sign and similar lengths, and their lowest digits lie in one stretch of
// `length` places.
struct Place
{
    // Numbers of digits, rounded up to powers of two; `otherLength`: those of the second factor, 0 in sums.
    std::size_t length = 0, otherLength = 0;
    std::int64_t stretch = 0;  // number of the stretch, which begins at the place stretch * length
    bool negative = false;

    auto operator<=>(const Place&) const = default;
};

std::size_t lengthClass(std::size_t digits) { return std::bit_ceil(std::max<std::size_t>(16, digits)); }

std::int64_t stretchOf(std::int64_t exponent, std::size_t length)
{
    const auto places = std::int64_t(length);
    return exponent >= 0 ? exponent / places : -((places - 1 - exponent) / places);
}

// Size of the rows of one Place, found before the rows are filled.
struct Extent
{
    std::size_t count = 0, otherWidth = 0;
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();

    void take(std::size_t digits, std::size_t otherDigits, std::int64_t exponent)
    {
        ++count;
        otherWidth = std::max(otherWidth, otherDigits);
        low = std::min(low, exponent);
        high = std::max(high, exponent + std::int64_t(digits));
    }
};

DigitRows emptyRows(std::size_t count, std::size_t width, std::int64_t exponent, bool negative,
                    const std::stop_token& stop)
{
    return {count, width, exponent, negative, RowBuffer<Digit>(count * width, stop)};
}

std::size_t even(std::size_t width) { return width + width % 2; }

// Map that remembers the entry last used, since most numbers have the Place of the number before.
template <class Value>
class PlaceMap
{
public:
    Value& operator[](const Place& place)
    {
        if (last_ && last_->first == place) return last_->second;
        return (last_ = &*values_.try_emplace(place).first)->second;
    }
    std::map<Place, Value>& values() { return values_; }

private:
    std::map<Place, Value> values_;
    typename std::map<Place, Value>::value_type* last_ = nullptr;
};

void fill(DigitRows& rows, std::size_t row, std::size_t place, std::span<const Digit> digits)
{
    std::ranges::copy(digits, rows.digits.data() + row * rows.width + place);
}

Place placeOf(const DecimalView& x, std::size_t otherLength, std::int64_t exponent, bool negative)
{
    const std::size_t length = lengthClass(x.digits.size());
    return {length, otherLength, stretchOf(exponent, length), negative};
}

// Pair of factors in the order in which rows store them.
struct Pair
{
    DecimalView x, y;
    std::int64_t exponent;  // exponent of the product
    Place place;
};

// Makes the factor with more digits the first. Shifts of the first factor align all products; for the longer factor,
// they add relatively few digits.
Pair pairOf(const DecimalView& a, const DecimalView& b)
{
    const bool swapped = a.digits.size() < b.digits.size();
    const DecimalView &x = swapped ? b : a, &y = swapped ? a : b;
    const std::int64_t exponent = x.exponent + y.exponent;
    return {x, y, exponent, placeOf(x, lengthClass(y.digits.size()), exponent, x.negative != y.negative)};
}

// Returns whether to stop. Checks every kNumbersBetweenLooks numbers, and at each number of kLong digits or more.
bool stopAt(std::size_t i, const DecimalView& number, const std::stop_token& stop)
{
    constexpr std::size_t kLong = 4096;
    return (i % kNumbersBetweenLooks == 0 || number.digits.size() >= kLong) && stop.stop_requested();
}

DigitRows randomRows(std::uint64_t count, std::uint64_t digits, std::uint64_t seed)
{
    const std::size_t size = count * digits;
    DigitRows rows{count, digits, 0, false, RowBuffer<Digit>(size)};
    const DecimalList one = makeDecimals({1, size, 0, seed});
    std::ranges::copy(one[0].digits, rows.digits.data());
    return rows;
}

}  // namespace

std::vector<DigitRows> alignedRows(const DecimalList& numbers, const std::stop_token& stop)
{
    PlaceMap<Extent> extents;
    const auto placeIn = [&](const DecimalView& n) { return placeOf(n, 0, n.exponent, n.negative); };
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        if (stopAt(i, numbers[i], stop)) return {};
        if (const DecimalView n = numbers[i]; !n.digits.empty())
            extents[placeIn(n)].take(n.digits.size(), 0, n.exponent);
    }
    std::vector<DigitRows> bands;
    PlaceMap<std::pair<std::size_t, std::size_t>> next;  // index of the band, and its next free row
    for (const auto& [place, extent] : extents.values())
    {
        next[place] = {bands.size(), 0};
        bands.push_back(
            emptyRows(extent.count, std::size_t(extent.high - extent.low), extent.low, place.negative, stop));
    }
    for (std::size_t i = 0; i < numbers.size(); ++i)
    {
        if (stopAt(i, numbers[i], stop)) return {};
        const DecimalView n = numbers[i];
        if (n.digits.empty()) continue;
        auto& [band, row] = next[placeIn(n)];
        fill(bands[band], row++, std::size_t(n.exponent - bands[band].exponent), n.digits);
    }
    return bands;
}

std::vector<FactorRows> alignedFactors(const DecimalList& x, const DecimalList& y, const std::stop_token& stop)
{
    assert(x.size() == y.size());
    PlaceMap<Extent> extents;
    const auto isZero = [&](std::size_t i) { return x[i].digits.empty() || y[i].digits.empty(); };
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        if (stopAt(i, x[i], stop)) return {};
        if (isZero(i)) continue;
        const Pair pair = pairOf(x[i], y[i]);
        extents[pair.place].take(pair.x.digits.size(), pair.y.digits.size(), pair.exponent);
    }
    std::vector<FactorRows> bands;
    PlaceMap<std::pair<std::size_t, std::size_t>> next;
    for (const auto& [place, extent] : extents.values())
    {
        next[place] = {bands.size(), 0};
        bands.push_back(
            {emptyRows(extent.count, even(std::size_t(extent.high - extent.low)), extent.low, place.negative, stop),
             emptyRows(extent.count, even(extent.otherWidth), 0, false, stop),
             std::size_t(extent.high - extent.low) % 2 + extent.otherWidth % 2});
    }
    for (std::size_t i = 0; i < x.size(); ++i)
    {
        if (stopAt(i, x[i], stop)) return {};
        if (isZero(i)) continue;
        const Pair pair = pairOf(x[i], y[i]);
        auto& [band, row] = next[pair.place];
        FactorRows& rows = bands[band];
        fill(rows.x, row, std::size_t(pair.exponent - rows.x.exponent), pair.x.digits);
        fill(rows.y, row++, 0, pair.y.digits);
    }
    return bands;
}

std::vector<DigitRows> randomSum(std::uint64_t count, std::uint64_t digits)
{
    std::vector<DigitRows> rows;
    rows.push_back(randomRows(count, digits, 1));
    return rows;
}

std::vector<FactorRows> randomDot(std::uint64_t count, std::uint64_t digits)
{
    std::vector<FactorRows> rows;
    rows.push_back({randomRows(count, digits, 1), randomRows(count, digits, 2)});
    return rows;
}

}  // namespace orogen::compute
