#if defined(__x86_64__)
#include "core/cbt/word_kernels.h"

#include "core/base/target_popcnt.h"
#include "core/cbt/word_kernels_scalar.h"

namespace orogen {

const WordKernels kPopcntWordKernels = {"popcnt",       countPairsScalar, countThreeLevelsScalar,
                                        addPairsScalar, recountScalar,    decodeScalar};

}  // namespace orogen
#pragma GCC pop_options
#endif
