// Loops over decimal digits that depend on the instruction set: one table of functions each, chosen at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "compute/signed_digit/decimal.h"

namespace orogen::compute {

inline constexpr std::size_t kProductBlock = 64;  // columns of a product at most
inline constexpr std::size_t kRowSlack = 64;      // bytes behind the last row that the loops may read
inline constexpr std::size_t kRowsInGroup = 4;
inline constexpr std::size_t kGroupSlack = 128;  // bytes behind the last group that packGroups may write

// `rows` rows of `count` bytes, `stride` apart.
struct ByteRows
{
    const std::uint8_t* data;
    std::size_t stride, count;
};

// Rows of numbers below 128, four in a group: byte 4 i + r of a group is number i of its row r.  `count` numbers of a
// row are looked at; groups lie `stride` bytes apart.
struct RowGroups
{
    const std::uint8_t* data;
    std::size_t stride, count;
};

// The loops that add rows go through four stretches of memory at once, each from its lowest address up: on a Zen 4 they
// read 27 GB/s so, and 11 to 20 where the rows that are added lie next to each other.
struct DigitKernels
{
    const char* name;  // "avx512", "avx2", "portable"

    // sum[i] += the i-th bytes of four rows, `stride` apart; it is the caller's business that they fit.
    void (*addFourRows)(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes);
    // wide[i] += narrow[i], and narrow[i] = 0.
    void (*widen)(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count);
    // As addFourRows, of words below 2^30: four of them fit in 32 bits.  Sums are kept in blocks of `wordBlock`, in
    // each those of the even words, then those of the odd ones; `words` are whole blocks, of all rows.
    void (*addFourWordRows)(std::uint64_t* sums, const std::uint32_t* rows, std::size_t stride, std::size_t words);
    std::size_t wordBlock;
    // pairs[i] = digits[2i] + 10 digits[2i + 1].
    void (*packPairs)(std::uint8_t* pairs, const Digit* digits, std::size_t count);
    // Groups of the pairs, one behind the other, of rows of an even count of digits; rows that are missing in the last
    // group are of zeros.  Reads kRowSlack bytes behind the last row, writes kGroupSlack behind the last group.
    void (*packGroups)(std::uint8_t* groups, const ByteRows& digits, std::size_t rows);
    // sums[i + j] += x[r][i] y[r][j] over all rows: a product of small matrices, then its anti-diagonals.  At most
    // kProductBlock columns each, of numbers up to `largest` <= 127.
    void (*addProducts)(std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups,
                        unsigned largest);
};

extern const DigitKernels kPortableDigitKernels;
#if defined(__x86_64__)
extern const DigitKernels kAvx2DigitKernels, kAvx512DigitKernels;
#endif

// The fastest that this processor has; all of them, fastest first.
const DigitKernels& bestDigitKernels();
std::span<const DigitKernels* const> availableDigitKernels();

// sums[i] += the i-th digits of all rows, each `width` long and behind the one before.
void sumColumns(const DigitKernels& kernels, std::uint64_t* sums, const Digit* digits, std::size_t rows,
                std::size_t width);
// The same of words below 2^30, whose buffer has kRowSlack bytes to spare.
void sumWords(const DigitKernels& kernels, std::uint64_t* sums, const std::uint32_t* words, std::size_t rows,
              std::size_t width);

// Rows whose products of digits up to `largest`, `columns` of them at most in a sum, fit in 31 bits.
std::size_t rowsInInt32(unsigned largest, std::size_t columns);

}  // namespace orogen::compute
