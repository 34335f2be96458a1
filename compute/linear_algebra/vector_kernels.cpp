#include "compute/linear_algebra/vector_kernels.h"

#include <string_view>

namespace orogen::compute {

extern const VectorKernels kPortableVectorKernels;
#if defined(__x86_64__)
extern const VectorKernels kAvx2VectorKernels, kAvx512VectorKernels;
#endif

const VectorKernels* vectorKernels(const char* name)
{
    const std::string_view wanted = name;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (wanted == "avx512") return __builtin_cpu_supports("avx512f") ? &kAvx512VectorKernels : nullptr;
    if (wanted == "avx2") return __builtin_cpu_supports("avx2") ? &kAvx2VectorKernels : nullptr;
#endif
    return wanted == "portable" ? &kPortableVectorKernels : nullptr;
}

const VectorKernels& vectorKernels()
{
    static const VectorKernels& best = []() -> const VectorKernels& {
        for (const char* name : {"avx512", "avx2"})
            if (const VectorKernels* kernels = vectorKernels(name)) return *kernels;
        return kPortableVectorKernels;
    }();
    return best;
}

}  // namespace orogen::compute
