#include "compute/linear_algebra/vector_kernels.h"

#include "core/base/cpu.h"

namespace orogen::compute {
namespace {

const KernelSets<VectorKernels>& vectorKernelSets()
{
    static const KernelSets<VectorKernels> sets = {
#if defined(__x86_64__)
        {&kAvx512VectorKernels, InstructionSet::kAvx512},
        {&kAvx2VectorKernels, InstructionSet::kAvx2},
#endif
        {&kPortableVectorKernels, InstructionSet::kPortable}
    };
    return sets;
}

}  // namespace

const VectorKernels& vectorKernels() { return vectorKernelSets().best(); }
const VectorKernels* vectorKernels(std::string_view name) { return vectorKernelSets().find(name); }

}  // namespace orogen::compute
