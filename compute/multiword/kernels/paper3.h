// Algorithm 3 of paper 001 (Tereshchenko, Zadiraka): words of 16 bits, one processor per group of 16, carries that
// advance by one group per iteration. The printed version gives wrong sums
// (tests/compute/multiword/printed_algorithm3.h keeps it). This file makes four corrections. Only processor p - 1
// writes C_p. There is a barrier before the loop, and one between step 19 and the next step 16. There are k iterations,
// not k - 1.
//
// Here k is the number of groups, and C_p the carry into group p. Bit i of a group's word C1 is set if word i - 1
// generates a carry. Bit i of T1 is set if the sum of word i is all ones.
//
// Three kernels can each be split into launches of bounded time. paper3Sums does steps 1 to 13 for a range of groups.
// paper3Iterations does some half iterations (steps 14 to 18, and 19 and 20). paper3Corrections does steps 22 to 27.
// All state between launches is in C, in the groups' words and in AddControl, so every split gives the same bits.
//
// Operations of one processor for k groups, counted where they are done. On vectors: 15, as printed. On words: 5k + 12,
// where the paper prints 4k + 59. Step 17 adds before it compares, which the paper does not count: this adds k. Step 2
// is omitted, since processor k - 1 writes C_k: this saves 1. The correction loop (steps 23 to 25, 48 operations) is (C
// + T) xor T here, 2 operations: this saves 46.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

constexpr unsigned kPaper3GroupThreads = 256;  // block size of paper3Sums and paper3Corrections
constexpr unsigned kPaper3Threads = 1024;      // maximum block size of the iterations: fewer blocks, faster barriers
constexpr unsigned kGroupLimbs = 4;            // 16 words of 16 bits

struct Paper3Arguments
{
    Summands sum;
    AddControl* control;
    std::uint64_t groups;      // k
    std::uint32_t* carry;      // C, groups + 1 entries
    std::uint32_t* words;      // C1 and T1 of each group, packed (GroupWords)
    std::uint64_t first;       // first group of this launch, a multiple of kPaper3GroupThreads; unused by iterations
    std::uint64_t halves;      // maximum number of half iterations in this launch; 2k in total
    std::uint32_t untilStill;  // 1: stop after an iteration that changed no carry
};

namespace OROGEN_TARGET {

// ---- a processor ----
//
// Operations of a processor of the paper's Algorithm 3: on vectors of 16 words of 16 bits, and on single words. Each
// operation counts itself, so that the reported counts are those executed. A GPU compiler folds the counts of
// straight-line code into one number.

struct Vector16
{
    static constexpr unsigned kWords = 16;

    std::uint16_t word[kWords];
};

struct PaperProcessor
{
    std::uint64_t words = 0, vectors = 0;  // operations executed

    OROGEN_DEVICE std::uint32_t word(std::uint32_t result) { return ++words, result; }

    // Steps 3 and 27: adds modulo 2^16.
    OROGEN_DEVICE Vector16 sum(const Vector16& a, const Vector16& b)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i]) + b.word[i]; });
    }
    // Step 4: returns a vector of 0 and 1.
    OROGEN_DEVICE Vector16 less(const Vector16& a, const Vector16& b)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i] < b.word[i]); });
    }
    OROGEN_DEVICE Vector16 either(const Vector16& a, const Vector16& b)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i] | b.word[i]); });
    }
    // Step 6: moves each word up by one place; the lowest word also stays.
    OROGEN_DEVICE Vector16 movedUp(const Vector16& a)
    {
        return vector([&](unsigned i) { return std::uint32_t(a.word[i > 0 ? i - 1 : 0]); });
    }
    // Steps 8 and 9: returns 2^i where word i equals `wanted`, else 0.
    OROGEN_DEVICE Vector16 weighted(const Vector16& a, std::uint32_t wanted)
    {
        return vector([&](unsigned i) { return a.word[i] == wanted ? 1u << i : 0u; });
    }
    // Step 26: sets word i to bit i.
    OROGEN_DEVICE Vector16 unpacked(std::uint32_t bits)
    {
        return vector([&](unsigned i) { return std::uint32_t((bits & 1u << i) != 0); });
    }

    // Steps 10 and 12, or 11 and 13: sums the words of a weighted vector, by three additions of vectors and three of
    // words.
    OROGEN_DEVICE std::uint32_t packed(const Vector16& a)
    {
        constexpr unsigned kQuarter = Vector16::kWords / 4;
        std::uint32_t quarter[kQuarter] = {a.word[0], a.word[1], a.word[2], a.word[3]};
        OROGEN_UNROLL
        for (unsigned part = 1; part < 4; ++part, ++vectors)
            OROGEN_UNROLL
        for (unsigned i = 0; i < kQuarter; ++i)
            quarter[i] += a.word[part * kQuarter + i];
        return word(word(word(quarter[0] + quarter[1]) + quarter[2]) + quarter[3]);
    }

private:
    // Applies `lane` to each word and counts one vector operation.
    template <class Lane>
    OROGEN_DEVICE Vector16 vector(Lane lane)
    {
        ++vectors;
        Vector16 result;
        OROGEN_UNROLL
        for (unsigned i = 0; i < Vector16::kWords; ++i)
            result.word[i] = std::uint16_t(lane(i));
        return result;
    }
};

// ---- steps ----

// Words of one group. Packed, they are 32 bits: C1 in the low half, T1 in the high half. Bit 0 of C1 is free, since no
// carry of the group itself enters its first word. This bit keeps `handsOn`.
struct GroupWords
{
    std::uint32_t c, t;
    std::uint32_t handsOn;  // carry out of the group, which step 19 publishes after the barrier

    OROGEN_DEVICE static GroupWords unpacked(std::uint32_t words) { return {words & 0xfffeu, words >> 16, words & 1u}; }
    OROGEN_DEVICE std::uint32_t packed() const { return t << 16 | c | handsOn; }
};

// Limbs of one group.
struct GroupLimbs
{
    std::uint64_t limb[kGroupLimbs];

    // Loads from limb `from` on; limbs past the end of the number are `beyond`.
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

// Returns the group that this thread processes.
OROGEN_DEVICE inline std::uint64_t ownGroup(const Paper3Arguments& arguments)
{
    return arguments.first + std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
}

// Steps 3 to 13: stores the group's sums without carries in z, and its criterion words.
OROGEN_DEVICE inline void sumGroup(const Paper3Arguments& arguments, std::uint64_t group, PaperProcessor& processor)
{
    const Summands& sum = arguments.sum;
    const std::uint64_t at = group * kGroupLimbs;  // limbs past the end propagate: x all ones, y 0 after the flip
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
    control.barriers = 1;  // barrier before the loop: the end of this kernel's last launch
}

// Returns the operations of processor 0, and 0 for the others: in an iteration all processors do the same number.
OROGEN_DEVICE inline std::uint64_t wordsOfFirst(std::uint64_t group, const PaperProcessor& processor)
{
    return group == 0 ? processor.words : 0;
}

// Steps 16 and 17: finds whether the group carries out, given the carries known so far.
OROGEN_DEVICE inline std::uint64_t foresee(const Paper3Arguments& arguments, std::uint64_t group)
{
    PaperProcessor processor;
    GroupWords words = GroupWords::unpacked(arguments.words[group]);
    const std::uint32_t f = processor.word(words.c | processor.word(arguments.carry[group] & 1u));
    words.handsOn = processor.word(processor.word(f + words.t) >> 16);
    arguments.words[group] = words.packed();
    return wordsOfFirst(group, processor);
}

// Step 19: publishes the carry out of the group.
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
    if (first != 0 || half == before) return;  // no barrier: only later launches read the fields below
    control.halves = half;
    control.words += words;
    control.barriers += half - before;
}

// Steps 22 to 27: adds the carries to the group's sums.
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
