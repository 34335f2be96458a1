#include "core/cbt/word_kernels.h"

#include "core/base/cpu.h"

#include "core/cbt/word_kernels_scalar.h"

namespace orogen {
namespace {

const KernelSets<WordKernels>& wordKernelSets()
{
    static const KernelSets<WordKernels> sets = {
#if defined(__x86_64__)
        {&kAvx512WordKernels, InstructionSet::kAvx512, "avx512vpopcntdq"},
        {&kAvx2WordKernels, InstructionSet::kAvx2},
        {&kPopcntWordKernels, InstructionSet::kPopcnt},
#endif
        {&kPortableWordKernels, InstructionSet::kPortable}
    };
    return sets;
}

}  // namespace

const WordKernels kPortableWordKernels = {"portable",     countPairsScalar, countThreeLevelsScalar,
                                          addPairsScalar, recountScalar,    decodeScalar};

const WordKernels& bestWordKernels() { return wordKernelSets().best(); }
std::span<const WordKernels* const> availableWordKernels() { return wordKernelSets().available(); }
const WordKernels* findWordKernels(std::string_view name) { return wordKernelSets().find(name); }

}  // namespace orogen
