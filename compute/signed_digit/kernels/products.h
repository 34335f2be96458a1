// Columns of products: the paper's, a thread a column of partial products; and X^T Y by tiles in shared memory, whose
// anti-diagonals they are.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

struct ProductsArguments
{
    const std::uint8_t* x;  // rows of xWidth bytes, each digits below 100
    const std::uint8_t* y;
    std::uint64_t rows, xWidth, yWidth;
    std::uint64_t* sums;  // xWidth + yWidth; 0 at first
};

constexpr unsigned kPartialThreads = 128;
constexpr unsigned kTileSide = 16;               // columns of either factor in a block, a thread a pair of them
constexpr unsigned kTileDepth = 32;              // rows in shared memory at a time
constexpr unsigned kTilesBetweenFlushes = 8192;  // of 32 rows: 99^2 each fit in 32 bits

namespace OROGEN_TARGET {

// x: columns of the result; y: every gridSize().y-th row.
OROGEN_DEVICE inline void addPartialProducts(const ProductsArguments& arguments)
{
    const std::uint64_t column = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    if (column + 1 >= arguments.xWidth + arguments.yWidth) return;
    const std::uint64_t first = column < arguments.yWidth ? 0 : column - arguments.yWidth + 1;
    const std::uint64_t last = column < arguments.xWidth ? column : arguments.xWidth - 1;
    std::uint64_t sum = 0;
    for (std::uint64_t row = blockIndex().y; row < arguments.rows; row += gridSize().y)
        for (std::uint64_t i = first; i <= last; ++i)
            sum += std::uint64_t(arguments.x[row * arguments.xWidth + i]) *
                   arguments.y[row * arguments.yWidth + column - i];
    fetchAdd(arguments.sums + column, sum);
}

// Columns `from` to from + kTileSide of kTileDepth rows; 0 where there are none.
OROGEN_DEVICE inline void loadTile(std::uint8_t* tile, const std::uint8_t* rows, std::uint64_t count,
                                   std::uint64_t width, std::uint64_t row, std::uint64_t from)
{
    for (unsigned i = threadIndex().x; i < kTileDepth * kTileSide; i += blockSize().x)
    {
        const std::uint64_t at = row + i / kTileSide, column = from + i % kTileSide;
        tile[i] = at < count && column < width ? rows[at * width + column] : 0;
    }
}

// x, y: tiles of the matrix; z: every gridSize().z-th stretch of rows.
OROGEN_DEVICE inline void multiplyTiles(const ProductsArguments& arguments)
{
    OROGEN_SHARED(std::uint8_t, left, kTileDepth * kTileSide);
    OROGEN_SHARED(std::uint8_t, right, kTileDepth * kTileSide);
    const unsigned i = threadIndex().x / kTileSide, j = threadIndex().x % kTileSide;
    const std::uint64_t x = std::uint64_t(blockIndex().x) * kTileSide, y = std::uint64_t(blockIndex().y) * kTileSide;
    std::uint64_t sum = 0;
    std::uint32_t part = 0;
    unsigned tiles = 0;
    for (std::uint64_t row = std::uint64_t(blockIndex().z) * kTileDepth; row < arguments.rows;
         row += std::uint64_t(gridSize().z) * kTileDepth)
    {
        loadTile(left, arguments.x, arguments.rows, arguments.xWidth, row, x);
        loadTile(right, arguments.y, arguments.rows, arguments.yWidth, row, y);
        syncBlock();
        for (unsigned r = 0; r < kTileDepth; ++r)
            part += std::uint32_t(left[r * kTileSide + i]) * right[r * kTileSide + j];
        syncBlock();
        if (++tiles < kTilesBetweenFlushes) continue;
        sum += part;
        part = 0;
        tiles = 0;
    }
    if (x + i < arguments.xWidth && y + j < arguments.yWidth)
        fetchAdd(arguments.sums + x + i + y + j, std::uint64_t(sum + part));
}
static_assert(99ull * 99 * kTileDepth * kTilesBetweenFlushes <= 0xffffffffull);

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(addPartialProducts, ProductsArguments, kPartialThreads)
OROGEN_KERNEL(multiplyTiles, ProductsArguments, kTileSide* kTileSide)

}  // namespace orogen::compute
