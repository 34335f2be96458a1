#if defined(__x86_64__)
#include <immintrin.h>

#include "core/cbt/word_kernels.h"

#include "core/base/target_avx512.h"
#pragma GCC target("avx512vpopcntdq")
#include "core/cbt/word_kernels_scalar.h"

namespace orogen {
namespace {

constexpr std::size_t kLanes = 16;

__m512i load(const std::uint32_t* words) { return _mm512_loadu_si512(words); }
__m512i ascending() { return _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); }

// Packs the lower halves of sixteen 64-bit numbers.
__m512i lowerHalves(__m512i a, __m512i b)
{
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    return _mm512_permutex2var_epi32(a, even, b);
}

// Returns sums of adjacent pairs.
__m512i pairSums(__m512i a, __m512i b)
{
    return lowerHalves(_mm512_add_epi32(a, _mm512_srli_epi64(a, 32)), _mm512_add_epi32(b, _mm512_srli_epi64(b, 32)));
}

__m512i sixteenCounts(const std::uint32_t* words)
{
    return lowerHalves(_mm512_popcnt_epi64(load(words)), _mm512_popcnt_epi64(load(words + kLanes)));
}

void countPairs(const std::uint32_t* words, std::uint32_t* counts, std::size_t size)
{
    std::size_t i = 0;
    for (; i + kLanes <= size; i += kLanes)
        _mm512_storeu_si512(counts + i, sixteenCounts(words + 2 * i));
    countPairsScalar(words + 2 * i, counts + i, size - i);
}

void countThreeLevels(const std::uint32_t* words, std::uint32_t* deepest, std::uint32_t* middle, std::uint32_t* highest,
                      std::size_t size)
{
    std::size_t i = 0;
    for (; i + kLanes <= size; i += kLanes)
    {
        __m512i sums[2];
        for (std::size_t half = 0; half < 2; ++half)
        {
            const std::size_t at = 4 * i + 2 * half * kLanes;
            const __m512i left = sixteenCounts(words + 2 * at), right = sixteenCounts(words + 2 * (at + kLanes));
            sums[half] = pairSums(left, right);
            _mm512_storeu_si512(deepest + at, left);
            _mm512_storeu_si512(deepest + at + kLanes, right);
            _mm512_storeu_si512(middle + 2 * i + half * kLanes, sums[half]);
        }
        _mm512_storeu_si512(highest + i, pairSums(sums[0], sums[1]));
    }
    countThreeLevelsScalar(words + 8 * i, deepest + 4 * i, middle + 2 * i, highest + i, size - i);
}

void addPairs(const std::uint32_t* below, std::uint32_t* counts, std::size_t size)
{
    std::size_t i = 0;
    for (; i + kLanes <= size; i += kLanes)
        _mm512_storeu_si512(counts + i, pairSums(load(below + 2 * i), load(below + 2 * i + kLanes)));
    addPairsScalar(below + 2 * i, counts + i, size - i);
}

// Decodes the leaves that start in sixteen bits of the field, and returns the end of the output.  `first`: node of the
// first bit.  `next`: node of the bit where the leaf after these starts.  A leaf of 2^n bits is the ancestor n levels
// above its first bit.
NodeId* decodeSixteen(std::uint32_t bits, NodeId first, NodeId next, NodeId* out)
{
    const __m512i nodes = _mm512_add_epi32(_mm512_set1_epi32(int(first)), ascending());
    const __m512i starts = _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), nodes);
    const __m512i ends =
        _mm512_mask_compress_epi32(_mm512_set1_epi32(int(next)), static_cast<__mmask16>(bits & (bits - 1)), nodes);
    const __m512i below = _mm512_sub_epi32(_mm512_sub_epi32(ends, starts), _mm512_set1_epi32(1));
    const std::uint32_t count = bitsIn(bits);
    _mm512_mask_storeu_epi32(out, static_cast<__mmask16>((1u << count) - 1),
                             _mm512_srlv_epi32(starts, _mm512_popcnt_epi32(below)));
    return out + count;
}

// Decodes a pair of words in which many leaves start.
NodeId* decodeDense(std::uint64_t bits, NodeId first, NodeId* out)
{
    for (NodeId at = 0; at < 64; at += NodeId(kLanes))
    {
        const std::uint32_t here = std::uint32_t(bits >> at) & 0xffffu;
        if (here == 0) continue;
        const std::uint64_t rest = at + kLanes < 64 ? bits >> (at + kLanes) : 0;
        const NodeId next = rest != 0 ? at + NodeId(kLanes) + NodeId(__builtin_ctzll(rest)) : 64;
        out = decodeSixteen(here, first + at, first + next, out);
    }
    return out;
}

// Decodes a pair of words in which every leaf has the tree's maximum depth.
NodeId* decodeFull(NodeId first, NodeId* out)
{
    __m512i nodes = _mm512_add_epi32(_mm512_set1_epi32(int(first)), ascending());
    for (std::size_t i = 0; i < 64; i += kLanes)
    {
        _mm512_storeu_si512(out + i, nodes);
        nodes = _mm512_add_epi32(nodes, _mm512_set1_epi32(int(kLanes)));
    }
    return out + 64;
}

NodeId* decode(const std::uint32_t* words, std::size_t size, NodeId node, NodeId* out)
{
    constexpr std::uint32_t kMany = 10;  // leaves; fewer are faster one by one
    const std::size_t pairs = size / 2;
    for (std::size_t i = 0; i < pairs;)
    {
        const std::uint64_t bits = pairAt(words + 2 * i);
        const NodeId first = node + 64 * NodeId(i);
        const std::size_t covered = bits == 1 ? pairsOfOneLeaf(words, i, pairs) : 1;
        if (bits == ~std::uint64_t(0))
            out = decodeFull(first, out);
        else if (bitsIn(bits) >= kMany)
            out = decodeDense(bits, first, out);
        else
            out = decodeFew(bits, first, NodeId(64 * covered), out);
        i += covered;
    }
    return out;
}

}  // namespace

const WordKernels kAvx512WordKernels = {"avx512", countPairs, countThreeLevels, addPairs, recountScalar, decode};

}  // namespace orogen
#pragma GCC pop_options
#endif
