// A byte holds two digits with a sign, -99 to 99, so that a single matrix product adds terms of either sign.
#include "compute/signed_digit/kernels/twiddle_sums.h"

#include <algorithm>

#include "compute/signed_digit/kernels/products.h"
#include "compute/signed_digit/signed_digits.h"
#include "core/base/memory.h"

namespace orogen::compute {
namespace {

std::uint64_t pairsOf(std::int64_t digits) { return std::uint64_t(digits + 1) / 2; }

// Calls put(pair, value) for each digit of `number`. The caller adds the two values of a pair. Pair 0 begins at the
// place 10^low.
template <class Put>
void forPairs(const DecimalView& number, std::int64_t low, const Put& put)
{
    for (std::size_t i = 0; i < number.digits.size(); ++i)
    {
        const auto place = std::uint64_t(number.exponent - low) + i;
        const int value = (place % 2 == 0 ? 1 : 10) * number.digits[i];
        put(place / 2, number.negative ? -value : value);
    }
}

// Returns how many of n outputs keep their twiddle factors in memory at a time, with `vectors` vectors each.
std::uint64_t outputsAtATime(std::uint64_t vectors, std::uint64_t n)
{
    constexpr std::uint64_t kMostBytes = 16 << 20, kBytesOfVector = 16;
    return std::clamp<std::uint64_t>(kMostBytes / (kBytesOfVector * vectors), 1, n);
}

}  // namespace

struct TwiddleSums::Sizes
{
    std::int64_t exponent = 0;              // lowest exponent of the values
    std::uint64_t rows = 0, groups = 0;     // number of values, and of their groups of 16
    std::uint64_t xWidth = 0, columns = 0;  // pairs of digits per value, per sum
    std::uint64_t outputs = 0;              // outputs processed at a time
};

Status TwiddleSums::prepare(std::span<const Decimal> cosines, std::span<const Decimal> sines, int digits)
{
    const Clock::time_point start = Clock::now();
    n_ = cosines.size();
    exponent_ = -digits;
    width_ = pairsOf(digits + 1);
    std::vector<std::int8_t> table(2 * n_ * width_);
    std::uint64_t number = 0;
    for (const std::span<const Decimal> part : {cosines, sines})
        for (const Decimal& twiddle : part)
        {
            std::int8_t* const to = table.data() + number++ * width_;
            forPairs(twiddle, exponent_,
                     [=](std::uint64_t pair, int value) { to[pair] = std::int8_t(to[pair] + value); });
        }
    times_.packMs += millisecondsSince(start);
    return upload(table_, table.data(), table.size());
}

Status TwiddleSums::uploadValues(TargetMemory& memory, const DecimalList& values, const Sizes& sizes)
{
    const Clock::time_point start = Clock::now();
    const std::size_t bytes = sizes.groups * sizes.xWidth * kRowsInVector;
    if (Status status = checkMemory("coordinates", bytes); !status) return status;
    std::vector<std::int8_t> packed(bytes);
    for (std::size_t row = 0; row < values.size(); ++row)
    {
        if (stopped()) return cancelled();
        std::int8_t* const to =
            packed.data() + row / kRowsInVector * sizes.xWidth * kRowsInVector + row % kRowsInVector;
        forPairs(values[row], sizes.exponent, [=](std::uint64_t pair, int value) {
            to[pair * kRowsInVector] = std::int8_t(to[pair * kRowsInVector] + value);
        });
    }
    times_.packMs += millisecondsSince(start);
    return upload(memory, packed.data(), packed.size());
}

Status TwiddleSums::multiply(const TargetMemory& values, TargetMemory& sums, TwiddlePart part, const Sizes& sizes)
{
    const std::uint64_t ofOutput = sizes.groups * width_;  // vectors of twiddle factors
    const Result<unsigned> resident = target_.residentBlocks(multiplyTilesKernel(), productThreads(sizes.groups));
    if (!resident) return resident.error();
    TargetMemory factor;
    if (Status status = allocate(factor, sizes.outputs * ofOutput * sizeof(Bytes16)); !status) return status;
    for (std::uint64_t first = 0; first < n_; first += sizes.outputs)
    {
        const std::uint64_t outputs = std::min(sizes.outputs, n_ - first);
        const TwiddlesArguments twiddles = {table_.as<std::int8_t>(),    n_,           width_, sizes.rows,
                                            part == TwiddlePart::kSines, sizes.groups, first,  outputs,
                                            factor.as<std::uint32_t>()};
        const unsigned blocks = unsigned(dividedUp(outputs * ofOutput, kTwiddleThreads));
        const SteppedShape gather = {{{blocks}, {kTwiddleThreads}}, 1, 1, 1};  // a single step
        const Status gathered = launchSteps(gather, [&](std::uint64_t, std::uint64_t) {
            return launch(gatherTwiddlesKernel(), gather.shape, twiddles);
        });
        if (!gathered) return gathered;
        const ProductsShape shape = shapeOfProducts(sizes.groups, sizes.xWidth, width_, outputs, *resident);
        const Status multiplied = launchSteps(shape, [&](std::uint64_t unit, std::uint64_t units) {
            return launch(multiplyTilesKernel(), shape.shape,
                          ProductsArguments{values.as<std::uint32_t>(), factor.as<std::uint32_t>(), sizes.groups,
                                            sizes.xWidth, width_, shape.xTiles, shape.yTiles, shape.stretches, unit,
                                            units, ofOutput * kWordsOfVector, sizes.columns,
                                            sums.as<std::uint64_t>() + first * sizes.columns});
        });
        if (!multiplied) return multiplied;
    }
    return Status::ok();
}

Result<std::vector<Decimal>> TwiddleSums::numbers(const TargetMemory& sums, const Sizes& sizes)
{
    constexpr std::int64_t kSpareDigits = 21;
    std::vector<std::int64_t> columns(n_ * sizes.columns);
    if (Status status = download(columns, sums); !status) return status.error();
    const std::int64_t low = sizes.exponent + exponent_;
    std::vector<Decimal> numbers;
    for (std::uint64_t k = 0; k < n_; ++k)
    {
        if (stopped()) return cancelled();
        ColumnTotal total(low, low + 2 * std::int64_t(sizes.columns) + kSpareDigits);
        total.add(low, std::span<const std::int64_t>(columns).subspan(k * sizes.columns, sizes.columns), 2);
        numbers.push_back(total.number());
    }
    return numbers;
}

Result<std::vector<Decimal>> TwiddleSums::sums(const DecimalList& values, TwiddlePart part)
{
    Sizes sizes;
    bool any = false;
    std::int64_t high = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        const DecimalView value = values[i];
        if (value.digits.empty()) continue;
        const std::int64_t end = value.exponent + std::int64_t(value.digits.size());
        sizes.exponent = any ? std::min(sizes.exponent, value.exponent) : value.exponent;
        high = any ? std::max(high, end) : end;
        any = true;
    }
    if (!any) return std::vector<Decimal>(n_);
    sizes.rows = values.size();
    sizes.groups = groupsOfRows(sizes.rows);
    sizes.xWidth = pairsOf(high - sizes.exponent);
    sizes.columns = sizes.xWidth + width_;
    sizes.outputs = outputsAtATime(sizes.groups * width_, n_);
    TargetMemory x, sums;
    if (Status status = uploadValues(x, values, sizes); !status) return status.error();
    if (Status status = zeros(sums, n_ * sizes.columns * sizeof(std::uint64_t)); !status) return status.error();
    if (Status status = multiply(x, sums, part, sizes); !status) return status.error();
    return numbers(sums, sizes);
}

}  // namespace orogen::compute
