// Both trees begin and end alike: the sums without carries, with two bits a limb for what it does to a carry; then,
// when the carries are known, one pass that adds them.  They differ in how the carries are found in between.
#include "compute/multiword/carry_trees.h"

#include <algorithm>
#include <vector>

namespace orogen::compute {
namespace {

constexpr Limb kEvenBits = 0x5555555555555555;

std::size_t wordsFor(std::size_t bits) { return (bits + kBlockLimbs - 1) / kBlockLimbs; }

// Sums without carries, and what each limb does, slice by slice.
void findCriteria(const LimbKernels& kernels, const LimbAddition& addition, Limb* generates, Limb* propagates,
                  const std::stop_token& stop)
{
    static_assert(kLimbsBetweenLooks % kBlockLimbs == 0);
    const LimbKernels::Sums sums = addition.subtract ? kernels.differences : kernels.sums;
    for (std::size_t i = 0; i < addition.limbs && !stop.stop_requested(); i += kLimbsBetweenLooks)
        sums(addition.sum + i, addition.a + i, addition.b + i, std::min(kLimbsBetweenLooks, addition.limbs - i),
             generates + i / kBlockLimbs, propagates + i / kBlockLimbs);
}

void applyCarries(const LimbKernels& kernels, const LimbAddition& addition, const Limb* carries,
                  const std::stop_token& stop)
{
    const LimbKernels::Correct correct = addition.subtract ? kernels.subtractCarries : kernels.addCarries;
    for (std::size_t i = 0; i < addition.limbs && !stop.stop_requested(); i += kLimbsBetweenLooks)
        correct(addition.sum + i, std::min(kLimbsBetweenLooks, addition.limbs - i), carries + i / kBlockLimbs);
}

// ---- the tree ----

// The bits at even places, moved together.
Limb gatherEven(Limb x)
{
    x &= kEvenBits;
    x = (x | x >> 1) & 0x3333333333333333;
    x = (x | x >> 2) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x >> 4) & 0x00ff00ff00ff00ff;
    x = (x | x >> 8) & 0x0000ffff0000ffff;
    return (x | x >> 16) & 0x00000000ffffffff;
}

// The reverse, for 32 bits.
Limb spreadToEven(Limb x)
{
    x &= 0x00000000ffffffff;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & kEvenBits;
}

// Nodes of one depth, a bit each.  Bits beyond the last one propagate.
struct Level
{
    std::vector<Limb> generates, propagates;
    std::size_t nodes = 0;

    explicit Level(std::size_t count) : generates(wordsFor(count)), propagates(wordsFor(count)), nodes(count) {}
    void padWithPropagating()
    {
        if (nodes % kBlockLimbs != 0) propagates.back() |= ~Limb(0) << nodes % kBlockLimbs;
    }
};

// The level of the pairs of this one's nodes.
Level above(const Level& below)
{
    Level level((below.nodes + 1) / 2);
    for (std::size_t word = 0; word < below.generates.size(); ++word)
    {
        const Limb g = below.generates[word], t = below.propagates[word];
        const int half = word % 2 == 0 ? 0 : 32;
        level.generates[word / 2] |= gatherEven(g >> 1 | (t >> 1 & g)) << half;
        level.propagates[word / 2] |= gatherEven(t >> 1 & t) << half;
    }
    level.padWithPropagating();
    return level;
}

// Turns what the nodes of `level` generate into the carries that enter them; `entering` are those of the pairs.
void carriesDown(Level& level, const std::vector<Limb>& entering)
{
    for (std::size_t word = 0; word < level.generates.size(); ++word)
    {
        const Limb lower = spreadToEven(entering[word / 2] >> (word % 2 == 0 ? 0 : 32));
        const Limb upper = ((level.generates[word] & kEvenBits) | (level.propagates[word] & lower)) << 1;
        level.generates[word] = lower | upper;
    }
}

}  // namespace

bool addLookahead(const LimbKernels& kernels, const LimbAddition& addition, const std::stop_token& stop)
{
    std::vector<Level> levels;
    levels.emplace_back(addition.limbs);
    findCriteria(kernels, addition, levels[0].generates.data(), levels[0].propagates.data(), stop);
    levels[0].padWithPropagating();
    while (levels.back().nodes > 1 && !stop.stop_requested())
        levels.push_back(above(levels.back()));
    const Level& root = levels.back();
    const bool carryOut = ((root.generates[0] | (root.propagates[0] & Limb(addition.carry))) & 1) != 0;
    levels.back().generates[0] = addition.carry;
    for (std::size_t i = levels.size() - 1; i-- > 0 && !stop.stop_requested();)
        carriesDown(levels[i], levels[i + 1].generates);
    applyCarries(kernels, addition, levels[0].generates.data(), stop);
    return carryOut;
}

bool addRecursive(const LimbKernels& kernels, const LimbAddition& addition, const std::stop_token& stop)
{
    // One bit more than limbs: the carry out is the carry into a limb beyond the last.
    const std::size_t words = addition.limbs / kBlockLimbs + 1;
    std::vector<Limb> c(words), t(words);
    findCriteria(kernels, addition, c.data(), t.data(), stop);
    Limb carry = addition.carry;
    for (Limb& word : c)  // generating limbs to limbs that are entered
    {
        const Limb next = word >> (kBlockLimbs - 1);
        word = word << 1 | carry;
        carry = next;
    }
    if (words == 1)
        c[0] += t[0];
    else
        addRecursive(kernels, {c.data(), c.data(), t.data(), words, false, false}, stop);
    for (std::size_t i = 0; i < words; ++i)
        c[i] ^= t[i];
    applyCarries(kernels, addition, c.data(), stop);
    return c[addition.limbs / kBlockLimbs] >> addition.limbs % kBlockLimbs & 1;
}

}  // namespace orogen::compute
