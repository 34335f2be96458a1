// Sums of columns of digits: a plain addition of 64 bits is eight of bytes, exact for 28 rows of nines.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// All rows are one run of vectors of 16 digits.  A thread takes every stride-th of them; the stride is a multiple of
// what rows and vectors have in common (width / gcd(width, 16) vectors), so that a thread stays in its columns, and
// neighbours read neighbouring vectors, however narrow a row is.
struct ColumnsArguments
{
    const std::uint64_t* rows;  // two limbs for 16 digits; zeros behind the last row
    std::uint64_t vectors;
    std::uint64_t stride;
    std::uint64_t first, turns;  // of this launch: a turn is `stride` vectors
    std::uint64_t width;         // digits of a row
    std::uint64_t* sums;         // of the columns; 0 at first
};

constexpr unsigned kColumnsThreads = 256;
constexpr unsigned kColumnsOfVector = 16;
constexpr unsigned kRowsInBytes = 28;
constexpr unsigned kVectorsInFlight = 7;  // that a thread asks for before it waits for the first
constexpr unsigned kColumnSlots = kColumnsThreads * kColumnsOfVector;
constexpr std::uint64_t kMostColumnTurns = 1 << 16;  // of a launch: a slot then holds its nines in 32 bits
static_assert(kRowsInBytes % kVectorsInFlight == 0 && 9 * kRowsInBytes <= 0xff);
static_assert(9ull * kColumnSlots * kMostColumnTurns <= 0xffffffffull);

namespace OROGEN_TARGET {

// What 16 columns of bytes hold, in 32 bits each.
struct WideColumns
{
    std::uint32_t sums[kColumnsOfVector];

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

// The columns of the vectors `vector` + turn * stride.
OROGEN_DEVICE inline WideColumns sumOfVectors(const ColumnsArguments& arguments, std::uint64_t vector)
{
    WideColumns wide = {};
    if (vector >= arguments.stride || vector >= arguments.vectors) return wide;
    const std::uint64_t all = (arguments.vectors - vector + arguments.stride - 1) / arguments.stride;
    const std::uint64_t end = arguments.first + arguments.turns < all ? arguments.first + arguments.turns : all;
    const std::uint64_t step = 2 * arguments.stride;
    const std::uint64_t* from = arguments.rows + 2 * vector + arguments.first * step;
    LimbPair bytes = {0, 0};
    unsigned rows = 0;
    std::uint64_t turn = arguments.first;
    for (; turn + kVectorsInFlight <= end; turn += kVectorsInFlight, from += kVectorsInFlight * step)
    {
        LimbPair next[kVectorsInFlight];
        OROGEN_UNROLL
        for (unsigned i = 0; i < kVectorsInFlight; ++i)
            next[i] = loadPair(from + i * step);
        OROGEN_UNROLL
        for (unsigned i = 0; i < kVectorsInFlight; ++i)
        {
            bytes.low += next[i].low;
            bytes.high += next[i].high;
        }
        if ((rows += kVectorsInFlight) < kRowsInBytes) continue;
        wide.add(bytes);
        bytes = {0, 0};
        rows = 0;
    }
    for (; turn < end; ++turn, from += step)  // fewer than kVectorsInFlight: they fit with the rows that wait
    {
        const LimbPair next = loadPair(from);
        bytes.low += next.low;
        bytes.high += next.high;
    }
    wide.add(bytes);
    return wide;
}

// Blocks take turns with the vectors of a stride that is longer than the grid.  A block's sums meet in shared memory,
// in slots from its first column on: narrow rows would otherwise send every thread to the same few words.
OROGEN_DEVICE inline void sumDigitColumns(const ColumnsArguments& arguments)
{
    OROGEN_SHARED(std::uint32_t, slots, kColumnSlots);
    const unsigned thread = threadIndex().x;
    const unsigned used = arguments.width < kColumnSlots ? unsigned(arguments.width) : kColumnSlots;
    for (unsigned i = thread; i < used; i += kColumnsThreads)
        slots[i] = 0;
    for (std::uint64_t block = std::uint64_t(blockIndex().x) * kColumnsThreads; block < arguments.stride;
         block += std::uint64_t(gridSize().x) * kColumnsThreads)
    {
        const WideColumns wide = sumOfVectors(arguments, block + thread);
        syncBlock();
        unsigned slot = kColumnsOfVector * thread % used;
        OROGEN_UNROLL
        for (unsigned i = 0; i < kColumnsOfVector; ++i)
        {
            if (wide.sums[i] > 0) fetchAdd(slots + slot, wide.sums[i]);
            slot = slot + 1 < used ? slot + 1 : 0;
        }
        syncBlock();
        const std::uint64_t column = kColumnsOfVector * block % arguments.width;
        for (unsigned i = thread; i < used; i += kColumnsThreads)
        {
            const std::uint64_t to = column + i < arguments.width ? column + i : column + i - arguments.width;
            if (slots[i] > 0) fetchAdd(arguments.sums + to, std::uint64_t(slots[i]));
            slots[i] = 0;
        }
    }
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(sumDigitColumns, ColumnsArguments, kColumnsThreads)

}  // namespace orogen::compute
