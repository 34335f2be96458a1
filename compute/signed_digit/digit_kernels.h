// Loops over decimal digits for each instruction set: one table of functions each, chosen at run time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "compute/signed_digit/decimal.h"

namespace orogen::compute {

inline constexpr std::size_t kProductBlock = 64;  // maximum columns of either factor of addProducts
inline constexpr std::size_t kRowSlack = 64;      // bytes after the last row that the loops may read
inline constexpr std::size_t kRowsInGroup = 4;    // rows whose numbers are interleaved; see RowGroups
inline constexpr std::size_t kGroupSlack = 128;   // bytes after the last group that packGroups may write

// Rows of `count` bytes, `stride` bytes apart.
struct ByteRows
{
    const std::uint8_t* data;
    std::size_t stride, count;
};

// Rows of numbers below 128, four in a group: byte 4 i + r of a group is number i of its row r. `count` numbers of each
// row are used; groups are `stride` bytes apart.
struct RowGroups
{
    const std::uint8_t* data;
    std::size_t stride, count;
};

// Loops for one instruction set. Loops that add rows read four distant stretches of memory at once, each in ascending
// order. A Zen 4 processor then reads 27 GB/s, but only 11 to 20 GB/s if the four rows are adjacent.
struct DigitKernels
{
    const char* name;  // "avx512", "avx2", "portable"

    // Computes sum[i] += the i-th bytes of four rows, `stride` apart. The caller ensures that the sums fit.
    void (*addFourRows)(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes);
    // Computes wide[i] += narrow[i] and sets narrow[i] = 0.
    void (*widen)(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count);
    // Like addFourRows for words below 2^30: a sum of four fits in 32 bits. Sums are stored in blocks of `wordBlock`:
    // those of the even words, then those of the odd ones. `words` is a multiple of wordBlock.
    void (*addFourWordRows)(std::uint64_t* sums, const std::uint32_t* rows, std::size_t stride, std::size_t words);
    std::size_t wordBlock;
    // Computes pairs[i] = digits[2i] + 10 digits[2i + 1].
    void (*packPairs)(std::uint8_t* pairs, const Digit* digits, std::size_t count);
    // Packs the pairs of digits of rows into groups. Rows have an even number of digits; missing rows of the last group
    // are 0. Reads up to kRowSlack bytes after the last row, writes up to kGroupSlack after the last group.
    void (*packGroups)(std::uint8_t* groups, const ByteRows& digits, std::size_t rows);
    // Computes sums[i + j] += x[r][i] y[r][j] over all rows r: the matrix X^T Y, then sums of its anti-diagonals. At
    // most kProductBlock columns of either factor, with numbers up to `largest` <= 127.
    void (*addProducts)(std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups,
                        unsigned largest);
};

extern const DigitKernels kPortableDigitKernels;
#if defined(__x86_64__)
extern const DigitKernels kAvx2DigitKernels, kAvx512DigitKernels;
#endif

// Return the fastest table of this processor, and all tables that it can run, fastest first.
const DigitKernels& bestDigitKernels();
std::span<const DigitKernels* const> availableDigitKernels();

// Computes sums[i] += the i-th digits of all rows, which are `width` long and contiguous.
void sumColumns(const DigitKernels& kernels, std::uint64_t* sums, const Digit* digits, std::size_t rows,
                std::size_t width);
// Like sumColumns() for words below 2^30; the buffer has kRowSlack spare bytes.
void sumWords(const DigitKernels& kernels, std::uint64_t* sums, const std::uint32_t* words, std::size_t rows,
              std::size_t width);

// Returns how many rows 31 bits can sum if each adds `columns` products of two numbers of at most `largest`.
std::size_t rowsInInt32(unsigned largest, std::size_t columns);

// ---- for the implementations: products in pieces whose sums fit in 32 bits ----

// M = X^T Y in 32 bits. Before an entry can overflow, empty() adds the anti-diagonals to 64-bit sums and clears M.
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

// Calls work(begin, groups) for pieces of at most `piece` groups. Empties the matrix before it can overflow, and at the
// end.
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
