// Compiles the bodies of the kernels for each instruction set, and picks the set for this processor.
#include "compute/linear_algebra/vector_kernels.h"

#include "core/base/cpu.h"

#define OROGEN_KERNELS portable
#define OROGEN_KERNELS_NAME "portable"
#define OROGEN_KERNELS_ROWS 4
#include "compute/linear_algebra/vector_kernels_body.h"

#if defined(__x86_64__)
#include "core/base/target_avx2.h"
#define OROGEN_KERNELS avx2
#define OROGEN_KERNELS_NAME "avx2"
#define OROGEN_KERNELS_ROWS 4
#include "compute/linear_algebra/vector_kernels_body.h"
#pragma GCC pop_options

#include "core/base/target_avx512.h"
#define OROGEN_KERNELS avx512
#define OROGEN_KERNELS_NAME "avx512"
#define OROGEN_KERNELS_ROWS 8
#include "compute/linear_algebra/vector_kernels_body.h"
#pragma GCC pop_options
#endif

namespace orogen::compute {
namespace {

const KernelSets<VectorKernels>& vectorKernelSets()
{
    static const KernelSets<VectorKernels> sets = {
#if defined(__x86_64__)
        {&avx512::kTable, InstructionSet::kAvx512},
        {&avx2::kTable, InstructionSet::kAvx2},
#endif
        {&portable::kTable, InstructionSet::kPortable}
    };
    return sets;
}

}  // namespace

const VectorKernels& vectorKernels() { return vectorKernelSets().best(); }
const VectorKernels* vectorKernels(std::string_view name) { return vectorKernelSets().find(name); }

}  // namespace orogen::compute
