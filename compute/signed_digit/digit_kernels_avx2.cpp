// Loops of digit_kernels.h by AVX2, on vectors of 32 digits.
#if defined(__x86_64__)
#include <immintrin.h>

#include "compute/signed_digit/digit_kernels.h"

#include "core/base/target_avx2.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kBytes = 32, kWords = 8;  // per vector
constexpr std::size_t kAhead = 1024;            // prefetch distance in bytes, in each of four rows
constexpr std::size_t kPiece = 128;             // groups multiplied at a time, so that both factors stay in a cache

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
void store(void* to, __m256i vector) { _mm256_storeu_si256(static_cast<__m256i*>(to), vector); }

void prefetch(const void* address) { _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0); }

void addFourRows(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes)
{
    std::size_t i = 0;
    for (; i + kBytes <= bytes; i += kBytes)
    {
        const std::uint8_t* const at = rows + i;
        if (i % 64 == 0)
            for (std::size_t row = 0; row < 4; ++row)
                prefetch(at + row * stride + kAhead);
        const __m256i a = _mm256_add_epi8(load(at), load(at + stride));
        const __m256i b = _mm256_add_epi8(load(at + 2 * stride), load(at + 3 * stride));
        store(sum + i, _mm256_add_epi8(load(sum + i), _mm256_add_epi8(a, b)));
    }
    kPortableDigitKernels.addFourRows(sum + i, rows + i, stride, bytes - i);
}

void widen(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += kBytes)  // both buffers have room for a whole vector
    {
        const __m256i bytes = load(narrow + i);
        store(wide + i, _mm256_add_epi16(load(wide + i), _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes))));
        store(wide + i + 16,
              _mm256_add_epi16(load(wide + i + 16), _mm256_cvtepu8_epi16(_mm256_extracti128_si256(bytes, 1))));
        store(narrow + i, _mm256_setzero_si256());
    }
}

void addFourWordRows(std::uint64_t* sums, const std::uint32_t* rows, std::size_t stride, std::size_t words)
{
    const __m256i even = _mm256_set1_epi64x(0xffff'ffff);
    for (std::size_t i = 0; i < words; i += kWords)
    {
        const std::uint32_t* const at = rows + i;
        if (i % (2 * kWords) == 0)
            for (std::size_t row = 0; row < 4; ++row)
                prefetch(at + row * stride + kAhead / sizeof(*at));
        const __m256i a = _mm256_add_epi32(load(at), load(at + stride));
        const __m256i b = _mm256_add_epi32(load(at + 2 * stride), load(at + 3 * stride));
        const __m256i sum = _mm256_add_epi32(a, b);
        store(sums + i, _mm256_add_epi64(load(sums + i), _mm256_and_si256(sum, even)));
        store(sums + i + 4, _mm256_add_epi64(load(sums + i + 4), _mm256_srli_epi64(sum, 32)));
    }
}

void packPairs(std::uint8_t* pairs, const Digit* digits, std::size_t count)
{
    const __m256i weights = _mm256_set1_epi16(0x0a01);
    std::size_t i = 0;
    for (; i + kBytes <= count; i += kBytes)
    {
        const __m256i low = _mm256_maddubs_epi16(load(digits + 2 * i), weights);
        const __m256i high = _mm256_maddubs_epi16(load(digits + 2 * i + kBytes), weights);
        store(pairs + i, _mm256_permute4x64_epi64(_mm256_packus_epi16(low, high), 0xd8));
    }
    kPortableDigitKernels.packPairs(pairs + i, digits + 2 * i, count - i);
}

// ---- products ----

__m256i pairsOf(const ByteRows& digits, std::size_t row, std::size_t rows, std::size_t column)
{
    if (row >= rows) return _mm256_setzero_si256();
    return _mm256_maddubs_epi16(load(digits.data + row * digits.stride + column), _mm256_set1_epi16(0x0a01));
}

// Returns the pairs of digits of two rows, interleaved. A word of 16 bits has a pair of `row` in the low byte and one
// of the next row in the high byte.
__m256i twoRows(const ByteRows& digits, std::size_t row, std::size_t rows, std::size_t column)
{
    return _mm256_or_si256(pairsOf(digits, row, rows, column),
                           _mm256_slli_epi16(pairsOf(digits, row + 1, rows, column), 8));
}

void packGroups(std::uint8_t* groups, const ByteRows& digits, std::size_t rows)
{
    for (std::size_t row = 0; row < rows; row += 4, groups += 2 * digits.count)
        for (std::size_t i = 0; i < digits.count; i += kBytes)  // the next group overwrites the excess
        {
            const __m256i a = twoRows(digits, row, rows, i), b = twoRows(digits, row + 2, rows, i);
            const __m256i low = _mm256_unpacklo_epi16(a, b), high = _mm256_unpackhi_epi16(a, b);
            store(groups + 2 * i, _mm256_permute2x128_si256(low, high, 0x20));
            store(groups + 2 * i + kBytes, _mm256_permute2x128_si256(low, high, 0x31));
        }
}

// Returns sum + the products of four rows. Two products fit in 16 bits: 2 * 127 * 127 < 2^15.
__m256i withProducts(__m256i sum, __m256i x, __m256i y)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, y), _mm256_set1_epi16(1)));
}

// Adds to kRows x 16 entries of the matrix, from (i, j) on.
template <int kRows>
void multiplyTile(ProductMatrix& matrix, const std::uint8_t* x, const std::uint8_t* y, std::size_t groups,
                  std::size_t xGroup, std::size_t yGroup, std::size_t i, std::size_t j)
{
    __m256i sums[kRows][2];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
        sums[r][0] = sums[r][1] = _mm256_setzero_si256();
    for (std::size_t g = 0; g < groups; ++g)
    {
        const __m256i b0 = load(y + g * yGroup + 4 * j), b1 = load(y + g * yGroup + 4 * j + kBytes);
        const auto* const a = reinterpret_cast<const std::int32_t*>(x + g * xGroup) + i;
#pragma GCC unroll 4
        for (int r = 0; r < kRows; ++r)
        {
            const __m256i word = _mm256_set1_epi32(a[r]);
            sums[r][0] = withProducts(sums[r][0], word, b0);
            sums[r][1] = withProducts(sums[r][1], word, b1);
        }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
        for (std::size_t v = 0; v < 2; ++v)
        {
            std::int32_t* const out = matrix.entries.data() + (i + std::size_t(r)) * kProductBlock + j + 8 * v;
            store(out, _mm256_add_epi32(load(out), sums[r][v]));
        }
}

void addProducts(std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups, unsigned largest)
{
    static thread_local ProductMatrix matrix;
    inPieces(matrix, sums, x, y, groups, largest, kPiece, [&](std::size_t begin, std::size_t count) {
        const std::uint8_t *const left = x.data + begin * x.stride, *const right = y.data + begin * y.stride;
        for (std::size_t j = 0; j < y.count; j += 16)
        {
            std::size_t i = 0;
            for (; i + 4 <= x.count; i += 4)
                multiplyTile<4>(matrix, left, right, count, x.stride, y.stride, i, j);
            for (; i < x.count; ++i)
                multiplyTile<1>(matrix, left, right, count, x.stride, y.stride, i, j);
        }
    });
}

}  // namespace

const DigitKernels kAvx2DigitKernels = {"avx2", addFourRows, widen,      addFourWordRows,
                                        kWords, packPairs,   packGroups, addProducts};

}  // namespace orogen::compute

#pragma GCC pop_options
#endif
