#include "compute/multiword/limb_kernels.h"

namespace orogen::compute {
namespace {

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

}  // namespace orogen::compute
