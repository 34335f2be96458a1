#if defined(__x86_64__)
#include "core/cbt/word_kernels.h"

#pragma GCC push_options
#pragma GCC target("popcnt")
#include "core/cbt/word_kernels_scalar.h"

namespace orogen {

extern const WordKernels kPopcntWordKernels;
const WordKernels kPopcntWordKernels = {"popcnt",       countPairsScalar, countThreeLevelsScalar,
                                        addPairsScalar, recountScalar,    decodeScalar};

}  // namespace orogen
#pragma GCC pop_options
#endif
