// Sources.  Multiprocessors and bandwidth: NVIDIA's data sheet of the H200 SXM (132; 4.8 TB/s), the GA102 whitepaper
// (RTX 3080 of 10 GB: 68; 760 GB/s) and the product page of the RTX 4060 (24; 272 GB/s).  Warps, blocks, registers and
// shared memory: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (8.6, 8.9, 9.0).
// Latencies are assumptions for memory under load: about twice those of idle GPUs of these generations (Luo and others,
// "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", arXiv:2402.13499).
#include "compute/device/gpu_descriptions.h"

#include <algorithm>

#include "compute/device/kernel.h"

namespace orogen::compute {
namespace {

constexpr GpuDescription kGpus[] = {
    {"H200", 90, 132, 64, 32, 65536, 228 << 10, 4.8e12, 700e-9},
    {"RTX 3080", 86, 68, 48, 16, 65536, 100 << 10, 760e9, 550e-9},
    {"RTX 4060", 89, 24, 48, 24, 65536, 100 << 10, 272e9, 550e-9},
};

struct KernelEntryResources
{
    std::string_view name;
    unsigned architecture;
    KernelResources resources;
};

constexpr KernelEntryResources kResources[] = {
#define OROGEN_KERNEL_RESOURCES(name, architecture, registers, sharedBytes)                                            \
    {#name, architecture, {registers, sharedBytes}},
#include "compute/device/kernel_resources.def"
#undef OROGEN_KERNEL_RESOURCES
};

constexpr unsigned roundedUp(unsigned value, unsigned unit) { return (value + unit - 1) / unit * unit; }

// Register allocation as in NVIDIA's cuda_occupancy.h for compute capability 7.0 to 9.0: a warp's registers come from
// one of four partitions of the multiprocessor, in units of 256.
constexpr unsigned kParts = 4, kRegisterUnit = 256;
// Shared memory is allocated in units of 128 bytes.  From 8.0 on the system reserves 1 KiB per block.
constexpr unsigned kSharedUnit = 128, kSystemShared = 1024;

}  // namespace

std::span<const GpuDescription> describedGpus() { return kGpus; }

std::optional<KernelResources> resourcesOf(std::string_view kernel, unsigned architecture)
{
    for (const KernelEntryResources& entry : kResources)
        if (entry.name == kernel && entry.architecture == architecture) return entry.resources;
    return {};
}

unsigned residentBlocks(const GpuDescription& gpu, const KernelResources& resources, unsigned threads)
{
    const unsigned warps = (threads + kWarpLanes - 1) / kWarpLanes;
    const unsigned warpRegisters = roundedUp(std::max(resources.registers, 1u) * kWarpLanes, kRegisterUnit);
    const unsigned byRegisters = gpu.registers / kParts / warpRegisters * kParts / warps;
    const unsigned byShared = gpu.sharedBytes / roundedUp(resources.sharedBytes + kSystemShared, kSharedUnit);
    return std::min({gpu.mostBlocks, gpu.mostWarps / warps, byRegisters, byShared});
}

}  // namespace orogen::compute
