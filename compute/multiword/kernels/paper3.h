// The paper's Algorithm 3 (Tereshchenko, Zadiraka): words of 16 bits, one processor a group of 16 of them, carries that
// move on by one group an iteration.  Mended in four places where it gives wrong sums as printed
// (tests/compute/printed_algorithm3.h keeps those): C_p is written by processor p - 1 alone; a barrier stands before
// the loop, and one between step 19 and the next step 16; there are k iterations, not k - 1.
//
// Operations of one processor: in print 4k + 59 on words and 15 on vectors.  Step 17 adds before it compares, which the
// paper does not count: 5k.  Its correction loop (steps 23 to 25, 48 operations) is here (C + T) xor T, 2 operations:
// 5k + 13.
#pragma once

#include "compute/multiword/kernels/summands.h"

namespace orogen::compute {

constexpr unsigned kPaper3Threads = 64;
constexpr unsigned kGroupLimbs = 4;  // 16 words of 16 bits

struct Paper3Arguments
{
    Summands sum;
    AddControl* control;
    std::uint64_t groups;      // k
    std::uint32_t* carry;      // groups + 1: C
    std::uint32_t* words;      // groups: C1 and T1
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

// Steps 3 to 13: the sums of the group's words without carries, in z, and its criterion words.
OROGEN_DEVICE inline void sumGroup(const Paper3Arguments& arguments, std::uint64_t group)
{
    std::uint32_t generate = 0, propagate = 0;
    for (unsigned limb = 0; limb < kGroupLimbs; ++limb)
    {
        const std::uint64_t at = group * kGroupLimbs + limb;
        const std::uint64_t x = limbX(arguments.sum, at), y = limbY(arguments.sum, at);
        std::uint64_t sums = 0;
        for (unsigned word = 0; word < 4; ++word)
        {
            const std::uint32_t sum = std::uint32_t(x >> 16 * word & 0xffff) + std::uint32_t(y >> 16 * word & 0xffff);
            generate |= sum >> 16 << (4 * limb + word);
            propagate |= std::uint32_t((sum & 0xffff) == 0xffff) << (4 * limb + word);
            sums |= std::uint64_t(sum & 0xffff) << 16 * word;
        }
        if (at < arguments.sum.count) arguments.sum.z[at] = sums;
    }
    arguments.words[group] = GroupWords{generate << 1 & 0xffffu, propagate, 0}.packed();
    arguments.carry[group + 1] = generate >> 15;
}

// Steps 16 and 17: does the group carry out, from what is known so far?
OROGEN_DEVICE inline void foresee(const Paper3Arguments& arguments, std::uint64_t group)
{
    GroupWords words = GroupWords::unpacked(arguments.words[group]);
    words.handsOn = ((words.c | (arguments.carry[group] & 1u)) + words.t) >> 16;
    arguments.words[group] = words.packed();
}

// Step 19.
OROGEN_DEVICE inline void handOn(const Paper3Arguments& arguments, std::uint64_t group, std::uint64_t iteration)
{
    if (!GroupWords::unpacked(arguments.words[group]).handsOn || arguments.carry[group + 1]) return;
    arguments.carry[group + 1] = 1;
    if (arguments.untilStill) fetchMax(&arguments.control->lastChange, iteration);
}

// Steps 22 to 27.
OROGEN_DEVICE inline void correctGroup(const Paper3Arguments& arguments, std::uint64_t group)
{
    const GroupWords words = GroupWords::unpacked(arguments.words[group]);
    const std::uint32_t known = words.c | arguments.carry[group];
    const std::uint32_t carries = (known + words.t) ^ words.t;
    for (unsigned limb = 0; limb < kGroupLimbs; ++limb)
    {
        const std::uint64_t at = group * kGroupLimbs + limb;
        if (at >= arguments.sum.count) return;
        const std::uint64_t sums = arguments.sum.z[at];
        std::uint64_t corrected = 0;
        for (unsigned word = 0; word < 4; ++word)
        {
            const std::uint64_t carry = carries >> (4 * limb + word) & 1u;
            corrected |= (((sums >> 16 * word) + carry) & 0xffffu) << 16 * word;
        }
        arguments.sum.z[at] = corrected;
    }
}

OROGEN_DEVICE inline void paper3(const Paper3Arguments& arguments)
{
    const std::uint64_t first = std::uint64_t(blockIndex().x) * blockSize().x + threadIndex().x;
    const std::uint64_t stride = std::uint64_t(gridSize().x) * blockSize().x;
    std::uint64_t words = 11, vectors = 15, barriers = 1;  // steps 1, 2, 5, 7, 12, 13, 22; and all on vectors
    if (first == 0) arguments.carry[0] = arguments.sum.carryIn;
    for (std::uint64_t group = first; group < arguments.groups; group += stride)
        sumGroup(arguments, group);
    syncGrid();
    for (std::uint64_t iteration = 1; iteration <= arguments.groups; ++iteration)
    {
        for (std::uint64_t group = first; group < arguments.groups; group += stride)
            foresee(arguments, group);
        syncGrid();
        for (std::uint64_t group = first; group < arguments.groups; group += stride)
            handOn(arguments, group, iteration);
        syncGrid();
        words += 5;
        barriers += 2;
        if (arguments.untilStill && arguments.control->lastChange < iteration) break;
    }
    for (std::uint64_t group = first; group < arguments.groups; group += stride)
        correctGroup(arguments, group);
    words += 2;
    if (first != 0) return;
    arguments.control->carryOut = arguments.carry[arguments.groups];
    arguments.control->words = words;
    arguments.control->vectors = vectors;
    arguments.control->barriers = barriers;
}

}  // namespace OROGEN_TARGET

OROGEN_KERNEL(paper3, Paper3Arguments, kPaper3Threads)

}  // namespace orogen::compute
