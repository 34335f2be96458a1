// Addition by recursion, as paper 001 (see multiword.h) describes it for one processor. C marks each word whose lower
// neighbour generates a carry, T each word whose sum is all ones, so that it propagates one. The carries into n words
// follow from the sum of C and T, two numbers of n bits. This is an addition of n / 32 words, which is solved in the
// same way, and so on down to one warp. A warp finds its words of C and T by ballots. Memory traffic is 5 limbs per
// limb, since the sums wait in memory for their carries.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

constexpr unsigned kRecursiveThreads = 256;
constexpr unsigned kRecursiveRows = 4;                                     // limbs, or words, per thread
constexpr unsigned kRecursivePlaces = kRecursiveThreads * kRecursiveRows;  // limbs, or words, per block

// Criterion words of one level, of 32 bits: they describe the places of the level below, which are limbs or criterion
// words. C is stored unshifted: a bit of `generate` means that its place carries out.
struct CriterionWords
{
    std::uint32_t* generate;
    std::uint32_t* propagate;
    std::uint32_t* sum;     // C + T: first without carries between words, finally with them
    std::uint64_t count;    // number of words of 32 bits
    std::uint32_t carryIn;  // carry into the lowest word
};

struct LimbsArguments
{
    Summands sum;
    CriterionWords words;  // criterion words of the limbs, plus one bit for the last carry out
    AddControl* control;
    std::uint64_t first;  // first limb of this launch
};

struct WordsArguments
{
    CriterionWords words, above;  // above: the criterion words of these words
    std::uint64_t first;          // first word of this launch
};

namespace OROGEN_TARGET {

// Returns the place of this thread in `row`; each row of a warp is 32 adjacent places. `first` is the first place of
// the launch, a multiple of kRecursivePlaces.
OROGEN_DEVICE inline std::uint64_t placeInRow(std::uint64_t first, unsigned row)
{
    const std::uint64_t warp = (std::uint64_t(blockIndex().x) * kRecursiveThreads + threadIndex().x) / kWarpLanes;
    return first + (warp * kRecursiveRows + row) * kWarpLanes + laneIndex();
}

// Writes one criterion word for a row of a warp; `place` is that of this thread.
OROGEN_DEVICE inline void putCriteria(const CriterionWords& words, std::uint64_t place, bool generate, bool propagate)
{
    const std::uint64_t at = place / kWarpLanes;
    const std::uint32_t generates = ballot(kAllLanes, generate), propagates = ballot(kAllLanes, propagate);
    if (laneIndex() != 0 || at >= words.count) return;
    words.generate[at] = generates;
    words.propagate[at] = propagates;
}

// Returns the carry into place i of the level that `words` describes.
OROGEN_DEVICE inline std::uint32_t carryInto(const CriterionWords& words, std::uint64_t i)
{
    return (words.sum[i / 32] ^ words.propagate[i / 32]) >> i % 32 & 1u;
}

OROGEN_DEVICE inline std::uint32_t criterionC(const CriterionWords& words, std::uint64_t i)
{
    return words.generate[i] << 1 | (i > 0 ? words.generate[i - 1] >> 31 : words.carryIn);
}

// Each kernel below loads all its rows before it uses the first, so that the loads overlap.
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

// Adds the last level, of at most 32 words, with one warp.
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
