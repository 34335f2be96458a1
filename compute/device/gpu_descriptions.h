// GPUs as described by their data sheets, and the occupancy of kernels on them, computed without a device.
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
    // Per multiprocessor.
    unsigned mostWarps, mostBlocks;
    unsigned registers, sharedBytes;
    // Memory bandwidth (bytes/s), and latency of a load under load (seconds).
    double bandwidth, latency;

    // Returns the bytes that a multiprocessor must keep in flight to saturate the memory (Little's law).
    double bytesInFlightWanted() const { return bandwidth * latency / multiprocessors; }
};

// Returns an H200, an RTX 3080 and an RTX 4060.
std::span<const GpuDescription> describedGpus();

// Resources that ptxas assigns to a kernel: registers per thread, static shared memory per block (bytes).
struct KernelResources
{
    unsigned registers, sharedBytes;
};

// Looks up kernel_resources.def; nullopt if it lacks the kernel or the architecture.
std::optional<KernelResources> resourcesOf(std::string_view kernel, unsigned architecture);

// Returns how many blocks of `threads` threads one multiprocessor holds at once; 0: not even one.
unsigned residentBlocks(const GpuDescription& gpu, const KernelResources& resources, unsigned threads);

}  // namespace orogen::compute
