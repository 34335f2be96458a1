#if defined(__x86_64__)
#include <immintrin.h>

#include "compute/signed_digit/digit_kernel_sets.h"

// After the headers, whose inline functions must run on any processor.
#pragma GCC push_options
#pragma GCC target("avx2")

namespace orogen::compute {
namespace {

constexpr std::size_t kBytes = 32;
constexpr std::size_t kPiece = 256;  // rows of a product at a time

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
void store(void* to, __m256i vector) { _mm256_storeu_si256(static_cast<__m256i*>(to), vector); }

void addFourRows(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes)
{
    std::size_t i = 0;
    for (; i + kBytes <= bytes; i += kBytes)
    {
        const std::uint8_t* const at = rows + i;
        for (std::size_t row = 4; row < 8; ++row)
            _mm_prefetch(reinterpret_cast<const char*>(at + row * stride), _MM_HINT_T0);
        const __m256i a = _mm256_add_epi8(load(at), load(at + stride));
        const __m256i b = _mm256_add_epi8(load(at + 2 * stride), load(at + 3 * stride));
        store(sum + i, _mm256_add_epi8(load(sum + i), _mm256_add_epi8(a, b)));
    }
    kPortableDigitKernels.addFourRows(sum + i, rows + i, stride, bytes - i);
}

void widen(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += kBytes)  // both have room for a whole vector
    {
        const __m256i bytes = load(narrow + i);
        store(wide + i, _mm256_add_epi16(load(wide + i), _mm256_cvtepu8_epi16(_mm256_castsi256_si128(bytes))));
        store(wide + i + 16,
              _mm256_add_epi16(load(wide + i + 16), _mm256_cvtepu8_epi16(_mm256_extracti128_si256(bytes, 1))));
        store(narrow + i, _mm256_setzero_si256());
    }
}

void addWords(std::uint64_t* sums, const std::uint32_t* words)
{
    const __m256i wide = _mm256_cvtepu32_epi64(_mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
    store(sums, _mm256_add_epi64(load(sums), wide));
}

void sumWords(std::uint64_t* sums, const std::uint32_t* words, std::size_t rows, std::size_t width)
{
    for (std::size_t row = 0; row < rows; ++row, words += width)
    {
        std::size_t i = 0;
        for (; i + 4 <= width; i += 4)
            addWords(sums + i, words + i);
        for (; i < width; ++i)
            sums[i] += words[i];
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

struct alignas(32) Interleaved
{
    std::uint8_t bytes[kPiece * kProductBlock];
};

std::size_t paddedColumns(std::size_t columns) { return (columns + 15) / 16 * 16; }

// Four rows become one of words, each with a column of theirs; 16 columns at a time, those beyond the last are
// anything.
void interleaveFour(std::uint8_t* to, const ByteRows& from, std::size_t row, std::size_t rows)
{
    for (std::size_t column = 0; column < from.count; column += 16, to += 64)
    {
        __m128i r[4];
        for (std::size_t i = 0; i < 4; ++i)
            r[i] = row + i < rows
                       ? _mm_loadu_si128(reinterpret_cast<const __m128i*>(from.data + (row + i) * from.stride + column))
                       : _mm_setzero_si128();
        const __m128i lowAb = _mm_unpacklo_epi8(r[0], r[1]), highAb = _mm_unpackhi_epi8(r[0], r[1]);
        const __m128i lowCd = _mm_unpacklo_epi8(r[2], r[3]), highCd = _mm_unpackhi_epi8(r[2], r[3]);
        auto* const out = reinterpret_cast<__m128i*>(to);
        _mm_store_si128(out, _mm_unpacklo_epi16(lowAb, lowCd));
        _mm_store_si128(out + 1, _mm_unpackhi_epi16(lowAb, lowCd));
        _mm_store_si128(out + 2, _mm_unpacklo_epi16(highAb, highCd));
        _mm_store_si128(out + 3, _mm_unpackhi_epi16(highAb, highCd));
    }
}

void interleave(Interleaved& to, const ByteRows& from, std::size_t begin, std::size_t rows)
{
    const std::size_t group = 4 * paddedColumns(from.count);
    for (std::size_t row = 0; row < rows; row += 4)
        interleaveFour(to.bytes + row / 4 * group, from, begin + row, begin + rows);
}

// sum + the products of four rows: pairs of them fit in 16 bits, 2 * 127 * 127 < 2^15.
__m256i withProducts(__m256i sum, __m256i x, __m256i y)
{
    return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(x, y), _mm256_set1_epi16(1)));
}

// kRows x 16 entries of the matrix from (i, j).
template <int kRows>
void multiplyTile(ProductMatrix& matrix, const std::uint8_t* x, const std::uint8_t* y, std::size_t groups,
                  std::size_t xGroup, std::size_t yGroup, std::size_t i, std::size_t j)
{
    __m256i sums[kRows][2];
    for (auto& row : sums)
        row[0] = row[1] = _mm256_setzero_si256();
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
    for (int r = 0; r < kRows; ++r)
        for (std::size_t v = 0; v < 2; ++v)
        {
            std::int32_t* const out = matrix.entries.data() + (i + std::size_t(r)) * kProductBlock + j + 8 * v;
            store(out, _mm256_add_epi32(load(out), sums[r][v]));
        }
}

void addProducts(std::uint64_t* sums, const ByteRows& x, const ByteRows& y, std::size_t rows, unsigned largest)
{
    static thread_local Interleaved left, right;
    static thread_local ProductMatrix matrix;
    const std::size_t xGroup = 4 * paddedColumns(x.count), yGroup = 4 * paddedColumns(y.count);
    inPieces(matrix, sums, x, y, rows, largest, kPiece, [&](std::size_t begin, std::size_t count) {
        interleave(left, x, begin, count);
        interleave(right, y, begin, count);
        const std::size_t groups = (count + 3) / 4;
        for (std::size_t j = 0; j < y.count; j += 16)
        {
            std::size_t i = 0;
            for (; i + 4 <= x.count; i += 4)
                multiplyTile<4>(matrix, left.bytes, right.bytes, groups, xGroup, yGroup, i, j);
            for (; i < x.count; ++i)
                multiplyTile<1>(matrix, left.bytes, right.bytes, groups, xGroup, yGroup, i, j);
        }
    });
}

}  // namespace

const DigitKernels kAvx2DigitKernels = {"avx2", addFourRows, widen, sumWords, packPairs, addProducts};

}  // namespace orogen::compute

#pragma GCC pop_options
#endif
