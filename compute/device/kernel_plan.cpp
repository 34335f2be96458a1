#include "compute/device/kernel_plan.h"

#include <algorithm>

#include <fmt/format.h>

#include "compute/device/kernel.h"

namespace orogen::compute {
namespace {

// Loads per thread up to which a launch of one wave counts as small.
constexpr double kFewLoads = 3;

// Returns the launch's own reason, or else one that follows from the figures.
std::string noteOf(const KernelPlan& plan, const PlannedLaunch& launch)
{
    if (needsNoNote(plan)) return "";
    if (!launch.note.empty()) return launch.note;
    const double atOnce = launch.bytesInFlight * double(launch.shape.block.count() * plan.blocks);
    if (plan.waves == 1 && kFewLoads * atOnce >= plan.bytes) return "small: each thread has done after a few loads";
    if (plan.bytesInFlight < plan.bytesInFlightWanted) return "";
    // A partial wave is distributed evenly, so that its blocks keep memory busy for all multiprocessors.
    const double last = plan.bytesInFlight * (plan.waves == 1 ? 1 : 1 - plan.lastWaveIdle);
    if (last >= plan.bytesInFlightWanted)
        return fmt::format("the last wave still has {:.1f} KB in flight", last / 1000);
    const double idle = plan.lastWaveIdle / double(plan.waves);
    return idle <= kIdleAllowed ? fmt::format("{} waves: {:.1f} % of all places", plan.waves, 100 * idle) : "";
}

Error unknown(const GpuDescription& gpu, const PlannedLaunch& launch)
{
    return {ExitCode::kDevice,
            fmt::format("{}: {} is not in kernel_resources.def for {}, or does not fit with {} threads", launch.name,
                        launch.kernel.name, gpu.name, launch.shape.block.count())};
}

// Assumes 1 block per multiprocessor for an unknown kernel, which planKernels() then reports.
ResidentBlocks residentBlocksOf(const GpuDescription& gpu)
{
    return [&gpu](const KernelEntry& kernel, unsigned threads) {
        const std::optional<KernelResources> resources = resourcesOf(kernel.name, gpu.architecture);
        return gpu.multiprocessors * (resources ? std::max(residentBlocks(gpu, *resources, threads), 1u) : 1u);
    };
}

}  // namespace

bool needsNoNote(const KernelPlan& plan)
{
    return plan.bytesInFlight >= plan.bytesInFlightWanted && plan.lastWaveIdle <= kIdleAllowed;
}

KernelPlan planOn(const GpuDescription& gpu, const KernelResources& resources, const PlannedLaunch& launch)
{
    const auto threads = unsigned(launch.shape.block.count());
    const double warps = double((threads + kWarpLanes - 1) / kWarpLanes);
    KernelPlan plan{launch.name, launch.size, gpu.name};
    plan.blocks = launch.shape.grid.count();
    plan.residentBlocks = std::uint64_t(gpu.multiprocessors) * residentBlocks(gpu, resources, threads);
    if (plan.residentBlocks == 0) return plan;
    plan.waves = (plan.blocks + plan.residentBlocks - 1) / plan.residentBlocks;
    plan.lastWaveIdle = double(plan.waves * plan.residentBlocks - plan.blocks) / double(plan.residentBlocks);
    plan.warpsShare = double(plan.blocks) * warps / double(plan.waves * gpu.multiprocessors * gpu.mostWarps);
    plan.bytes = launch.bytes;
    plan.floorBytes = launch.floorBytes;
    const double resident = double(std::min(plan.blocks, plan.residentBlocks));
    plan.bytesInFlight = launch.bytesInFlight * threads * resident / gpu.multiprocessors;
    plan.bytesInFlightWanted = gpu.bytesInFlightWanted();
    plan.note = noteOf(plan, launch);
    return plan;
}

Result<std::vector<KernelPlan>> planKernels(const PlannedLaunches& launches)
{
    std::vector<KernelPlan> plans;
    for (const GpuDescription& gpu : describedGpus())
        for (const PlannedLaunch& launch : launches(residentBlocksOf(gpu)))
        {
            const std::optional<KernelResources> resources = resourcesOf(launch.kernel.name, gpu.architecture);
            if (!resources) return unknown(gpu, launch);
            plans.push_back(planOn(gpu, *resources, launch));
            if (plans.back().residentBlocks == 0) return unknown(gpu, launch);
        }
    return plans;
}

}  // namespace orogen::compute
