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

// A carry moves one place an addition.  So a block that begins `halo` places below those that are its own can add as
// many rows without a word from the block below: blocks meet between launches only.
struct RowAdditionArguments
{
    RowSource source;
    std::uint32_t threshold;      // of the transfer: 6, 7
    const std::uint8_t* numbers;  // kNumbers: rows of `width` digits
    const std::int64_t* sums;     // else: of `width` columns, of any sign
    std::uint64_t width;
    std::uint64_t first, rows;  // of this launch
    std::uint64_t places;       // of the result
    std::uint64_t own;          // of a block; with the halo, at most as many as it has threads
    std::uint64_t halo;         // 0 where there is one block, else rows at least
    const std::int8_t* before;  // the digits; those of 0 at first
    std::int8_t* after;
};

constexpr unsigned kRowAdditionThreads = 1024;
constexpr unsigned kRowsAhead = 4;  // whose digits are asked for before the first of them is added

namespace OROGEN_TARGET {

// The digit has the sum's sign.
OROGEN_DEVICE inline int sumDigit(std::int64_t sum, std::uint64_t place)
{
    for (; place > 0 && sum != 0; --place)
        sum /= 10;
    return int(sum % 10);
}

OROGEN_DEVICE inline int transferOf(int sum, int threshold) { return int(sum >= threshold) - int(sum <= -threshold); }

// -9 ... 9, of row `row` at `place`.
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
    return digit - 10 * transferOf(digit, threshold) + transferOf(below, threshold);
}

// A thread a place.  Transfers of one row and of the next lie apart, so that one barrier a row is enough.
OROGEN_DEVICE inline void addRows(const RowAdditionArguments& arguments)
{
    OROGEN_SHARED(std::int8_t, transfers, 2 * (kRowAdditionThreads + 1));
    const auto threshold = int(arguments.threshold);
    const unsigned thread = threadIndex().x;
    const std::uint64_t begin = blockIndex().x * arguments.own, end = begin + arguments.own;
    const std::uint64_t place = begin - (arguments.halo < begin ? arguments.halo : begin) + thread;
    const bool any = place < end && place < arguments.places;
    if (thread == 0) transfers[0] = transfers[kRowAdditionThreads + 1] = 0;
    int digit = any ? arguments.before[place] : 0;
    for (std::uint64_t row = 0; row < arguments.rows; row += kRowsAhead)
    {
        int addends[kRowsAhead];
        OROGEN_UNROLL
        for (unsigned i = 0; i < kRowsAhead; ++i)
            addends[i] =
                any && row + i < arguments.rows ? rowDigitInSet(arguments, arguments.first + row + i, place) : 0;
        OROGEN_UNROLL
        for (unsigned i = 0; i < kRowsAhead; ++i)
        {
            if (row + i >= arguments.rows) break;
            std::int8_t* const below = transfers + i % 2 * (kRowAdditionThreads + 1) + thread;
            const int sum = digit + addends[i];
            const int transfer = transferOf(sum, threshold);
            below[1] = std::int8_t(transfer);
            syncBlock();
            digit = sum - 10 * transfer + *below;
        }
    }
    if (any && place >= begin) arguments.after[place] = std::int8_t(digit);
}
static_assert(kRowsAhead % 2 == 0);

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(addRows, RowAdditionArguments, kRowAdditionThreads)

}  // namespace orogen::compute
