#if defined(__x86_64__)
#include <immintrin.h>

#include "core/cbt/word_kernels.h"

#include "core/base/target_avx2.h"
#include "core/cbt/word_kernels_scalar.h"

namespace orogen {
namespace {

constexpr std::size_t kLanes = 8;

__m256i load(const std::uint32_t* words) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words)); }

// Packs the lower halves of eight 64-bit numbers.
__m256i lowerHalves(__m256i a, __m256i b)
{
    const __m256i mixed = _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), 0x88));
    return _mm256_permute4x64_epi64(mixed, 0xd8);
}

// Counts the bits of each 64-bit number: a table lookup per nibble, then sums of eight bytes.
__m256i bitsInEach(__m256i v)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i bytes = _mm256_add_epi8(_mm256_shuffle_epi8(table, _mm256_and_si256(v, low)),
                                          _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(v, 4), low)));
    return _mm256_sad_epu8(bytes, _mm256_setzero_si256());
}

void countPairs(const std::uint32_t* words, std::uint32_t* counts, std::size_t size)
{
    std::size_t i = 0;
    for (; i + kLanes <= size; i += kLanes)
    {
        const __m256i a = bitsInEach(load(words + 2 * i)), b = bitsInEach(load(words + 2 * i + kLanes));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(counts + i), lowerHalves(a, b));
    }
    countPairsScalar(words + 2 * i, counts + i, size - i);
}

void addPairs(const std::uint32_t* below, std::uint32_t* counts, std::size_t size)
{
    std::size_t i = 0;
    for (; i + kLanes <= size; i += kLanes)
    {
        const __m256i sums = _mm256_hadd_epi32(load(below + 2 * i), load(below + 2 * i + kLanes));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(counts + i), _mm256_permute4x64_epi64(sums, 0xd8));
    }
    addPairsScalar(below + 2 * i, counts + i, size - i);
}

void countThreeLevels(const std::uint32_t* words, std::uint32_t* deepest, std::uint32_t* middle, std::uint32_t* highest,
                      std::size_t size)
{
    constexpr std::size_t kPiece = 256;  // 8 KiB of words, in the L1 cache with their counts
    for (std::size_t i = 0; i < size; i += kPiece)
    {
        const std::size_t piece = size - i < kPiece ? size - i : kPiece;
        countPairs(words + 8 * i, deepest + 4 * i, 4 * piece);
        addPairs(deepest + 4 * i, middle + 2 * i, 2 * piece);
        addPairs(middle + 2 * i, highest + i, piece);
    }
}

}  // namespace

const WordKernels kAvx2WordKernels = {"avx2", countPairs, countThreeLevels, addPairs, recountScalar, decodeScalar};

}  // namespace orogen
#pragma GCC pop_options
#endif
