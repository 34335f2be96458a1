// Adds again piece by piece and compares: an oracle with room for a whole sum could not check the longest ones.
#include "compute/multiword/oracle.h"

#include <algorithm>

#include <gmp.h>

namespace orogen::compute {
namespace {

constexpr std::size_t kPiece = 4096;  // limbs; four of them stay in a second-level cache

mp_limb_t* gmp(Limb* limbs) { return reinterpret_cast<mp_limb_t*>(limbs); }
const mp_limb_t* gmp(const Limb* limbs) { return reinterpret_cast<const mp_limb_t*>(limbs); }

bool addByGmp(Limb* out, const Limb* a, const Limb* b, std::size_t limbs, bool carry, bool subtract)
{
    const auto n = mp_size_t(limbs);
    const mp_limb_t first = subtract ? mpn_sub_n(gmp(out), gmp(a), gmp(b), n) : mpn_add_n(gmp(out), gmp(a), gmp(b), n);
    const mp_limb_t second =
        subtract ? mpn_sub_1(gmp(out), gmp(out), n, carry) : mpn_add_1(gmp(out), gmp(out), n, carry);
    return (first | second) != 0;
}

bool addBySchoolbook(Limb* out, const Limb* a, const Limb* b, std::size_t limbs, bool carry, bool subtract)
{
    __extension__ using Wide = unsigned __int128;
    for (std::size_t i = 0; i < limbs; ++i)
    {
        const Wide wide = subtract ? Wide(a[i]) - b[i] - carry : Wide(a[i]) + b[i] + carry;
        out[i] = Limb(wide);
        carry = (wide >> kLimbBits & 1) != 0;
    }
    return carry;
}

}  // namespace

const char* nameOf(Oracle oracle) { return oracle == Oracle::kGmp ? "gmp" : "schoolbook"; }

bool isSum(const MultiwordOperands& operands, bool carryOut, Oracle oracle, const std::stop_token& stop)
{
    const auto add = oracle == Oracle::kGmp ? addByGmp : addBySchoolbook;
    Limb piece[kPiece];
    bool carry = operands.carry;
    for (std::size_t i = 0; i < operands.sum.size() && !stop.stop_requested(); i += kPiece)
    {
        const std::size_t limbs = std::min(kPiece, operands.sum.size() - i);
        carry = add(piece, operands.a.data() + i, operands.b.data() + i, limbs, carry, operands.subtract);
        if (!std::equal(piece, piece + limbs, operands.sum.data() + i)) return false;
    }
    return carry == carryOut;
}

}  // namespace orogen::compute
