// Loops of limbs.h by AVX2. A block of 16 limbs is four vectors. If none of its limbs propagates a carry, which is the
// common case, the carries are found within the vector registers. Otherwise the block builds criterion words C and T
// (limbs.h). limb_kernels_avx512.cpp has the same structure; here lane masks come from a table.
//
// kSubtract: subtracts, and carries are borrows. kStream: stores bypass the caches.
#if defined(__x86_64__)
#include <cstdint>

#include <immintrin.h>

#include "compute/multiword/limbs.h"

#include "core/base/target_avx2.h"

namespace orogen::compute {
namespace {

constexpr std::size_t kLanes = 4, kVectors = 4, kStride = kLanes * kVectors;
constexpr std::uintptr_t kVectorBytes = 32;
constexpr std::size_t kWorthAligning = 8 * kStride;  // limbs from which aligned stores to the sum are faster

// kLanesOf[m]: vector with -1 in the lanes whose bit of m is set.
alignas(32) constexpr std::int64_t kLanesOf[16][4] = {
    {0, 0, 0, 0},   {-1, 0, 0, 0},   {0, -1, 0, 0},   {-1, -1, 0, 0},  {0, 0, -1, 0},  {-1, 0, -1, 0},
    {0, -1, -1, 0}, {-1, -1, -1, 0}, {0, 0, 0, -1},   {-1, 0, 0, -1},  {0, -1, 0, -1}, {-1, -1, 0, -1},
    {0, 0, -1, -1}, {-1, 0, -1, -1}, {0, -1, -1, -1}, {-1, -1, -1, -1}};

__m256i lanesOf(std::uint64_t bits) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(kLanesOf[bits & 15])); }
__m256i lanesBelow(std::size_t lane) { return lanesOf((1u << lane) - 1); }
__m256i load(const Limb* limbs) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(limbs)); }
__m256i loadSome(const Limb* limbs, __m256i used)
{
    return _mm256_maskload_epi64(reinterpret_cast<const long long*>(limbs), used);
}
void storeSome(Limb* limbs, __m256i used, __m256i v)
{
    _mm256_maskstore_epi64(reinterpret_cast<long long*>(limbs), used, v);
}
unsigned signBits(__m256i v) { return unsigned(_mm256_movemask_pd(_mm256_castsi256_pd(v))); }
__m256i signOf(bool carry) { return _mm256_set1_epi64x(-std::int64_t(carry)); }
bool highestLane(__m256i v) { return signBits(v) >> (kLanes - 1); }

template <bool kSubtract>
__m256i sumOf(__m256i a, __m256i b)
{
    return kSubtract ? _mm256_sub_epi64(a, b) : _mm256_add_epi64(a, b);
}

// Returns each lane's carry in its highest bit: the majority of a, b and not s. A borrow is the majority of not a, b
// and s.
template <bool kSubtract>
__m256i carrySigns(__m256i a, __m256i b, __m256i s)
{
    if constexpr (kSubtract)
        return _mm256_or_si256(_mm256_andnot_si256(a, _mm256_or_si256(b, s)), _mm256_and_si256(b, s));
    else
        return _mm256_or_si256(_mm256_andnot_si256(s, _mm256_or_si256(a, b)), _mm256_and_si256(a, b));
}

template <bool kSubtract>
__m256i propagatingLanes(__m256i s)
{
    return _mm256_cmpeq_epi64(s, kSubtract ? _mm256_setzero_si256() : _mm256_set1_epi64x(-1));
}

// Adds (subtracts) the carries; `carries` is -1 in the lanes that have one.
template <bool kSubtract>
__m256i corrected(__m256i s, __m256i carries)
{
    return kSubtract ? _mm256_add_epi64(s, carries) : _mm256_sub_epi64(s, carries);
}

template <bool kStream>
void store(Limb* limbs, __m256i v)
{
    if constexpr (kStream)
        _mm256_stream_si256(reinterpret_cast<__m256i*>(limbs), v);
    else
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(limbs), v);
}

// Adds up to four limbs. Bit `limbs` of `carries` is the carry out.
template <bool kSubtract>
bool addFew(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry)
{
    const __m256i used = lanesBelow(limbs), x = loadSome(a, used), y = loadSome(b, used), s = sumOf<kSubtract>(x, y);
    const unsigned generates = signBits(carrySigns<kSubtract>(x, y, s));
    const unsigned propagates = signBits(_mm256_and_si256(propagatingLanes<kSubtract>(s), used));
    const unsigned carries = (2 * generates + carry + propagates) ^ propagates;
    storeSome(sum, used, corrected<kSubtract>(s, lanesOf(carries)));
    return carries >> limbs & 1;
}

// Moves the lanes of v up by one, and the highest lane of `below` into the lowest.
__m256i fromBelow(__m256i v, __m256i below)
{
    constexpr int kUp = 0x93;
    return _mm256_blend_epi32(_mm256_permute4x64_epi64(v, kUp), _mm256_permute4x64_epi64(below, kUp), 0x03);
}

// Adds kStride limbs, some of which propagate. carries[j] is -1 where the limb below a lane of s[j] generates. `top`
// tells whether the highest limb generates. Returns the carry out.
template <bool kSubtract, bool kStream>
__attribute__((always_inline)) inline bool addThroughCriteria(Limb* sum, const __m256i* s, const __m256i* carries,
                                                              bool top)
{
    unsigned c = 0, t = 0;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
    {
        c |= signBits(carries[j]) << (kLanes * j);
        t |= signBits(propagatingLanes<kSubtract>(s[j])) << (kLanes * j);
    }
    const unsigned total = c + t, all = total ^ t;
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
        store<kStream>(sum + kLanes * j, corrected<kSubtract>(s[j], lanesOf(all >> (kLanes * j))));
    return top || total >> kStride;
}

// Adds kStride limbs. The highest lane of `last` is -1 if a carry enters. The highest lane of the result is -1 if a
// carry leaves.
template <bool kSubtract, bool kStream>
__attribute__((always_inline)) inline __m256i addBlock(Limb* sum, const Limb* a, const Limb* b, __m256i last)
{
    __m256i s[kVectors], carries[kVectors], anyPropagates = _mm256_setzero_si256();
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
    {
        const __m256i x = load(a + kLanes * j), y = load(b + kLanes * j);
        s[j] = sumOf<kSubtract>(x, y);
        const __m256i signs = _mm256_cmpgt_epi64(_mm256_setzero_si256(), carrySigns<kSubtract>(x, y, s[j]));
        anyPropagates = _mm256_or_si256(anyPropagates, propagatingLanes<kSubtract>(s[j]));
        carries[j] = fromBelow(signs, last);
        last = signs;
    }
    if (__builtin_expect(!_mm256_testz_si256(anyPropagates, anyPropagates), 0))
        return signOf(addThroughCriteria<kSubtract, kStream>(sum, s, carries, highestLane(last)));
#pragma GCC unroll 4
    for (std::size_t j = 0; j < kVectors; ++j)
        store<kStream>(sum + kLanes * j, corrected<kSubtract>(s[j], carries[j]));
    return last;
}

// Returns the number of limbs before the next aligned vector of the sum.
std::size_t limbsToAlignment(const Limb* sum)
{
    return (kVectorBytes - reinterpret_cast<std::uintptr_t>(sum) % kVectorBytes) / sizeof(Limb) % kLanes;
}

template <bool kSubtract, bool kStream>
bool add(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry)
{
    std::size_t i = 0;
    if (kStream || limbs >= kWorthAligning)
    {
        i = limbsToAlignment(sum) < limbs ? limbsToAlignment(sum) : limbs;
        carry = addFew<kSubtract>(sum, a, b, i, carry);
    }
    __m256i last = signOf(carry);
    for (; i + kStride <= limbs; i += kStride)
        last = addBlock<kSubtract, kStream>(sum + i, a + i, b + i, last);
    if constexpr (kStream) _mm_sfence();
    carry = highestLane(last);
    for (; i < limbs; i += kLanes)
        carry = addFew<kSubtract>(sum + i, a + i, b + i, limbs - i < kLanes ? limbs - i : kLanes, carry);
    return carry;
}

template <bool kStream>
void limbwise(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs)
{
    const std::size_t before = limbsToAlignment(sum) < limbs ? limbsToAlignment(sum) : limbs;
    std::size_t i = 0;
    for (; i < before; ++i)
        sum[i] = a[i] + b[i];
    for (; i + kLanes <= limbs; i += kLanes)
        store<kStream>(sum + i, _mm256_add_epi64(load(a + i), load(b + i)));
    if constexpr (kStream) _mm_sfence();
    for (; i < limbs; ++i)
        sum[i] = a[i] + b[i];
}

// Adds at most kBlockLimbs limbs without carries between them. Writes the words of generating and propagating limbs.
template <bool kSubtract>
void blockSums(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, Limb& generates, Limb& propagates)
{
    std::uint64_t g = 0, t = 0;
    for (std::size_t i = 0; i < limbs; i += kLanes)
    {
        const __m256i used = lanesBelow(limbs - i < kLanes ? limbs - i : kLanes);
        const __m256i x = loadSome(a + i, used), y = loadSome(b + i, used), s = sumOf<kSubtract>(x, y);
        g |= std::uint64_t(signBits(carrySigns<kSubtract>(x, y, s))) << i;
        t |= std::uint64_t(signBits(_mm256_and_si256(propagatingLanes<kSubtract>(s), used))) << i;
        storeSome(sum + i, used, s);
    }
    generates = g;
    propagates = t;
}

template <bool kSubtract>
void sums(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, Limb* generates, Limb* propagates)
{
    for (std::size_t i = 0; i < limbs; i += kBlockLimbs)
        blockSums<kSubtract>(sum + i, a + i, b + i, limbs - i < kBlockLimbs ? limbs - i : kBlockLimbs,
                             generates[i / kBlockLimbs], propagates[i / kBlockLimbs]);
}

template <bool kSubtract>
void correct(Limb* sum, std::size_t limbs, const Limb* carries)
{
    for (std::size_t i = 0; i < limbs; i += kLanes)
    {
        const __m256i here = lanesOf(carries[i / kBlockLimbs] >> i % kBlockLimbs);
        if (_mm256_testz_si256(here, here)) continue;
        const __m256i used = lanesBelow(limbs - i < kLanes ? limbs - i : kLanes);
        storeSome(sum + i, used, corrected<kSubtract>(loadSome(sum + i, used), here));
    }
}

}  // namespace

const LimbKernels kAvx2LimbKernels = {"avx2",          add<false, false>, add<true, false>, add<false, true>,
                                      add<true, true>, limbwise<false>,   limbwise<true>,   sums<false>,
                                      sums<true>,      correct<false>,    correct<true>};

}  // namespace orogen::compute

#pragma GCC pop_options
#endif
