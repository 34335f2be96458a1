// Sums of columns of digits: a plain addition of 64 bits is eight of bytes, exact for 28 rows of nines.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// Rows are read as super-rows, whole multiples of 16 bytes, so that every thread reads pairs of limbs.
struct ColumnsArguments
{
    const std::uint64_t* rows;  // two limbs for 16 digits
    std::uint64_t superRows;
    std::uint64_t pairs;  // of limbs in a super-row
    std::uint64_t width;  // digits of a row
    std::uint64_t* sums;  // of the columns; 0 at first
};

constexpr unsigned kColumnsThreads = 128;
constexpr unsigned kRowsInBytes = 28;

namespace OROGEN_TARGET {

// What 16 columns of bytes hold, in 32 bits each.
struct WideColumns
{
    std::uint32_t sums[16];

    OROGEN_DEVICE void add(LimbPair bytes)
    {
        OROGEN_UNROLL
        for (unsigned i = 0; i < 8; ++i)
        {
            sums[i] += std::uint32_t(bytes.low >> 8 * i & 0xffu);
            sums[8 + i] += std::uint32_t(bytes.high >> 8 * i & 0xffu);
        }
    }
};

// x: pairs of a super-row; y: every gridSize().y-th super-row.
OROGEN_DEVICE inline void sumDigitColumns(const ColumnsArguments& arguments)
{
    const std::uint64_t pair = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    if (pair >= arguments.pairs) return;
    WideColumns wide = {};
    LimbPair bytes = {0, 0};
    unsigned rows = 0;
    for (std::uint64_t row = blockIndex().y; row < arguments.superRows; row += gridSize().y)
    {
        const LimbPair next = loadPair(arguments.rows + 2 * (row * arguments.pairs + pair));
        bytes.low += next.low;
        bytes.high += next.high;
        if (++rows < kRowsInBytes) continue;
        wide.add(bytes);
        bytes = {0, 0};
        rows = 0;
    }
    wide.add(bytes);
    for (unsigned i = 0; i < 16; ++i)
        fetchAdd(arguments.sums + (16 * pair + i) % arguments.width, std::uint64_t(wide.sums[i]));
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(sumDigitColumns, ColumnsArguments, kColumnsThreads)

}  // namespace orogen::compute
