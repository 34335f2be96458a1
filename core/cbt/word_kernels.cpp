#include "core/cbt/word_kernels.h"

#include <vector>

namespace orogen {

extern const WordKernels kPortableWordKernels;
#if defined(__x86_64__)
extern const WordKernels kPopcntWordKernels, kAvx2WordKernels, kAvx512WordKernels;
#endif

namespace {

std::vector<const WordKernels*> kernelsOfThisProcessor()
{
    std::vector<const WordKernels*> kernels;
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool popcnt = __builtin_cpu_supports("popcnt");
    const bool bits = popcnt && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (bits && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"))
        kernels.push_back(&kAvx512WordKernels);
    if (bits && __builtin_cpu_supports("avx2")) kernels.push_back(&kAvx2WordKernels);
    if (popcnt) kernels.push_back(&kPopcntWordKernels);
#endif
    kernels.push_back(&kPortableWordKernels);
    return kernels;
}

}  // namespace

std::span<const WordKernels* const> availableWordKernels()
{
    static const std::vector<const WordKernels*> kernels = kernelsOfThisProcessor();
    return kernels;
}

const WordKernels& bestWordKernels() { return *availableWordKernels().front(); }

const WordKernels* findWordKernels(std::string_view name)
{
    for (const WordKernels* kernels : availableWordKernels())
        if (kernels->name == name) return kernels;
    return nullptr;
}

}  // namespace orogen
