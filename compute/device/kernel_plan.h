// Estimated use of described GPUs by a module's kernels, from registers, launch shapes and formulas; not a time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compute/device/gpu_descriptions.h"
#include "compute/device/planned_launch.h"
#include "core/base/status.h"

namespace orogen::compute {

struct KernelPlan
{
    std::string name, size, gpu;
    std::uint64_t blocks = 0, residentBlocks = 0;       // the launch's; resident at once on the whole GPU
    std::uint64_t waves = 0;                            // waves of resident blocks; the last may be partial
    double warpsShare = 0;                              // mean resident warps over the GPU's maximum, 0 ... 1
    double lastWaveIdle = 0;                            // unused share of the last wave, 0 ... 1
    double bytes = 0, floorBytes = 0;                   // as in PlannedLaunch
    double bytesInFlight = 0, bytesInFlightWanted = 0;  // per multiprocessor
    std::string note = {};  // why fewer bytes are in flight than wanted, or more than kIdleAllowed is idle; else ""
};

constexpr double kIdleAllowed = 0.1;

// Returns whether enough bytes are in flight and the last wave is full enough to need no reason.
bool needsNoNote(const KernelPlan& plan);

using PlannedLaunches = std::function<std::vector<PlannedLaunch>(const ResidentBlocks&)>;

// Plans each launch on each GPU, GPU by GPU.  Error kDevice: kernel_resources.def lacks a kernel, or no block fits.
Result<std::vector<KernelPlan>> planKernels(const PlannedLaunches& launches);

// Plans one launch of a kernel with these resources.
KernelPlan planOn(const GpuDescription& gpu, const KernelResources& resources, const PlannedLaunch& launch);

}  // namespace orogen::compute
