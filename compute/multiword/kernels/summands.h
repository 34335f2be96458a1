// Operands of the multiword addition kernels, and the carry step that recursive.h and tiles.h use.
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

// Results other than z, and state between launches. The host zeroes all members before the first addition only.
// "lookback" and "paper-3" are two of the algorithms, see tiles.h and paper3.h.
struct AddControl
{
    std::uint32_t carryOut;                  // 0 or 1
    std::uint32_t tickets;                   // lookback: tiles given to blocks in all additions (mod 2^32)
    std::uint64_t halves;                    // paper-3: half iterations done
    std::uint64_t lastChange;                // paper-3: last iteration (from 1) that changed a carry
    std::uint64_t words, vectors, barriers;  // paper-3: operations of processor 0
};

namespace OROGEN_TARGET {

// Return limb i of x and of y xor yFlip. Limbs past the end propagate a carry, so that the last limb's carry out also
// leaves the padded number.
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
    std::uint32_t entering;  // bit i: carry into word i
    std::uint32_t leaving;   // carry out of word 31
};

// Finds the carries of a group of 32 words as in paper 001 (see limbs.h). Bit i of `generate`: word i carries out by
// itself. Bit i of `propagate`: the sum of word i is all ones. No bit is set in both. C = 2 generate + carry holds the
// carries known to enter, and T = propagate. All carries that enter are (C + T) xor T, and the group carries out if C +
// T does.
OROGEN_DEVICE inline Carries resolve(std::uint32_t generate, std::uint32_t propagate, std::uint32_t carry)
{
    const std::uint64_t sum = (std::uint64_t(generate) << 1 | carry) + propagate;
    return {std::uint32_t(sum) ^ propagate, std::uint32_t(sum >> 32)};
}

}  // namespace OROGEN_TARGET
}  // namespace orogen::compute
