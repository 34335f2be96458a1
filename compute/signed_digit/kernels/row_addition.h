// Addition as in paper 000 (cpu_decimals.h), with one processor per digit and one number after another. Adds numbers
// (first method), one row per column sum (second method), or one row per digit of the column sums (regrouped).
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

enum class RowSource : std::uint32_t
{
    kNumbers,  // a row is a number
    kColumns,  // row j has the digits of column sum j
    kDigits,   // row j has digit j of every column sum
};

// A carry moves one place per addition. A block that begins `halo` places below those it writes can therefore add
// `halo` rows independently of the block below. Blocks exchange digits only between launches.
struct RowAdditionArguments
{
    RowSource source;
    std::uint32_t threshold;      // least sum of digits that gives a transfer (carry) of 1: 6 or 7
    const std::uint8_t* numbers;  // kNumbers: rows of `width` digits
    const std::int64_t* sums;     // kColumns, kDigits: `width` column sums of any sign
    std::uint64_t width;
    std::uint64_t first, rows;  // rows of this launch
    std::uint64_t places;       // places of the result
    std::uint64_t own;          // places that a block writes; own + halo is at most the block size
    std::uint64_t halo;         // places below them that it computes, too; 0 with a single block, else at least `rows`
    const std::int8_t* before;  // digits; initially all 0
    std::int8_t* after;         // digits after this launch's rows
};

constexpr unsigned kRowAdditionThreads = 1024;
constexpr unsigned kRowsAhead = 4;  // rows whose digits are loaded before the first is added

namespace OROGEN_TARGET {

// Returns the digit of `sum` at `place`, with the sign of `sum`.
OROGEN_DEVICE inline int sumDigit(std::int64_t sum, std::uint64_t place)
{
    for (; place > 0 && sum != 0; --place)
        sum /= 10;
    return int(sum % 10);
}

OROGEN_DEVICE inline int transferOf(int sum, int threshold) { return int(sum >= threshold) - int(sum <= -threshold); }

// Returns the digit (-9 ... 9) of row `row` at `place`.
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

// Returns the digit of rowDigit() converted into the digit set, which needs only the place below.
OROGEN_DEVICE inline int rowDigitInSet(const RowAdditionArguments& arguments, std::uint64_t row, std::uint64_t place)
{
    const auto threshold = int(arguments.threshold);
    const int digit = rowDigit(arguments, row, place);
    const int below = place > 0 ? rowDigit(arguments, row, place - 1) : 0;
    return digit - 10 * transferOf(digit, threshold) + transferOf(below, threshold);
}

// Adds the rows of this launch, with one thread per place. Transfers of successive rows are stored separately, so that
// one barrier per row is enough.
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
