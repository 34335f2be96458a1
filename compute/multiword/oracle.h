// Whether a result is the sum: computed anew by something that shares no code with what made it, a few limbs at a time,
// so that it takes no memory.
#pragma once

#include "compute/multiword/multiword.h"

namespace orogen::compute {

enum class Oracle
{
    kGmp,         // mpn_add_n, mpn_sub_n
    kSchoolbook,  // limb by limb in 128 bits: for what GMP itself made
};
const char* nameOf(Oracle oracle);

// Not in place: `sum` is neither operand.  After a stop, anything.
bool isSum(const MultiwordOperands& operands, bool carryOut, Oracle oracle, const std::stop_token& stop = {});

}  // namespace orogen::compute
