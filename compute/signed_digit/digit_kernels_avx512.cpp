// Vectors of 64 digits.  Four rows are fetched ahead of the four that are added: what limits a long sum is how many
// lines are on their way from memory.
#if defined(__x86_64__)
#include <immintrin.h>

#include "compute/signed_digit/digit_kernel_sets.h"

// After the headers, whose inline functions must run on any processor.
#pragma GCC diagnostic ignored "-Wuninitialized"  // GCC 12 says it of its own headers (its bug 105593)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace orogen::compute {
namespace {

constexpr std::size_t kBytes = 64;
constexpr std::size_t kPiece = 512;    // rows of a product at a time: both sides, interleaved, stay in 64 KiB
constexpr std::size_t kWordRows = 64;  // rows of words whose sums stay in registers

__mmask64 bytesBelow(std::size_t count) { return count >= kBytes ? ~__mmask64(0) : (__mmask64(1) << count) - 1; }
void prefetch(const void* address) { _mm_prefetch(static_cast<const char*>(address), _MM_HINT_T0); }

template <bool kMasked>
__m512i load(const std::uint8_t* from, __mmask64 mask)
{
    return kMasked ? _mm512_maskz_loadu_epi8(mask, from) : _mm512_loadu_si512(from);
}

template <bool kMasked>
void addVector(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, __mmask64 mask)
{
    for (std::size_t row = 4; row < 8; ++row)
        prefetch(rows + row * stride);
    const __m512i a = _mm512_add_epi8(load<kMasked>(rows, mask), load<kMasked>(rows + stride, mask));
    const __m512i b = _mm512_add_epi8(load<kMasked>(rows + 2 * stride, mask), load<kMasked>(rows + 3 * stride, mask));
    _mm512_storeu_si512(sum, _mm512_add_epi8(_mm512_loadu_si512(sum), _mm512_add_epi8(a, b)));
}

void addFourRows(std::uint8_t* sum, const std::uint8_t* rows, std::size_t stride, std::size_t bytes)
{
    std::size_t i = 0;
    for (; i + kBytes <= bytes; i += kBytes)
        addVector<false>(sum + i, rows + i, stride, 0);
    if (i < bytes) addVector<true>(sum + i, rows + i, stride, bytesBelow(bytes - i));
}

void widenHalf(std::uint16_t* wide, __m256i narrow)
{
    _mm512_storeu_si512(wide, _mm512_add_epi16(_mm512_loadu_si512(wide), _mm512_cvtepu8_epi16(narrow)));
}

void widen(std::uint16_t* wide, std::uint8_t* narrow, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += kBytes)  // both have room for a whole vector
    {
        const __m512i bytes = _mm512_loadu_si512(narrow + i);
        widenHalf(wide + i, _mm512_castsi512_si256(bytes));
        widenHalf(wide + i + kBytes / 2, _mm512_extracti64x4_epi64(bytes, 1));
        _mm512_storeu_si512(narrow + i, _mm512_setzero_si512());
    }
}

// Sums of 16 columns.
struct WordSums
{
    __m512i low, high;

    void add(__m512i words)
    {
        low = _mm512_add_epi64(low, _mm512_cvtepu32_epi64(_mm512_castsi512_si256(words)));
        high = _mm512_add_epi64(high, _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64(words, 1)));
    }
};

__m512i loadWords(__mmask16 mask, const std::uint32_t* words) { return _mm512_maskz_loadu_epi32(mask, words); }

void addWordRows(WordSums& sums, __mmask16 mask, const std::uint32_t* words, std::size_t rows, std::size_t width)
{
    std::size_t row = 0;
    for (; row + 4 <= rows; row += 4)  // four numbers below 2^30 fit in 32 bits
    {
        for (std::size_t ahead = kWordRows; ahead < kWordRows + 4; ++ahead)
            prefetch(words + (row + ahead) * width);
        const std::uint32_t* const at = words + row * width;
        const __m512i a = _mm512_add_epi32(loadWords(mask, at), loadWords(mask, at + width));
        const __m512i b = _mm512_add_epi32(loadWords(mask, at + 2 * width), loadWords(mask, at + 3 * width));
        sums.add(_mm512_add_epi32(a, b));
    }
    for (; row < rows; ++row)
        sums.add(loadWords(mask, words + row * width));
}

void sumWords(std::uint64_t* sums, const std::uint32_t* words, std::size_t rows, std::size_t width)
{
    for (std::size_t row = 0; row < rows; row += kWordRows)
        for (std::size_t i = 0; i < width; i += 16)
        {
            const auto mask = __mmask16(bytesBelow(std::min<std::size_t>(16, width - i)));
            const auto low = __mmask8(mask), high = __mmask8(mask >> 8);
            WordSums part = {_mm512_maskz_loadu_epi64(low, sums + i), _mm512_maskz_loadu_epi64(high, sums + i + 8)};
            addWordRows(part, mask, words + row * width + i, std::min(kWordRows, rows - row), width);
            _mm512_mask_storeu_epi64(sums + i, low, part.low);
            _mm512_mask_storeu_epi64(sums + i + 8, high, part.high);
        }
}

void packPairs(std::uint8_t* pairs, const Digit* digits, std::size_t count)
{
    const __m512i weights = _mm512_set1_epi16(0x0a01);
    std::size_t i = 0;
    for (; i + kBytes / 2 <= count; i += kBytes / 2)
    {
        const __m512i sums = _mm512_maddubs_epi16(_mm512_loadu_si512(digits + 2 * i), weights);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(pairs + i), _mm512_cvtepi16_epi8(sums));
    }
    for (; i < count; ++i)
        pairs[i] = std::uint8_t(digits[2 * i] + 10 * digits[2 * i + 1]);
}

// ---- products ----

struct alignas(64) Interleaved
{
    std::uint8_t bytes[kPiece * kProductBlock];
};

std::size_t paddedColumns(std::size_t columns) { return (columns + 15) / 16 * 16; }

template <int kLane>
void storeLane(std::uint8_t* to, __m512i a, __m512i b, __m512i c, __m512i d)
{
    auto* const out = reinterpret_cast<__m128i*>(to);
    _mm_store_si128(out, _mm512_extracti32x4_epi32(a, kLane));
    _mm_store_si128(out + 1, _mm512_extracti32x4_epi32(b, kLane));
    _mm_store_si128(out + 2, _mm512_extracti32x4_epi32(c, kLane));
    _mm_store_si128(out + 3, _mm512_extracti32x4_epi32(d, kLane));
}

// Four rows become one of words, each with a column of theirs.
void interleaveFour(std::uint8_t* to, const ByteRows& from, std::size_t row, std::size_t rows)
{
    const __mmask64 mask = bytesBelow(from.count);
    __m512i r[4];
    for (std::size_t i = 0; i < 4; ++i)
    {
        const std::uint8_t* const at = from.data + (row + i) * from.stride;
        prefetch(at + 4096);
        r[i] = row + i < rows ? _mm512_maskz_loadu_epi8(mask, at) : _mm512_setzero_si512();
    }
    const __m512i lowAb = _mm512_unpacklo_epi8(r[0], r[1]), highAb = _mm512_unpackhi_epi8(r[0], r[1]);
    const __m512i lowCd = _mm512_unpacklo_epi8(r[2], r[3]), highCd = _mm512_unpackhi_epi8(r[2], r[3]);
    const __m512i a = _mm512_unpacklo_epi16(lowAb, lowCd), b = _mm512_unpackhi_epi16(lowAb, lowCd);
    const __m512i c = _mm512_unpacklo_epi16(highAb, highCd), d = _mm512_unpackhi_epi16(highAb, highCd);
    storeLane<0>(to, a, b, c, d);
    if (from.count > 16) storeLane<1>(to + 64, a, b, c, d);
    if (from.count > 32) storeLane<2>(to + 128, a, b, c, d);
    if (from.count > 48) storeLane<3>(to + 192, a, b, c, d);
}

void interleave(Interleaved& to, const ByteRows& from, std::size_t begin, std::size_t rows)
{
    const std::size_t group = 4 * paddedColumns(from.count);
    for (std::size_t row = 0; row < rows; row += 4)
        interleaveFour(to.bytes + row / 4 * group, from, begin + row, begin + rows);
}

// Rows [i, i + kRows) of the matrix, 16 kVectors columns of it.
template <int kVectors, int kRows>
void multiplyRows(std::int32_t* entries, const std::uint8_t* x, const std::uint8_t* y, std::size_t groups,
                  std::size_t xGroup, std::size_t i)
{
    __m512i sums[kRows][kVectors];
    for (auto& row : sums)
        for (__m512i& sum : row)
            sum = _mm512_setzero_si512();
    for (std::size_t g = 0; g < groups; ++g)
    {
        __m512i b[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            b[v] = _mm512_load_si512(y + (g * kVectors + std::size_t(v)) * kBytes);
        const auto* const a = reinterpret_cast<const std::int32_t*>(x + g * xGroup) + i;
#pragma GCC unroll 12
        for (int r = 0; r < kRows; ++r)
        {
            const __m512i word = _mm512_set1_epi32(a[r]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v)
                sums[r][v] = _mm512_dpbusd_epi32(sums[r][v], word, b[v]);
        }
    }
    for (int r = 0; r < kRows; ++r)
        for (int v = 0; v < kVectors; ++v)
        {
            std::int32_t* const out = entries + (i + std::size_t(r)) * kProductBlock + std::size_t(v) * 16;
            _mm512_storeu_si512(out, _mm512_add_epi32(_mm512_loadu_si512(out), sums[r][v]));
        }
}

// As many rows at a time as sums fit in the registers.
template <int kVectors, int kRows>
void multiply(ProductMatrix& matrix, const Interleaved& x, const Interleaved& y, std::size_t groups,
              std::size_t columns)
{
    const std::size_t group = 4 * paddedColumns(columns);
    std::int32_t* const entries = matrix.entries.data();
    std::size_t i = 0;
    for (; i + kRows <= columns; i += kRows)
        multiplyRows<kVectors, kRows>(entries, x.bytes, y.bytes, groups, group, i);
    for (; i < columns; ++i)
        multiplyRows<kVectors, 1>(entries, x.bytes, y.bytes, groups, group, i);
}

void addProducts(std::uint64_t* sums, const ByteRows& x, const ByteRows& y, std::size_t rows, unsigned largest)
{
    constexpr void (*kMultiply[])(ProductMatrix&, const Interleaved&, const Interleaved&, std::size_t,
                                  std::size_t) = {multiply<1, 12>, multiply<2, 12>, multiply<3, 8>, multiply<4, 5>};
    static thread_local Interleaved left, right;
    static thread_local ProductMatrix matrix;
    const auto multiplyPiece = kMultiply[(y.count - 1) / 16];
    inPieces(matrix, sums, x, y, rows, largest, kPiece, [&](std::size_t begin, std::size_t count) {
        interleave(left, x, begin, count);
        interleave(right, y, begin, count);
        multiplyPiece(matrix, left, right, (count + 3) / 4, x.count);
    });
}

}  // namespace

const DigitKernels kAvx512DigitKernels = {"avx512", addFourRows, widen, sumWords, packPairs, addProducts};

}  // namespace orogen::compute

#pragma GCC pop_options
#endif
