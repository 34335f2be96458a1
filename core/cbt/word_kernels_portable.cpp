#include "core/cbt/word_kernels.h"

#include "core/cbt/word_kernels_scalar.h"

namespace orogen {

const WordKernels kPortableWordKernels = {"portable",     countPairsScalar, countThreeLevelsScalar,
                                          addPairsScalar, recountScalar,    decodeScalar};

}  // namespace orogen
