#include "compute/signed_digit/digit_kernel_sets.h"

namespace orogen::compute {
namespace {

void addFourRows(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes)
{
    for (std::size_t i = 0; i < bytes; ++i)
        sum[i] = std::uint8_t(sum[i] + rows[i] + rows[stride + i] + rows[2 * stride + i] + rows[3 * stride + i]);
}

void widen(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        wide[i] = std::uint16_t(wide[i] + narrow[i]);
        narrow[i] = 0;
    }
}

void sumWords(std::uint64_t* sums, const std::uint32_t* words, std::size_t rows, std::size_t width)
{
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < width; ++i)
            sums[i] += words[row * width + i];
}

void packPairs(std::uint8_t* pairs, const Digit* digits, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        pairs[i] = std::uint8_t(digits[2 * i] + 10 * digits[2 * i + 1]);
}

void addProducts(std::uint64_t* sums, const ByteRows& x, const ByteRows& y, std::size_t rows, unsigned largest)
{
    ProductMatrix matrix;
    inPieces(matrix, sums, x, y, rows, largest, 512, [&](std::size_t begin, std::size_t count) {
        for (std::size_t row = begin; row < begin + count; ++row)
            for (std::size_t i = 0; i < x.count; ++i)
                for (std::size_t j = 0; j < y.count; ++j)
                    matrix.entries[i * kProductBlock + j] += x.data[row * x.stride + i] * y.data[row * y.stride + j];
    });
}

}  // namespace

const DigitKernels kPortableDigitKernels = {"portable", addFourRows, widen, sumWords, packPairs, addProducts};

}  // namespace orogen::compute
