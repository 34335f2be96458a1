// What a module's kernels would occupy of described GPUs: an estimate from registers, shapes and formulas, not a time.
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
    std::uint64_t blocks = 0, residentBlocks = 0;       // of the launch; that the whole GPU holds at once
    std::uint64_t waves = 0;                            // of resident blocks, the last one maybe in part
    double warpsShare = 0;                              // mean resident warps over the GPU's most, 0 ... 1
    double lastWaveIdle = 0;                            // share of the last wave's places that stay empty, 0 ... 1
    double bytes = 0, floorBytes = 0;                   // as in PlannedLaunch
    double bytesInFlight = 0, bytesInFlightWanted = 0;  // of a multiprocessor
    std::string note = {};  // why less is in flight than wanted, or more than kIdleAllowed idle; "" where neither is
};

constexpr double kIdleAllowed = 0.1;

// Are enough bytes in flight, and is so little of the last wave idle, that no reason is needed?
bool needsNoNote(const KernelPlan& plan);

using PlannedLaunches = std::function<std::vector<PlannedLaunch>(const ResidentBlocks&)>;

// Of each launch on each GPU, GPU by GPU.  kDevice: a kernel that kernel_resources.def does not know, or of which not
// one block fits.
Result<std::vector<KernelPlan>> planKernels(const PlannedLaunches& launches);

// One launch whose kernel has these resources.
KernelPlan planOn(const GpuDescription& gpu, const KernelResources& resources, const PlannedLaunch& launch);

}  // namespace orogen::compute
