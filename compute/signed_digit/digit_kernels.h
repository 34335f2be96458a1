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

// `rows` rows of `count` bytes, `stride` apart.
struct ByteRows
{
    const std::uint8_t* data;
    std::size_t stride, count;
};

struct DigitKernels
{
    const char* name;  // "avx512", "avx2", "portable"

    // sum[i] += the i-th bytes of four rows, `stride` apart; it is the caller's business that they fit.
    void (*addFourRows)(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes);
    // wide[i] += narrow[i], and narrow[i] = 0.
    void (*widen)(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count);
    // sums[i] += the i-th words, each below 2^30, of all rows, which follow each other.
    void (*sumWords)(std::uint64_t* sums, const std::uint32_t* words, std::size_t rows, std::size_t width);
    // pairs[i] = digits[2i] + 10 digits[2i + 1].
    void (*packPairs)(std::uint8_t* pairs, const Digit* digits, std::size_t count);
    // sums[i + j] += x[r][i] y[r][j] over all rows: a product of small matrices, then its anti-diagonals.  At most
    // kProductBlock columns each, of numbers up to `largest` <= 127.
    void (*addProducts)(std::uint64_t* sums, const ByteRows& x, const ByteRows& y, std::size_t rows, unsigned largest);
};

// The fastest that this processor has; all of them, fastest first.
const DigitKernels& bestDigitKernels();
std::span<const DigitKernels* const> availableDigitKernels();

// sums[i] += the i-th digits of all rows, each `width` long and behind the one before.
void sumColumns(const DigitKernels& kernels, std::uint64_t* sums, const Digit* digits, std::size_t rows,
                std::size_t width);

// Rows whose products of digits up to `largest`, `columns` of them at most in a sum, fit in 31 bits.
std::size_t rowsInInt32(unsigned largest, std::size_t columns);

}  // namespace orogen::compute
