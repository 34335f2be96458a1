// The paper's Algorithm 3 (Tereshchenko, Zadiraka): words of 16 bits, one processor a group of 16 of them, carries that
// move on by one group an iteration.  Mended in four places where it gives wrong sums as printed
// (tests/compute/printed_algorithm3.h keeps those): C_p is written by processor p - 1 alone; a barrier stands before
// the loop, and one between step 19 and the next step 16; there are k iterations, not k - 1.
//
// Three kernels, so that each can be cut into launches of bounded time: the sums and the criterion words of any groups
// (steps 1 to 13), any number of halves of iterations (14 to 18, and 19 and 20), the corrections of any groups (22 to
// 27).  What an iteration leaves for the next one lies in C and in AddControl, so that every way of cutting gives the
// same bits.
//
// Operations of one processor, counted where they are done: on vectors 15, as in print; on words 4k + 59 in print.
// Step 17 adds before it compares, which the paper does not count: 5k.  Step 2 is left out, since processor k - 1
// writes C_k: 1 less.  The correction loop (steps 23 to 25, 48 operations) is here (C + T) xor T, 2 operations.  So
// 5k + 12.
#pragma once

#include "compute/multiword/kernels/vector16.h"

namespace orogen::compute {

constexpr unsigned kPaper3GroupThreads = 256;  // of the kernels that work on groups
constexpr unsigned kPaper3Threads = 1024;      // of the iterations, at most: fewer blocks meet at a barrier sooner
constexpr unsigned kGroupLimbs = 4;            // 16 words of 16 bits

struct Paper3Arguments
{
    Summands sum;
    AddControl* control;
    std::uint64_t groups;      // k
    std::uint32_t* carry;      // groups + 1: C
    std::uint32_t* words;      // groups: C1 and T1
    std::uint64_t first;       // group of this launch, a multiple of kPaper3GroupThreads; not of the iterations
    std::uint64_t halves;      // of iterations, of this launch, at most: 2k of them are there
    std::uint32_t untilStill;  // stop after an iteration that changed nothing
};

namespace OROGEN_TARGET {

// C1 in the low half and T1 in the high one.  Bit 0 of C1 is free, since no carry of the group's own enters its first
// word: the loop keeps there what it will hand on after the barrier.
struct GroupWords
{
    std::uint32_t c, t;
    std::uint32_t handsOn;

    OROGEN_DEVICE static GroupWords unpacked(std::uint32_t words) { return {words & 0xfffeu, words >> 16, words & 1u}; }
    OROGEN_DEVICE std::uint32_t packed() const { return t << 16 | c | handsOn; }
};

// The limbs of a number in one group.
struct GroupLimbs
{
    std::uint64_t limb[kGroupLimbs];

    // From the limb `from` on; beyond the end of the number `beyond`.
    OROGEN_DEVICE static GroupLimbs loaded(const std::uint64_t* number, std::uint64_t from, std::uint64_t count,
                                           std::uint64_t beyond)
    {
        GroupLimbs limbs;
        const bool whole = from + kGroupLimbs <= count;
        OROGEN_UNROLL
        for (unsigned i = 0; i < kGroupLimbs; i += 2)
        {
            const auto limb = [&](unsigned at) { return from + at < count ? number[from + at] : beyond; };
            const LimbPair pair = whole ? loadPair(number + from + i) : LimbPair{limb(i), limb(i + 1)};
            limbs.limb[i] = pair.low;
            limbs.limb[i + 1] = pair.high;
        }
        return limbs;
    }

    OROGEN_DEVICE void store(std::uint64_t* number, std::uint64_t from, std::uint64_t count) const
    {
        const bool whole = from + kGroupLimbs <= count;
        OROGEN_UNROLL
        for (unsigned i = 0; i < kGroupLimbs; i += 2)
            if (whole) storePair(number + from + i, {limb[i], limb[i + 1]});
        OROGEN_UNROLL
        for (unsigned i = 0; i < kGroupLimbs; ++i)
            if (!whole && from + i < count) number[from + i] = limb[i];
    }

    OROGEN_DEVICE Vector16 words(std::uint64_t flip = 0) const
    {
        Vector16 vector;
        OROGEN_UNROLL
        for (unsigned i = 0; i < Vector16::kWords; ++i)
            vector.word[i] = std::uint16_t((limb[i / 4] ^ flip) >> 16 * (i % 4));
        return vector;
    }
    OROGEN_DEVICE static GroupLimbs of(const Vector16& vector)
    {
        GroupLimbs limbs = {};
        OROGEN_UNROLL
        for (unsigned i = 0; i < Vector16::kWords; ++i)
            limbs.limb[i / 4] |= std::uint64_t(vector.word[i]) << 16 * (i % 4);
        return limbs;
    }
};

// The group that this thread works on.
OROGEN_DEVICE inline std::uint64_t ownGroup(const Paper3Arguments& arguments)
{
    return arguments.first + std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
}

// Steps 3 to 13: the sums of the group's words without carries, in z, and its criterion words.
OROGEN_DEVICE inline void sumGroup(const Paper3Arguments& arguments, std::uint64_t group, PaperProcessor& processor)
{
    const Summands& sum = arguments.sum;
    const std::uint64_t at = group * kGroupLimbs;  // limbs beyond the end propagate: all ones, and 0 once it is flipped
    const Vector16 x16 = GroupLimbs::loaded(sum.x, at, sum.count, ~std::uint64_t(0)).words();
    const Vector16 y16 = GroupLimbs::loaded(sum.y, at, sum.count, sum.yFlip).words(sum.yFlip);
    const Vector16 m16 = processor.sum(x16, y16);
    Vector16 c16 = processor.either(processor.less(m16, x16), processor.less(m16, y16));
    arguments.carry[group + 1] = processor.word(c16.word[Vector16::kWords - 1]);
    c16 = processor.movedUp(c16);
    c16.word[0] = std::uint16_t(processor.word(0));
    c16 = processor.weighted(c16, 1);
    const Vector16 t16 = processor.weighted(m16, 0xffff);
    arguments.words[group] = GroupWords{processor.packed(c16), processor.packed(t16), 0}.packed();
    GroupLimbs::of(m16).store(sum.z, at, sum.count);
}

OROGEN_DEVICE inline void paper3Sums(const Paper3Arguments& arguments)
{
    const std::uint64_t group = ownGroup(arguments);
    if (group >= arguments.groups) return;
    PaperProcessor processor;
    if (group == 0) arguments.carry[0] = processor.word(arguments.sum.carryIn);  // step 1
    sumGroup(arguments, group, processor);
    if (group != 0) return;
    AddControl& control = *arguments.control;
    control.halves = control.lastChange = 0;
    control.words = processor.words;
    control.vectors = processor.vectors;
    control.barriers = 1;  // the end of the last of these launches
}

// Operations count for processor 0 alone: all have the same.
OROGEN_DEVICE inline std::uint64_t wordsOfFirst(std::uint64_t group, const PaperProcessor& processor)
{
    return group == 0 ? processor.words : 0;
}

// Steps 16 and 17: does the group carry out, from what is known so far?
OROGEN_DEVICE inline std::uint64_t foresee(const Paper3Arguments& arguments, std::uint64_t group)
{
    PaperProcessor processor;
    GroupWords words = GroupWords::unpacked(arguments.words[group]);
    const std::uint32_t f = processor.word(words.c | processor.word(arguments.carry[group] & 1u));
    words.handsOn = processor.word(processor.word(f + words.t) >> 16);
    arguments.words[group] = words.packed();
    return wordsOfFirst(group, processor);
}

// Step 19.
OROGEN_DEVICE inline std::uint64_t handOn(const Paper3Arguments& arguments, std::uint64_t group,
                                          std::uint64_t iteration)
{
    PaperProcessor processor;
    const std::uint32_t before = arguments.carry[group + 1];
    const std::uint32_t after = processor.word(before | GroupWords::unpacked(arguments.words[group]).handsOn);
    if (after != before)
    {
        arguments.carry[group + 1] = after;
        if (arguments.untilStill) fetchMax(&arguments.control->lastChange, iteration);
    }
    return wordsOfFirst(group, processor);
}

OROGEN_DEVICE inline void paper3Iterations(const Paper3Arguments& arguments)
{
    AddControl& control = *arguments.control;
    const std::uint64_t first = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    const std::uint64_t stride = std::uint64_t(gridSize().x) * blockSize().x;
    const std::uint64_t before = control.halves;
    std::uint64_t half = before, words = 0;
    for (; half < 2 * arguments.groups && half - before < arguments.halves; ++half)
        if (half % 2 == 0)
        {
            if (arguments.untilStill && control.lastChange < half / 2) break;
            for (std::uint64_t group = first; group < arguments.groups; group += stride)
                words += foresee(arguments, group);
            syncGrid();
        }
        else
        {
            for (std::uint64_t group = first; group < arguments.groups; group += stride)
                words += handOn(arguments, group, half / 2 + 1);
            syncGrid();
        }
    if (first != 0 || half == before) return;  // nobody reads what follows before this launch has ended
    control.halves = half;
    control.words += words;
    control.barriers += half - before;
}

// Steps 22 to 27.
OROGEN_DEVICE inline void correctGroup(const Paper3Arguments& arguments, std::uint64_t group, PaperProcessor& processor)
{
    const GroupWords words = GroupWords::unpacked(arguments.words[group]);
    const std::uint32_t c = processor.word(words.c | arguments.carry[group]);
    const std::uint32_t carries = processor.word(processor.word(c + words.t) ^ words.t);
    const Summands& sum = arguments.sum;
    const std::uint64_t at = group * kGroupLimbs;
    const Vector16 m16 = GroupLimbs::loaded(sum.z, at, sum.count, 0).words();
    GroupLimbs::of(processor.sum(processor.unpacked(carries), m16)).store(sum.z, at, sum.count);
}

OROGEN_DEVICE inline void paper3Corrections(const Paper3Arguments& arguments)
{
    const std::uint64_t group = ownGroup(arguments);
    if (group >= arguments.groups) return;
    PaperProcessor processor;
    correctGroup(arguments, group, processor);
    if (group != 0) return;
    AddControl& control = *arguments.control;
    control.carryOut = arguments.carry[arguments.groups];
    control.words += processor.words;
    control.vectors += processor.vectors;
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(paper3Sums, Paper3Arguments, kPaper3GroupThreads)
OROGEN_KERNEL(paper3Iterations, Paper3Arguments, kPaper3Threads)
OROGEN_KERNEL(paper3Corrections, Paper3Arguments, kPaper3GroupThreads)

}  // namespace orogen::compute
