#include "core/base/cpu.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <fstream>
#include <utility>

namespace orogen {
namespace {

constexpr std::string_view kFeatures[] = {"popcnt",  "bmi",      "bmi2",     "avx2",    "fma",
                                          "avx512f", "avx512bw", "avx512dq", "avx512vl"};
constexpr std::size_t kPopcntFeatures = 1, kAvx2Features = 5, kAvx512Features = 9;

using Found = std::pair<std::string_view, bool>;

std::vector<Found> probe()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    return {{"popcnt", __builtin_cpu_supports("popcnt")},
            {"bmi", __builtin_cpu_supports("bmi")},
            {"bmi2", __builtin_cpu_supports("bmi2")},
            {"avx2", __builtin_cpu_supports("avx2")},
            {"fma", __builtin_cpu_supports("fma")},
            {"avx512f", __builtin_cpu_supports("avx512f")},
            {"avx512bw", __builtin_cpu_supports("avx512bw")},
            {"avx512dq", __builtin_cpu_supports("avx512dq")},
            {"avx512vl", __builtin_cpu_supports("avx512vl")},
            {"avx512vnni", __builtin_cpu_supports("avx512vnni")},
            {"avx512vpopcntdq", __builtin_cpu_supports("avx512vpopcntdq")}};
#else
    return {};
#endif
}

}  // namespace

std::span<const std::string_view> featuresOf(InstructionSet set)
{
    constexpr std::size_t kCounts[] = {0, kPopcntFeatures, kAvx2Features, kAvx512Features};
    return std::span(kFeatures).first(kCounts[std::size_t(set)]);
}

bool processorHas(std::string_view feature)
{
    static const std::vector<Found> features = probe();
    const auto found = std::ranges::find(features, feature, &Found::first);
    assert(features.empty() || found != features.end());
    return found != features.end() && found->second;
}

bool processorRuns(InstructionSet set) { return std::ranges::all_of(featuresOf(set), processorHas); }

std::optional<std::string> cpuModel()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
    {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return std::nullopt;
}

std::optional<double> loadAverage()
{
    double load = 0;
    return getloadavg(&load, 1) == 1 ? std::optional(load) : std::nullopt;
}

}  // namespace orogen
