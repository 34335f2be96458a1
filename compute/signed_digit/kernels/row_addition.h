// The paper's addition, one processor a digit and one number after another: of numbers (the first method), of a row for
// each column's sum (the second), of a row for each digit of these (regrouped).
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

enum class RowSource : std::uint32_t
{
    kNumbers,
    kColumns,
    kDigits,
};

struct RowAdditionArguments
{
    RowSource source;
    std::uint32_t threshold;      // of the transfer: 6, 7
    const std::uint8_t* numbers;  // kNumbers: rows of `width` digits
    const std::uint64_t* sums;    // else: of `width` columns
    std::uint64_t width, rows;
    std::uint64_t places;    // of the result
    std::int8_t* digits;     // the result; 0 at first
    std::int8_t* transfers;  // 2 (places + 1); 0 at first
};

constexpr unsigned kRowAdditionThreads = 256;

namespace OROGEN_TARGET {

OROGEN_DEVICE inline int sumDigit(std::uint64_t sum, std::uint64_t place)
{
    for (; place > 0 && sum > 0; --place)
        sum /= 10;
    return int(sum % 10);
}

// 0 ... 9, of row `row` at `place`.
OROGEN_DEVICE inline int rowDigit(const RowAdditionArguments& arguments, std::uint64_t row, std::uint64_t place)
{
    switch (arguments.source)
    {
    case RowSource::kNumbers:
        return place < arguments.width ? arguments.numbers[row * arguments.width + place] : 0;
    case RowSource::kColumns:
        return place >= row ? sumDigit(arguments.sums[row], place - row) : 0;
    case RowSource::kDigits:
        return place >= row && place - row < arguments.width ? sumDigit(arguments.sums[place - row], row) : 0;
    }
    return 0;
}

// The same in the digit set: a look at the place below is all that it takes.
OROGEN_DEVICE inline int rowDigitInSet(const RowAdditionArguments& arguments, std::uint64_t row, std::uint64_t place)
{
    const auto threshold = int(arguments.threshold);
    const int digit = rowDigit(arguments, row, place);
    const int below = place > 0 ? rowDigit(arguments, row, place - 1) : 0;
    return digit - (digit >= threshold ? 10 : 0) + (below >= threshold);
}

// One block.  Transfers of one row and of the next lie apart, so that one barrier a row is enough.
OROGEN_DEVICE inline void addRows(const RowAdditionArguments& arguments)
{
    const auto threshold = int(arguments.threshold);
    for (std::uint64_t row = 0; row < arguments.rows; ++row)
    {
        std::int8_t* const transfers = arguments.transfers + row % 2 * (arguments.places + 1);
        for (std::uint64_t i = threadIndex().x; i < arguments.places; i += blockSize().x)
        {
            const int sum = arguments.digits[i] + rowDigitInSet(arguments, row, i);
            const int transfer = int(sum >= threshold) - int(sum <= -threshold);
            arguments.digits[i] = std::int8_t(sum - 10 * transfer);
            transfers[i + 1] = std::int8_t(transfer);
        }
        syncBlock();
        for (std::uint64_t i = threadIndex().x; i < arguments.places; i += blockSize().x)
            arguments.digits[i] = std::int8_t(arguments.digits[i] + transfers[i]);
    }
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(addRows, RowAdditionArguments, kRowAdditionThreads)

}  // namespace orogen::compute
