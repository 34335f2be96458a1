// Sums of columns of digits. sumDigitColumns adds eight bytes by one 64-bit addition, exactly for up to 28 rows of
// nines. Two kernels divide the work as paper 000 (cpu_decimals.h) does, for comparison. In sumColumnsByThreads a
// thread sums one column of the numbers (section IV). In formPartialProducts a thread makes one partial product
// (section VI).
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// ---- eight digits at a time ----

// All rows together are one sequence of vectors of 16 digits, and a thread adds every stride-th vector. The stride is a
// multiple of width / gcd(width, 16) vectors, so that a thread stays in its columns. Adjacent threads read adjacent
// vectors, even in narrow rows.
struct ColumnsArguments
{
    const std::uint64_t* rows;  // two limbs per 16 digits; zeros after the last row
    std::uint64_t vectors;
    std::uint64_t stride;
    std::uint64_t first, turns;  // first iteration and number of iterations of this launch, each over `stride` vectors
    std::uint64_t width;         // digits per row
    std::uint64_t* sums;         // column sums; initially 0
};

constexpr unsigned kColumnsThreads = 256;
constexpr unsigned kColumnsOfVector = 16;
constexpr unsigned kRowsInBytes = 28;                                  // rows of nines whose sum a byte holds
constexpr unsigned kVectorsInFlight = 7;                               // loads that a thread issues before it waits
constexpr unsigned kColumnSlots = kColumnsThreads * kColumnsOfVector;  // column sums of a block in shared memory
constexpr std::uint64_t kMostColumnTurns = 1 << 16;  // maximum iterations per launch: 32 bits hold a slot's sum
static_assert(kRowsInBytes % kVectorsInFlight == 0 && 9 * kRowsInBytes <= 0xff);
static_assert(9ull * kColumnSlots * kMostColumnTurns <= 0xffffffffull);

namespace OROGEN_TARGET {

// Sums of 16 columns of bytes, in 32 bits each.
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

// Returns the column sums of the vectors `vector` + turn * stride, for the iterations `turn` of this launch.
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
    // The rest, again with all loads in flight; `bytes` has room for them.
    LimbPair last[kVectorsInFlight - 1];
    OROGEN_UNROLL
    for (unsigned i = 0; i + 1 < kVectorsInFlight; ++i)
        last[i] = turn + i < end ? loadPair(from + i * step) : LimbPair{0, 0};
    OROGEN_UNROLL
    for (unsigned i = 0; i + 1 < kVectorsInFlight; ++i)
    {
        bytes.low += last[i].low;
        bytes.high += last[i].high;
    }
    wide.add(bytes);
    return wide;
}

// Adds the column sums of this launch. Blocks loop if the stride has more vectors than the grid has threads. Each block
// first adds its sums in slots of shared memory, one per column. Without the slots, all threads would add to the same
// few words of global memory if rows are narrow.
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

// ---- threads as in the paper ----

struct ThreadColumnsArguments
{
    const std::uint8_t* rows;  // each `width` numbers below 256
    std::uint64_t count, width;
    std::uint64_t* sums;  // column sums; initially 0
};

// Row r of the partial products belongs to pair r / yWidth and to its digit r % yWidth of y. The row is shifted
// up by r % yWidth places, with zeros around it (formula 16 of the paper).
struct PartialProductsArguments
{
    const std::uint8_t* x;  // rows of xWidth digits
    const std::uint8_t* y;
    std::uint64_t first, rows;  // partial products of this launch
    std::uint64_t xWidth, yWidth;
    std::uint8_t* products;  // rows of xWidth + yWidth
};

constexpr unsigned kPaperThreads = 128;

namespace OROGEN_TARGET {

OROGEN_DEVICE inline void sumColumnsByThreads(const ThreadColumnsArguments& arguments)
{
    const std::uint64_t column = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    if (column >= arguments.width) return;
    std::uint64_t sum = 0;
    for (std::uint64_t row = 0; row < arguments.count; ++row)
        sum += arguments.rows[row * arguments.width + column];
    arguments.sums[column] += sum;
}

OROGEN_DEVICE inline void formPartialProducts(const PartialProductsArguments& arguments)
{
    const std::uint64_t thread = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    if (thread >= arguments.rows) return;
    const std::uint64_t row = arguments.first + thread, pair = row / arguments.yWidth, j = row % arguments.yWidth;
    const std::uint64_t width = arguments.xWidth + arguments.yWidth;
    const unsigned digit = arguments.y[pair * arguments.yWidth + j];
    for (std::uint64_t i = 0; i < width; ++i)
    {
        const bool within = i >= j && i - j < arguments.xWidth;
        const unsigned product = within ? digit * arguments.x[pair * arguments.xWidth + i - j] : 0;
        arguments.products[thread * width + i] = std::uint8_t(product);
    }
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(sumDigitColumns, ColumnsArguments, kColumnsThreads)
OROGEN_KERNEL(sumColumnsByThreads, ThreadColumnsArguments, kPaperThreads)
OROGEN_KERNEL(formPartialProducts, PartialProductsArguments, kPaperThreads)

}  // namespace orogen::compute
