// What every table of digit_kernels.h takes for its products: pieces whose sums fit in 32 bits.
#pragma once

#include <algorithm>
#include <array>

#include "compute/signed_digit/digit_kernels.h"

namespace orogen::compute {

// M = X^T Y in 32 bits, which is emptied into sums of 64 before it could overflow.
struct ProductMatrix
{
    std::array<std::int32_t, kProductBlock * kProductBlock> entries{};

    void empty(std::uint64_t* sums, std::size_t rows, std::size_t columns)
    {
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t j = 0; j < columns; ++j)
                sums[i + j] += std::uint32_t(entries[i * kProductBlock + j]);
        std::fill_n(entries.begin(), rows * kProductBlock, 0);
    }
};

// Calls work(begin, groups) for pieces of at most `piece` groups, and empties the matrix in time and at the end.
template <class Work>
void inPieces(ProductMatrix& matrix, std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups,
              unsigned largest, std::size_t piece, const Work& work)
{
    const std::size_t limit = rowsInInt32(largest, 1) / 4;
    std::size_t since = 0;
    for (std::size_t begin = 0; begin < groups; begin += piece)
    {
        const std::size_t count = std::min(piece, groups - begin);
        if (since + count > limit)
        {
            matrix.empty(sums, x.count, y.count);
            since = 0;
        }
        work(begin, count);
        since += count;
    }
    matrix.empty(sums, x.count, y.count);
}

}  // namespace orogen::compute
