// What the kernels of multiword addition share: the numbers, and the step that all of them are made of.
#pragma once

#include "compute/device/kernel.h"

namespace orogen::compute {

// z = x + (y xor yFlip) + carryIn over `count` limbs, the least significant first.  z may be x or y.
struct Summands
{
    const std::uint64_t* x;
    const std::uint64_t* y;
    std::uint64_t* z;
    std::uint64_t count;    // >= 1
    std::uint64_t yFlip;    // all ones for a subtraction: x - y = x + ~y + 1
    std::uint32_t carryIn;  // 0 or 1
};

// What kernels leave beside z.  All zero before the first addition; additions set what they need anew.
struct AddControl
{
    std::uint32_t carryOut;
    std::uint32_t tickets;                   // lookback: tiles given out, in all additions (mod 2^32)
    std::uint64_t halves;                    // paper-3: of iterations, done so far
    std::uint64_t lastChange;                // paper-3: the last iteration, from 1, that changed a carry
    std::uint64_t words, vectors, barriers;  // paper-3: operations of processor 0
};

namespace OROGEN_TARGET {

// Limbs beyond the end propagate, so that the carry out of the last limb is the carry out of all of them.
OROGEN_DEVICE inline std::uint64_t limbX(const Summands& sum, std::uint64_t i)
{
    return i < sum.count ? sum.x[i] : ~std::uint64_t(0);
}
OROGEN_DEVICE inline std::uint64_t limbY(const Summands& sum, std::uint64_t i)
{
    return i < sum.count ? sum.y[i] ^ sum.yFlip : 0;
}

struct Carries
{
    std::uint32_t entering;  // bit i: into word i
    std::uint32_t leaving;   // of word 31
};

// The paper's step, for a group of 32 words.  Bit i of `generate`: word i carries out by itself; of `propagate`: its
// sum is all ones; never both.  With C = the carries known to enter and T = propagate, all that enter are (C + T) xor
// T, and the group carries out if C + T does.
OROGEN_DEVICE inline Carries resolve(std::uint32_t generate, std::uint32_t propagate, std::uint32_t carry)
{
    const std::uint64_t sum = (std::uint64_t(generate) << 1 | carry) + propagate;
    return {std::uint32_t(sum) ^ propagate, std::uint32_t(sum >> 32)};
}

}  // namespace OROGEN_TARGET
}  // namespace orogen::compute
