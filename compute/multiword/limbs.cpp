// Portable loops over limbs, and the choice among the tables of loops.
#include "compute/multiword/limbs.h"

#include <unistd.h>

#include "core/base/cpu.h"

namespace orogen::compute {
namespace {

// ---- portable loops ----

template <bool kSubtract>
Limb sumOf(Limb a, Limb b)
{
    return kSubtract ? a - b : a + b;
}

template <bool kSubtract>
bool carries(Limb a, Limb b, Limb s)
{
    return kSubtract ? a < b : s < b;
}

template <bool kSubtract>
bool add(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry)
{
    for (std::size_t i = 0; i < limbs; ++i)
    {
        const Limb s = sumOf<kSubtract>(a[i], b[i]), all = sumOf<kSubtract>(s, carry);
        carry = carries<kSubtract>(a[i], b[i], s) | carries<kSubtract>(s, carry, all);
        sum[i] = all;
    }
    return carry;
}

void limbwise(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs)
{
    for (std::size_t i = 0; i < limbs; ++i)
        sum[i] = a[i] + b[i];
}

template <bool kSubtract>
void sums(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, Limb* generates, Limb* propagates)
{
    constexpr Limb kPropagating = kSubtract ? 0 : ~Limb(0);
    for (std::size_t begin = 0; begin < limbs; begin += kBlockLimbs)
    {
        const std::size_t end = limbs - begin < kBlockLimbs ? limbs : begin + kBlockLimbs;
        Limb g = 0, t = 0;
        for (std::size_t i = begin; i < end; ++i)
        {
            const Limb s = sumOf<kSubtract>(a[i], b[i]);
            g |= Limb(carries<kSubtract>(a[i], b[i], s)) << (i - begin);
            t |= Limb(s == kPropagating) << (i - begin);
            sum[i] = s;
        }
        generates[begin / kBlockLimbs] = g;
        propagates[begin / kBlockLimbs] = t;
    }
}

template <bool kSubtract>
void correct(Limb* sum, std::size_t limbs, const Limb* carries)
{
    for (std::size_t i = 0; i < limbs; ++i)
        sum[i] = sumOf<kSubtract>(sum[i], carries[i / kBlockLimbs] >> i % kBlockLimbs & 1);
}

}  // namespace

const LimbKernels kPortableLimbKernels = {"portable", add<false>,  add<true>,  add<false>,     add<true>,    limbwise,
                                          limbwise,   sums<false>, sums<true>, correct<false>, correct<true>};

// ---- choice ----

namespace {

const KernelSets<LimbKernels>& limbKernelSets()
{
    static const KernelSets<LimbKernels> sets = {
#if defined(__x86_64__)
        {&kAvx512LimbKernels, InstructionSet::kAvx512},
        {&kAvx2LimbKernels, InstructionSet::kAvx2},
#endif
        {&kPortableLimbKernels, InstructionSet::kPortable}
    };
    return sets;
}

// Returns the length (limbs) from which stores bypass the caches: operands of twice the L2 cache. Measured on EPYC 9004
// (1 MiB L2, 32 MiB L3), bypassing is 1.1 times as fast at 4 MiB per operand and 1.4 times at 64 MiB, but 0.9 times as
// fast at 1 MiB.
std::size_t findLimbsPastCaches()
{
    const long level2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return 2 * std::size_t(level2 > 0 ? level2 : 1 << 20) / sizeof(Limb);
}
const std::size_t kLimbsPastCaches = findLimbsPastCaches();

}  // namespace

bool goesPastCaches(std::size_t limbs) { return limbs >= kLimbsPastCaches; }

LimbKernels::Add LimbKernels::forLength(std::size_t limbs, bool subtracts) const
{
    if (limbs >= kLimbsPastCaches) return subtracts ? subtractPastCaches : addPastCaches;
    return subtracts ? subtract : add;
}

const LimbKernels& bestLimbKernels() { return limbKernelSets().best(); }
std::span<const LimbKernels* const> availableLimbKernels() { return limbKernelSets().available(); }

bool addLimbs(Limb* sum, const Limb* a, const Limb* b, std::size_t limbs, bool carry)
{
    static const LimbKernels& kernels = bestLimbKernels();
    return kernels.forLength(limbs, false)(sum, a, b, limbs, carry);
}

}  // namespace orogen::compute
