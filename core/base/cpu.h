// CPU feature detection, and selection among loops compiled for several instruction sets.
//
// A family of loops is a table of functions, `struct Kernels { const char* name; ... }`.  Each instruction set defines
// the table once, in a separate file or a separate part of one, with these parts in order:
//
//   1. all other headers: the linker keeps one copy of their inline functions, which must run on any processor;
//   2. "core/base/target_NAME.h", which sets the instruction set for the compiler (and a pragma for a further feature);
//   3. the loops and the table;
//   4. "#pragma GCC pop_options".
//
// KernelSets selects the tables that the processor can run.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orogen {

enum class InstructionSet
{
    kPortable,  // baseline of the architecture
    kPopcnt,
    kAvx2,    // AVX2, FMA, BMI, BMI2, POPCNT (from x86-64-v3)
    kAvx512,  // kAvx2 plus AVX-512 F, BW, DQ, VL (from x86-64-v4)
};

// Returns the compiler's names of the features in a set, which core/base/target_*.h enable.
std::span<const std::string_view> featuresOf(InstructionSet set);
bool processorHas(std::string_view feature);  // one of featuresOf(), "avx512vnni" or "avx512vpopcntdq"
bool processorRuns(InstructionSet set);

template <class Kernels>
class KernelSets
{
public:
    struct Compilation
    {
        const Kernels* kernels;
        InstructionSet set;
        std::string_view feature = {};  // additional requirement
    };

    // Best first; the last one must run on any processor.
    KernelSets(std::initializer_list<Compilation> all)
    {
        for (const Compilation& one : all)
            if (processorRuns(one.set) && (one.feature.empty() || processorHas(one.feature)))
                available_.push_back(one.kernels);
    }

    std::span<const Kernels* const> available() const { return available_; }  // usable here, best first
    const Kernels& best() const { return *available_.front(); }
    const Kernels* find(std::string_view name) const  // null if not usable here
    {
        for (const Kernels* kernels : available_)
            if (kernels->name == name) return kernels;
        return nullptr;
    }

private:
    std::vector<const Kernels*> available_;
};

std::optional<std::string> cpuModel();  // "AMD EPYC 9R14"; empty if unknown

// Returns the system's load average over the last minute; empty if unknown.
std::optional<double> loadAverage();

}  // namespace orogen
