// Addition by recursion, as the paper describes it for one processor: the carries of n words follow from C + T, two
// numbers of n bits, and their sum is again an addition, of n / 32 words, down to one warp.  The ballots of a warp are
// its words of C and T.  5 limbs of traffic a limb, since the sums wait in memory for their carries.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

constexpr unsigned kRecursiveThreads = 256;

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

// What this thread works on, where the launch begins with `first`, a multiple of the block's threads.
OROGEN_DEVICE inline std::uint64_t ownPlace(std::uint64_t first)
{
    return first + std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
}

// One criterion word from each warp, whose threads stand at `place`.
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

OROGEN_DEVICE inline void sumLimbs(const LimbsArguments& arguments)
{
    const Summands& sum = arguments.sum;
    const std::uint64_t i = ownPlace(arguments.first);
    const bool inside = i < sum.count;
    const std::uint64_t x = inside ? sum.x[i] : 0, z = x + (inside ? sum.y[i] ^ sum.yFlip : 0);
    if (inside) sum.z[i] = z;
    putCriteria(arguments.words, i, z < x, z == ~std::uint64_t(0));
}

OROGEN_DEVICE inline void sumCriteria(const WordsArguments& arguments)
{
    const CriterionWords& words = arguments.words;
    const std::uint64_t i = ownPlace(arguments.first);
    const bool inside = i < words.count;
    const std::uint32_t c = inside ? criterionC(words, i) : 0, sum = c + (inside ? words.propagate[i] : 0);
    if (inside) words.sum[i] = sum;
    putCriteria(arguments.above, i, sum < c, sum == ~std::uint32_t(0));
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
    const std::uint64_t i = ownPlace(arguments.first);
    if (i < arguments.words.count) arguments.words.sum[i] += carryInto(arguments.above, i);
}

OROGEN_DEVICE inline void correctLimbs(const LimbsArguments& arguments)
{
    const std::uint64_t i = ownPlace(arguments.first);
    if (i > arguments.sum.count) return;
    const std::uint32_t carry = carryInto(arguments.words, i);
    if (i < arguments.sum.count)
        arguments.sum.z[i] += carry;
    else
        arguments.control->carryOut = carry;
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(sumLimbs, LimbsArguments, kRecursiveThreads)
OROGEN_KERNEL(sumCriteria, WordsArguments, kRecursiveThreads)
OROGEN_KERNEL(sumLastCriteria, CriterionWords, kWarpLanes)
OROGEN_KERNEL(correctCriteria, WordsArguments, kRecursiveThreads)
OROGEN_KERNEL(correctLimbs, LimbsArguments, kRecursiveThreads)

}  // namespace orogen::compute
