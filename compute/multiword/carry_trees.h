// Two ways to find the carries into all limbs from what each of them generates and propagates.  Both take two passes
// over the operands, and 1/16 of one operand as scratch at most.
#pragma once

#include <stop_token>

#include "compute/multiword/limb_kernels.h"

namespace orogen::compute {

// What every algorithm gets: sum = a + b + carry, or a - b - borrow.  `sum` may be `a` or `b`.
struct LimbAddition
{
    Limb* sum;
    const Limb* a;
    const Limb* b;
    std::size_t limbs;
    bool carry, subtract;
};

// Limbs between two looks at a stop token: under 10 ms of the slowest algorithm.
inline constexpr std::size_t kLimbsBetweenLooks = std::size_t(1) << 18;

// The carry-lookahead tree (Cormen, Leiserson, Rivest, ch. 29): a pair of nodes generates where its upper half does, or
// propagates what its lower half generates; once up and once down over ceil(log2 n) levels, 64 nodes at a time.
// Both return the carry out; after a stop, anything.
bool addLookahead(const LimbKernels& kernels, const LimbAddition& addition, const std::stop_token& stop);

// Paper 001: C + T is itself an addition, of n/64 limbs, and is done in the same way: depth ceil(log64 n).
bool addRecursive(const LimbKernels& kernels, const LimbAddition& addition, const std::stop_token& stop);

}  // namespace orogen::compute
