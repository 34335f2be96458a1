// GPUs as their data sheets describe them, and what a kernel occupies of one: what can be known without a device.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace orogen::compute {

struct GpuDescription
{
    const char* name;
    unsigned architecture;  // 90 for compute capability 9.0
    unsigned multiprocessors;
    // Of one multiprocessor.
    unsigned mostWarps, mostBlocks;
    unsigned registers, sharedBytes;
    // Of the memory: bytes a second, and seconds from a load to its value under load.
    double bandwidth, latency;

    // What a multiprocessor must have asked for at any time for the memory to be busy (Little's law): bytes.
    double bytesInFlightWanted() const { return bandwidth * latency / multiprocessors; }
};

// An H200, an RTX 3080 and an RTX 4060.
std::span<const GpuDescription> describedGpus();

// What ptxas gives a kernel: registers a thread, static shared memory a block.
struct KernelResources
{
    unsigned registers, sharedBytes;
};

// From kernel_resources.def; nothing where the kernel or the architecture is not in it.
std::optional<KernelResources> resourcesOf(std::string_view kernel, unsigned architecture);

// Blocks of so many threads that a multiprocessor holds at once; 0: not even one.
unsigned residentBlocks(const GpuDescription& gpu, const KernelResources& resources, unsigned threads);

}  // namespace orogen::compute
