#include "compute/signed_digit/product_pieces.h"

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

void addFourWordRows(std::uint64_t* sums, const std::uint32_t* rows, std::size_t stride, std::size_t words)
{
    for (std::size_t i = 0; i < words; ++i)
        sums[i] += rows[i] + rows[stride + i] + rows[2 * stride + i] + rows[3 * stride + i];
}

void packPairs(std::uint8_t* pairs, const Digit* digits, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        pairs[i] = std::uint8_t(digits[2 * i] + 10 * digits[2 * i + 1]);
}

void packGroups(std::uint8_t* groups, const ByteRows& digits, std::size_t rows)
{
    for (std::size_t row = 0; row < (rows + 3) / 4 * 4; ++row)
    {
        std::uint8_t* const to = groups + row / 4 * 2 * digits.count + row % 4;
        const Digit* const from = digits.data + row * digits.stride;
        for (std::size_t i = 0; i < digits.count / 2; ++i)
            to[4 * i] = row < rows ? std::uint8_t(from[2 * i] + 10 * from[2 * i + 1]) : std::uint8_t(0);
    }
}

void addProducts(std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups, unsigned largest)
{
    ProductMatrix matrix;
    inPieces(matrix, sums, x, y, groups, largest, 128, [&](std::size_t begin, std::size_t count) {
        for (std::size_t group = begin; group < begin + count; ++group)
            for (std::size_t i = 0; i < 4 * x.count; ++i)
                for (std::size_t j = 0; j < y.count; ++j)
                    matrix.entries[i / 4 * kProductBlock + j] +=
                        x.data[group * x.stride + i] * y.data[group * y.stride + 4 * j + i % 4];
    });
}

}  // namespace

// Words in their order are blocks of two.
const DigitKernels kPortableDigitKernels = {"portable", addFourRows, widen,      addFourWordRows,
                                            2,          packPairs,   packGroups, addProducts};

}  // namespace orogen::compute
