// What this processor can run, and the choice among loops that were compiled for several instruction sets.
//
// A set of such loops is a table of functions, `struct Kernels { const char* name; ... }`.  One file for each
// instruction set defines one table: first all headers, whose inline functions must run on any processor, since the
// linker keeps one copy of each; then "core/base/target_NAME.h", where alone the flags stand; the loops; and
// "core/base/target_end.h".  One KernelSets knows all tables, and which of them can run here.
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
    kPortable,  // what every processor of this architecture has
    kPopcnt,
    kAvx2,    // x86-64-v3: AVX2, FMA, BMI, BMI2, POPCNT
    kAvx512,  // x86-64-v4: that and AVX-512 F, BW, DQ, VL
};

// By GCC's names, as they stand in core/base/target_*.h.
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
        std::string_view feature = {};  // that it needs besides
    };

    // Best first; one that runs on any processor is the last.
    KernelSets(std::initializer_list<Compilation> all)
    {
        for (const Compilation& one : all)
            if (processorRuns(one.set) && (one.feature.empty() || processorHas(one.feature)))
                available_.push_back(one.kernels);
    }

    std::span<const Kernels* const> available() const { return available_; }  // here, best first
    const Kernels& best() const { return *available_.front(); }
    const Kernels* find(std::string_view name) const  // null: not here
    {
        for (const Kernels* kernels : available_)
            if (kernels->name == name) return kernels;
        return nullptr;
    }

private:
    std::vector<const Kernels*> available_;
};

std::optional<std::string> cpuModel();  // "AMD EPYC 9R14"; empty where the system does not say

// Of the last minute: processes that run or want to; empty where the system does not say.
std::optional<double> loadAverage();

}  // namespace orogen
