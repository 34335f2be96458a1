// Column sums of products. multiplyTiles computes X^T Y by matrix instructions, from bytes that hold two digits and an
// optional sign. The column sums are the sums of the anti-diagonals of X^T Y.
//
// The kernel addPartialProducts adds the columns of partial products of paper 000 (cpu_decimals.h), digit by digit. The
// kernel gatherTwiddles packs twiddle factors (cosines and sines) for multiplyTiles, in the order in which a Fourier
// transform uses them.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// ---- products ----

// Factors are stored in groups of 16 rows. The vector (16 bytes) at index group * width + i holds column i of a group's
// rows, as numbers from -99 to 99. The number of groups is a multiple of four (a step of 64 rows); missing rows are 0.
// Several dot products may share x: `item` i has its own y and its own sums.
struct ProductsArguments
{
    const std::uint32_t* x;
    const std::uint32_t* y;
    std::uint64_t groups, xWidth, yWidth;
    std::uint64_t xTiles, yTiles;   // per item
    std::uint64_t stretches;        // row ranges per tile; a unit is the work for one tile and range
    std::uint64_t first, units;     // units of this launch
    std::uint64_t yItem, sumsItem;  // elements from one item to the next, in y and in sums
    std::uint64_t* sums;            // xWidth + yWidth per item, signed; initially 0
};

struct PartialColumnsArguments
{
    const std::uint8_t* x;  // rows of xWidth digits
    const std::uint8_t* y;
    std::uint64_t first, rows;  // rows of this launch
    std::uint64_t xWidth, yWidth;
    std::uint64_t* sums;  // xWidth + yWidth; initially 0
};

constexpr unsigned kPartialThreads = 128;
constexpr unsigned kProductThreads = 256;  // maximum per block; a warp takes one step (64 rows) of a row range
constexpr unsigned kRowsInVector = 16;
constexpr unsigned kVectorsOfStep = 4;  // vectors of a step: 64 rows, the depth of two matrix instructions
constexpr unsigned kTileSide = 32;      // columns of either factor in a tile
constexpr unsigned kDiagonals = 2 * kTileSide;
constexpr unsigned kWordsOfVector = 4;
// 31 bits hold floor((2^31 - 1) / 9801) = 219,108 products of 99 by 99. A warp adds 64 rows per row range (stretch).
constexpr unsigned kStretchesBetweenFlushes = 2048;
static_assert(99ull * 99 * kRowsInVector * kVectorsOfStep * kStretchesBetweenFlushes <= 0x7fffffffull);

namespace OROGEN_TARGET {

// Grid x covers the columns of the result; block y adds every gridSize().y-th row.
OROGEN_DEVICE inline void addPartialProducts(const PartialColumnsArguments& arguments)
{
    const std::uint64_t column = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    if (column + 1 >= arguments.xWidth + arguments.yWidth) return;
    const std::uint64_t first = column < arguments.yWidth ? 0 : column - arguments.yWidth + 1;
    const std::uint64_t last = column < arguments.xWidth ? column : arguments.xWidth - 1;
    const std::uint64_t end = arguments.first + arguments.rows;
    std::uint64_t sum = 0;
    for (std::uint64_t row = arguments.first + blockIndex().y; row < end; row += gridSize().y)
        for (std::uint64_t i = first; i <= last; ++i)
            sum += std::uint64_t(arguments.x[row * arguments.xWidth + i]) *
                   arguments.y[row * arguments.yWidth + column - i];
    fetchAdd(arguments.sums + column, sum);
}

// Offsets (words, within a group) of the columns that a lane reads: `first` + 8 i + lane / 4. Columns past the end
// repeat the last.
struct LaneColumns
{
    std::uint64_t at[4];
};
OROGEN_DEVICE inline LaneColumns columnsOfLane(std::uint64_t first, std::uint64_t width)
{
    LaneColumns columns;
    OROGEN_UNROLL
    for (unsigned i = 0; i < 4; ++i)
    {
        const std::uint64_t column = first + 8 * i + laneIndex() / 4;
        columns.at[i] = kWordsOfVector * (column < width ? column : width - 1);
    }
    return columns;
}

// A tile of X^T Y, 32 by 32, in the registers of a warp.
struct ProductTile
{
    BytesSum parts[2][4];

    // Adds 64 rows, 16 per lane; lanes with equal lane % 4 read one group. An instruction sums over rows in any order,
    // so each lane may load 16 rows of its own.
    OROGEN_DEVICE void addStep(const std::uint32_t* x, const LaneColumns& xColumns, const std::uint32_t* y,
                               const LaneColumns& yColumns)
    {
        Bytes16 left[4], right[4];
        OROGEN_UNROLL
        for (unsigned i = 0; i < 4; ++i)
        {
            left[i] = loadVector16Kept(x + xColumns.at[i]);
            right[i] = loadVector16Kept(y + yColumns.at[i]);
        }
        OROGEN_UNROLL
        for (unsigned half = 0; half < kWordsOfVector; half += 2)
            OROGEN_UNROLL
        for (unsigned i = 0; i < 2; ++i)
        {
            const BytesA a = {{left[2 * i].values[half], left[2 * i + 1].values[half], left[2 * i].values[half + 1],
                               left[2 * i + 1].values[half + 1]}};
            OROGEN_UNROLL
            for (unsigned j = 0; j < 4; ++j)
                mmaBytes16x8x32(parts[i][j], a, {{right[j].values[half], right[j].values[half + 1]}});
        }
    }

    // Sums the anti-diagonals of the first `rows` rows and `columns` columns into the warp's slots. The elements' lower
    // 16 bits and their upper parts are summed separately, so that 32 bits hold each sum.
    OROGEN_DEVICE void sumDiagonals(std::uint32_t* low, std::uint32_t* high, std::uint64_t rows,
                                    std::uint64_t columns) const
    {
        for (unsigned i = laneIndex(); i < kDiagonals; i += kWarpLanes)
            low[i] = high[i] = 0;
        syncWarp();
        OROGEN_UNROLL
        for (unsigned i = 0; i < 2; ++i)
            OROGEN_UNROLL
        for (unsigned j = 0; j < 4; ++j)
            OROGEN_UNROLL
        for (unsigned k = 0; k < 4; ++k)
        {
            const std::int32_t sum = parts[i][j].values[k];
            const unsigned row = 16 * i + laneIndex() / 4 + 8 * (k / 2);
            const unsigned column = 8 * j + laneIndex() % 4 * 2 + k % 2;
            if (sum == 0 || row >= rows || column >= columns) continue;
            fetchAdd(low + row + column, std::uint32_t(sum) & 0xffffu);
            fetchAdd(high + row + column, std::uint32_t(sum >> 16));
        }
    }
};

// Returns diagonal `diagonal`, added over all warps of the block.
OROGEN_DEVICE inline std::int64_t diagonalOfBlock(const std::uint32_t* low, const std::uint32_t* high,
                                                  unsigned diagonal)
{
    std::int64_t sum = 0;
    for (unsigned i = diagonal; i < blockSize().x / kWarpLanes * kDiagonals; i += kDiagonals)
        sum += std::int64_t(std::int32_t(high[i])) * 65536 + low[i];
    return sum;
}

// Each block processes consecutive units; the blocks' numbers of units differ by at most one. A block's warps share the
// rows of a unit. Successive tiles use separate slots of shared memory, so that one barrier per tile is enough.
OROGEN_DEVICE inline void multiplyTiles(const ProductsArguments& arguments)
{
    constexpr unsigned kSlots = kProductThreads / kWarpLanes * kDiagonals;
    OROGEN_SHARED(std::uint32_t, lowParts, 2 * kSlots);
    OROGEN_SHARED(std::uint32_t, highParts, 2 * kSlots);
    const unsigned thread = threadIndex().x, warp = thread / kWarpLanes, warps = blockSize().x / kWarpLanes;
    const std::uint64_t end = arguments.first + arguments.units * (blockIndex().x + 1) / gridSize().x;
    unsigned turn = 0;
    for (std::uint64_t unit = arguments.first + arguments.units * blockIndex().x / gridSize().x; unit < end;)
    {
        const std::uint64_t tile = unit / arguments.stretches, from = unit % arguments.stretches;
        std::uint64_t count = arguments.stretches - from < end - unit ? arguments.stretches - from : end - unit;
        if (count > kStretchesBetweenFlushes) count = kStretchesBetweenFlushes;
        const std::uint64_t item = tile / (arguments.xTiles * arguments.yTiles);
        const std::uint64_t x = tile % arguments.xTiles * kTileSide;
        const std::uint64_t y = tile / arguments.xTiles % arguments.yTiles * kTileSide;
        const LaneColumns xColumns = columnsOfLane(x, arguments.xWidth), yColumns = columnsOfLane(y, arguments.yWidth);
        ProductTile sums = {};
        for (std::uint64_t i = from; i < from + count; ++i)
        {
            const std::uint64_t step = (i * warps + warp) * kVectorsOfStep;
            if (step >= arguments.groups) break;
            const std::uint64_t group = kWordsOfVector * (step + laneIndex() % 4);
            sums.addStep(arguments.x + group * arguments.xWidth, xColumns,
                         arguments.y + item * arguments.yItem + group * arguments.yWidth, yColumns);
        }
        std::uint32_t* const low = lowParts + turn * kSlots;
        std::uint32_t* const high = highParts + turn * kSlots;
        sums.sumDiagonals(low + warp * kDiagonals, high + warp * kDiagonals, arguments.xWidth - x,
                          arguments.yWidth - y);
        syncBlock();
        for (unsigned i = thread; i < kDiagonals; i += blockSize().x)
            if (const std::int64_t sum = diagonalOfBlock(low, high, i); sum != 0)
                fetchAdd(arguments.sums + item * arguments.sumsItem + x + y + i, std::uint64_t(sum));
        unit += count;
        turn ^= 1;
    }
}

}  // namespace OROGEN_TARGET

// ---- twiddle factors ----

// Output k of the transform sums, over all rows j, the value in row j times the twiddle factor j k mod n. A part of the
// table has n factors (cosines or sines). Rows below n use those of `part`; rows n to 2 n - 1, if any, those of the
// next part.
struct TwiddlesArguments
{
    const std::int8_t* table;  // n numbers of `width` bytes for each part
    std::uint64_t n, width, rows, part;
    std::uint64_t groups;          // groups of 16 rows
    std::uint64_t first, outputs;  // outputs of this launch
    std::uint32_t* factor;         // groups * width vectors for each output
};

constexpr unsigned kTwiddleThreads = 256;

namespace OROGEN_TARGET {

// Writes `factor`; one thread writes one vector, the column `column` of 16 rows.
OROGEN_DEVICE inline void gatherTwiddles(const TwiddlesArguments& arguments)
{
    const std::uint64_t vector = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    const std::uint64_t ofOutput = arguments.groups * arguments.width;
    if (vector >= arguments.outputs * ofOutput) return;
    const std::uint64_t k = arguments.first + vector / ofOutput;
    const std::uint64_t group = vector % ofOutput / arguments.width, column = vector % arguments.width;
    std::uint64_t row = 16 * group, part = arguments.part + (row > arguments.n ? 1 : 0);
    std::uint64_t turn = row % arguments.n * k % arguments.n;
    Bytes16 bytes = {};
    OROGEN_UNROLL
    for (unsigned i = 0; i < 16; ++i, ++row)
    {
        if (row == arguments.n) ++part, turn = 0;
        if (row < arguments.rows)
        {
            const std::int8_t number = arguments.table[(part * arguments.n + turn) * arguments.width + column];
            bytes.values[i / 4] |= std::uint32_t(std::uint8_t(number)) << i % 4 * 8;
        }
        turn = turn + k < arguments.n ? turn + k : turn + k - arguments.n;
    }
    storeVector16(arguments.factor + 4 * vector, bytes);
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(addPartialProducts, PartialColumnsArguments, kPartialThreads)
OROGEN_KERNEL(multiplyTiles, ProductsArguments, kProductThreads)
OROGEN_KERNEL(gatherTwiddles, TwiddlesArguments, kTwiddleThreads)

}  // namespace orogen::compute
