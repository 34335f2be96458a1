// Addition by recursion, as the paper describes it for one processor: the carries of n words follow from C + T, two
// numbers of n bits, and their sum is again an addition, of n / 32 words, down to one warp.  The ballots of a warp are
// its words of C and T.  5 limbs of traffic a limb, since the sums wait in memory for their carries.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

constexpr unsigned kRecursiveThreads = 256;
constexpr unsigned kRecursiveRows = 4;  // limbs, or words, a thread
constexpr unsigned kRecursivePlaces = kRecursiveThreads * kRecursiveRows;

// C and T of the level below, as numbers in words of 32 bits.  C is kept unshifted: bit i says that word i below
// carries out, and so enters word i + 1.
struct CriterionWords
{
    std::uint32_t* generate;
    std::uint32_t* propagate;
    std::uint32_t* sum;     // C + T: first without carries between words, at last with them
    std::uint64_t count;    // words of 32 bits
    std::uint32_t carryIn;  // bit 0 of C
};

struct LimbsArguments
{
    Summands sum;
    CriterionWords words;  // of the limbs, with one bit for the carry out of the last
    AddControl* control;
    std::uint64_t first;  // limb of this launch
};

struct WordsArguments
{
    CriterionWords words, above;  // above: the criterion words of these words
    std::uint64_t first;          // word of this launch
};

namespace OROGEN_TARGET {

// What this thread works on, a row at a time: a warp has rows of 32 neighbours.  The launch begins with `first`, a
// multiple of kRecursivePlaces.
OROGEN_DEVICE inline std::uint64_t placeInRow(std::uint64_t first, unsigned row)
{
    const std::uint64_t warp = (std::uint64_t(blockIndex().x) * kRecursiveThreads + threadIndex().x) / kWarpLanes;
    return first + (warp * kRecursiveRows + row) * kWarpLanes + laneIndex();
}

// One criterion word from each row of a warp; this thread stands at `place`.
OROGEN_DEVICE inline void putCriteria(const CriterionWords& words, std::uint64_t place, bool generate, bool propagate)
{
    const std::uint64_t at = place / kWarpLanes;
    const std::uint32_t generates = ballot(kAllLanes, generate), propagates = ballot(kAllLanes, propagate);
    if (laneIndex() != 0 || at >= words.count) return;
    words.generate[at] = generates;
    words.propagate[at] = propagates;
}

// The carry into word i of the level below.
OROGEN_DEVICE inline std::uint32_t carryInto(const CriterionWords& words, std::uint64_t i)
{
    return (words.sum[i / 32] ^ words.propagate[i / 32]) >> i % 32 & 1u;
}

OROGEN_DEVICE inline std::uint32_t criterionC(const CriterionWords& words, std::uint64_t i)
{
    return words.generate[i] << 1 | (i > 0 ? words.generate[i - 1] >> 31 : words.carryIn);
}

// Each of the kernels below loads all its rows before it needs the first, so that their loads are in flight together.
OROGEN_DEVICE inline void sumLimbs(const LimbsArguments& arguments)
{
    const Summands& sum = arguments.sum;
    std::uint64_t x[kRecursiveRows], y[kRecursiveRows];
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
    {
        const std::uint64_t i = placeInRow(arguments.first, row);
        x[row] = i < sum.count ? sum.x[i] : 0;
        y[row] = i < sum.count ? sum.y[i] ^ sum.yFlip : 0;
    }
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
    {
        const std::uint64_t i = placeInRow(arguments.first, row), z = x[row] + y[row];
        if (i < sum.count) sum.z[i] = z;
        putCriteria(arguments.words, i, z < x[row], z == ~std::uint64_t(0));
    }
}

OROGEN_DEVICE inline void sumCriteria(const WordsArguments& arguments)
{
    const CriterionWords& words = arguments.words;
    std::uint32_t c[kRecursiveRows], t[kRecursiveRows];
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
    {
        const std::uint64_t i = placeInRow(arguments.first, row);
        c[row] = i < words.count ? criterionC(words, i) : 0;
        t[row] = i < words.count ? words.propagate[i] : 0;
    }
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
    {
        const std::uint64_t i = placeInRow(arguments.first, row);
        const std::uint32_t sum = c[row] + t[row];
        if (i < words.count) words.sum[i] = sum;
        putCriteria(arguments.above, i, sum < c[row], sum == ~std::uint32_t(0));
    }
}

// The last level, of 32 words at most: one warp.
OROGEN_DEVICE inline void sumLastCriteria(const CriterionWords& words)
{
    const unsigned i = laneIndex();
    const bool inside = i < words.count;
    const std::uint32_t c = inside ? criterionC(words, i) : 0, sum = c + (inside ? words.propagate[i] : 0);
    const std::uint32_t generate = ballot(kAllLanes, sum < c), propagate = ballot(kAllLanes, sum == ~std::uint32_t(0));
    if (inside) words.sum[i] = sum + (resolve(generate, propagate, 0).entering >> i & 1u);
}

OROGEN_DEVICE inline void correctCriteria(const WordsArguments& arguments)
{
    const CriterionWords& words = arguments.words;
    std::uint32_t sum[kRecursiveRows];
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
    {
        const std::uint64_t i = placeInRow(arguments.first, row);
        sum[row] = i < words.count ? words.sum[i] + carryInto(arguments.above, i) : 0;
    }
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
        if (const std::uint64_t i = placeInRow(arguments.first, row); i < words.count) words.sum[i] = sum[row];
}

OROGEN_DEVICE inline void correctLimbs(const LimbsArguments& arguments)
{
    const Summands& sum = arguments.sum;
    std::uint64_t z[kRecursiveRows];
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
    {
        const std::uint64_t i = placeInRow(arguments.first, row);
        z[row] = i < sum.count ? sum.z[i] : 0;
        if (i <= sum.count) z[row] += carryInto(arguments.words, i);
    }
    OROGEN_UNROLL
    for (unsigned row = 0; row < kRecursiveRows; ++row)
    {
        const std::uint64_t i = placeInRow(arguments.first, row);
        if (i < sum.count) sum.z[i] = z[row];
        if (i == sum.count) arguments.control->carryOut = std::uint32_t(z[row]);
    }
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(sumLimbs, LimbsArguments, kRecursiveThreads)
OROGEN_KERNEL(sumCriteria, WordsArguments, kRecursiveThreads)
OROGEN_KERNEL(sumLastCriteria, CriterionWords, kWarpLanes)
OROGEN_KERNEL(correctCriteria, WordsArguments, kRecursiveThreads)
OROGEN_KERNEL(correctLimbs, LimbsArguments, kRecursiveThreads)

}  // namespace orogen::compute
