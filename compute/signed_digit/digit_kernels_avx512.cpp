// Loops of digit_kernels.h by AVX-512, on vectors of 64 digits. The number of cache lines in flight from memory limits
// the speed of long sums, hence the prefetches.
#if defined(__x86_64__)
#include <immintrin.h>

#include <utility>

#include "compute/signed_digit/digit_kernels.h"

#include "core/base/target_avx512.h"
#pragma GCC target("avx512vnni")

namespace orogen::compute {
namespace {

constexpr std::size_t kBytes = 64, kWords = 16;  // per vector
constexpr std::size_t kAhead = 1024;             // prefetch distance in bytes, in each of four rows
constexpr std::size_t kPiece = 128;              // groups multiplied at a time: so few that a cache holds them

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
    for (std::size_t row = 0; row < 4; ++row)
        prefetch(rows + row * stride + kAhead);
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
    for (std::size_t i = 0; i < count; i += kBytes)  // both buffers have room for a whole vector
    {
        const __m512i bytes = _mm512_loadu_si512(narrow + i);
        widenHalf(wide + i, _mm512_castsi512_si256(bytes));
        widenHalf(wide + i + kBytes / 2, _mm512_extracti64x4_epi64(bytes, 1));
        _mm512_storeu_si512(narrow + i, _mm512_setzero_si512());
    }
}

void addFourWordRows(std::uint64_t* sums, const std::uint32_t* rows, std::size_t stride, std::size_t words)
{
    const __m512i even = _mm512_set1_epi64(0xffff'ffff);
    for (std::size_t i = 0; i < words; i += kWords)
    {
        const std::uint32_t* const at = rows + i;
        for (std::size_t row = 0; row < 4; ++row)
            prefetch(at + row * stride + kAhead / sizeof(*at));
        const __m512i a = _mm512_add_epi32(_mm512_loadu_si512(at), _mm512_loadu_si512(at + stride));
        const __m512i b = _mm512_add_epi32(_mm512_loadu_si512(at + 2 * stride), _mm512_loadu_si512(at + 3 * stride));
        const __m512i sum = _mm512_add_epi32(a, b);
        std::uint64_t* const to = sums + i;
        _mm512_storeu_si512(to, _mm512_add_epi64(_mm512_loadu_si512(to), _mm512_and_si512(sum, even)));
        _mm512_storeu_si512(to + 8, _mm512_add_epi64(_mm512_loadu_si512(to + 8), _mm512_srli_epi64(sum, 32)));
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

__m512i pairsOf(const ByteRows& digits, std::size_t row, std::size_t rows, std::size_t column)
{
    if (row >= rows) return _mm512_setzero_si512();
    const std::uint8_t* const at = digits.data + row * digits.stride + column;
    prefetch(at + 4 * kAhead);
    return _mm512_maddubs_epi16(_mm512_loadu_si512(at), _mm512_set1_epi16(0x0a01));
}

// Returns the pairs of digits of two rows, interleaved. A word of 16 bits has a pair of `row` in the low byte and one
// of the next row in the high byte.
__m512i twoRows(const ByteRows& digits, std::size_t row, std::size_t rows, std::size_t column)
{
    return _mm512_or_si512(pairsOf(digits, row, rows, column),
                           _mm512_slli_epi16(pairsOf(digits, row + 1, rows, column), 8));
}

void packGroups(std::uint8_t* groups, const ByteRows& digits, std::size_t rows)
{
    const __m512i first = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
    const __m512i second = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    for (std::size_t row = 0; row < rows; row += 4, groups += 2 * digits.count)
        for (std::size_t i = 0; i < digits.count; i += kBytes)  // the next group overwrites the excess
        {
            const __m512i a = twoRows(digits, row, rows, i), b = twoRows(digits, row + 2, rows, i);
            const __m512i low = _mm512_unpacklo_epi16(a, b), high = _mm512_unpackhi_epi16(a, b);
            _mm512_storeu_si512(groups + 2 * i, _mm512_permutex2var_epi64(low, first, high));
            _mm512_storeu_si512(groups + 2 * i + kBytes, _mm512_permutex2var_epi64(low, second, high));
        }
}

// Type of all sums: with variables of type __m512i in between, GCC 12 uses two registers per sum and stores them in
// each step.
using Sums [[gnu::vector_size(64)]] = std::int32_t;

// Adds to some rows of the matrix, kVectors vectors each. kSums are the numbers of these vectors: 0, 1, ...
template <int kVectors, int... kSums>
void multiplyRows(std::int32_t* entries, const std::uint8_t* x, const std::uint8_t* y, std::size_t groups,
                  std::size_t xStride, std::size_t yStride)
{
    Sums sums[] = {(void(kSums), Sums{})...};
    for (; groups > 0; --groups, x += xStride, y += yStride)
    {
        prefetch(x + kPiece * xStride);
        prefetch(y + kPiece * yStride);
        const auto* const a = reinterpret_cast<const std::int32_t*>(x);
        ((sums[kSums] = Sums(_mm512_dpbusd_epi32(__m512i(sums[kSums]), _mm512_loadu_si512(y + kSums % kVectors * 64),
                                                 _mm512_set1_epi32(a[kSums / kVectors])))),
         ...);
    }
    const auto add = [](std::int32_t* to, Sums sum) {
        _mm512_storeu_si512(to, __m512i(Sums(_mm512_loadu_si512(to)) + sum));
    };
    (add(entries + std::size_t(kSums / kVectors) * kProductBlock + kSums % kVectors * 16, sums[kSums]), ...);
}

using MultiplyRows = void (*)(std::int32_t* entries, const std::uint8_t* x, const std::uint8_t* y, std::size_t groups,
                              std::size_t xStride, std::size_t yStride);

template <int kVectors, int... kSums>
constexpr MultiplyRows multiplySums(std::integer_sequence<int, kSums...>)
{
    return multiplyRows<kVectors, kSums...>;
}

// Returns functions for 1, 2, ... rows.
template <int kVectors, int... kRows>
constexpr auto multiplyAnyRows(std::integer_sequence<int, kRows...>)
{
    return std::array{multiplySums<kVectors>(std::make_integer_sequence<int, (kRows + 1) * kVectors>())...};
}

constexpr int kMostRows[] = {28, 13, 8, 5};  // rows whose sums fit in the registers, for rows of 1 to 4 vectors

// Multiplies at most kMostRows rows at a time, in parts of nearly equal size.
template <int kVectors>
void multiply(ProductMatrix& matrix, const RowGroups& x, const RowGroups& y, std::size_t begin, std::size_t groups)
{
    constexpr std::size_t kMost = kMostRows[kVectors - 1];
    constexpr auto kMultiply = multiplyAnyRows<kVectors>(std::make_integer_sequence<int, kMost>());
    const std::size_t parts = (x.count + kMost - 1) / kMost;
    for (std::size_t part = 0, i = 0; part < parts; ++part)
    {
        const std::size_t next = x.count * (part + 1) / parts;
        kMultiply[next - i - 1](matrix.entries.data() + i * kProductBlock, x.data + begin * x.stride + 4 * i,
                                y.data + begin * y.stride, groups, x.stride, y.stride);
        i = next;
    }
}

void addProducts(std::uint64_t* sums, const RowGroups& x, const RowGroups& y, std::size_t groups, unsigned largest)
{
    constexpr void (*kMultiply[])(ProductMatrix&, const RowGroups&, const RowGroups&, std::size_t,
                                  std::size_t) = {multiply<1>, multiply<2>, multiply<3>, multiply<4>};
    static thread_local ProductMatrix matrix;
    const auto multiplyPiece = kMultiply[(y.count - 1) / 16];
    inPieces(matrix, sums, x, y, groups, largest, kPiece,
             [&](std::size_t begin, std::size_t count) { multiplyPiece(matrix, x, y, begin, count); });
}

}  // namespace

const DigitKernels kAvx512DigitKernels = {"avx512", addFourRows, widen,      addFourWordRows,
                                          kWords,   packPairs,   packGroups, addProducts};

}  // namespace orogen::compute

#pragma GCC pop_options
#endif
