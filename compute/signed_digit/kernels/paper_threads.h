// The paper's own division of work: a thread a column of the numbers (its section IV), a thread a partial product
// (section VI).  Beside the faster ones, to be compared with them.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

struct ThreadColumnsArguments
{
    const std::uint8_t* rows;  // of `width` numbers below 256
    std::uint64_t count, width;
    std::uint64_t* sums;  // of the columns; 0 at first
};

// Row r of the partial products is that of pair r / yWidth and of its digit r % yWidth of y, in the places where it
// counts, zeros beside it: formula 16.
struct PartialProductsArguments
{
    const std::uint8_t* x;  // rows of xWidth digits
    const std::uint8_t* y;
    std::uint64_t first, rows;  // of the partial products, of this launch
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

OROGEN_KERNEL(sumColumnsByThreads, ThreadColumnsArguments, kPaperThreads)
OROGEN_KERNEL(formPartialProducts, PartialProductsArguments, kPaperThreads)

}  // namespace orogen::compute
