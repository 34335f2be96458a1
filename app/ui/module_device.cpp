// The devices a compute module can run on.
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "app/ui/format.h"
#include "app/ui/module_panel.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

// Returns the newest result on `device` that has a measured copy bandwidth; null if there is none.
const compute::JobResult* measuredOn(const Panel& panel, const compute::Module& module, const std::string& device)
{
    const std::vector<ModuleRun>& runs = panel.model.compute->runs(module.name());
    const auto measured = std::find_if(runs.rbegin(), runs.rend(), [&](const ModuleRun& run) {
        return run.result && run.result->device == device && run.result->copyBytesPerSecond > 0;
    });
    return measured == runs.rend() ? nullptr : &*measured->result;
}

void copyRow(const Panel& panel, const compute::Module& module, const std::string& device)
{
    const compute::JobResult* const run = measuredOn(panel, module, device);
    valueRow(panel, "copy of memory",
             run ? fmt::format("{:.3g} GB/s", run->copyBytesPerSecond / 1e9) : panel.theme.notMeasured, {},
             "Rate of a plain copy past the caches, reads and writes, on all processors or the GPU; measured once with "
             "a run that reports its memory traffic.");
}

void processor(const Panel& panel, const compute::Module& module)
{
    section(panel, "processor");
    valueRow(panel, "threads", std::to_string(std::max(1u, std::thread::hardware_concurrency())));
    if (const std::uint64_t bytes = panel.model.compute->freeMemory(); bytes > 0)
        valueRow(panel, "free memory", bytesText(bytes), {}, "Memory that this process can take now.");
    copyRow(panel, module, "cpu");
}

void gpu(const Panel& panel, const compute::Module& module)
{
    const compute::CudaReport& cuda = panel.model.compute->cuda();
    section(panel, "CUDA");
    if (!cuda.available) return textLine(panel.theme.dim, "No CUDA, the CPU does the work: " + cuda.reason, true);
    const std::string& asked = moduleValues(panel, module)["gpu"];
    const auto found = std::ranges::find_if(cuda.devices, [&](const compute::CudaDevice& gpu) {
        return asked.empty() || std::to_string(gpu.index) == asked;
    });
    if (found == cuda.devices.end())
        return textLine(panel.theme.warning, fmt::format("No GPU {}; there are {}", asked, cuda.devices.size()), true);
    const std::string& name = found->name;
    if (!found->refusal.empty())
        return textLine(panel.theme.warning, fmt::format("{}: {}", name, found->refusal), true);
    const std::string device = fmt::format("cuda:{}", found->index);
    textLine(panel.theme.dim, name, true);
    valueRow(panel, "memory of the GPU", bytesText(found->memoryBytes));
    if (const compute::JobResult* const run = measuredOn(panel, module, device); run && run->gpuFreeBytes > 0)
        valueRow(panel, "free of it", bytesText(run->gpuFreeBytes), {}, "After the newest run on it.");
    copyRow(panel, module, device);
    const std::vector<std::string>& context = panel.model.context;  // the first line names the renderer
    if (!context.empty() && context.front().find(name) == std::string::npos)
        textLine(panel.theme.warning, "OpenGL runs on another device: " + context.front(), true);
}

}  // namespace

void drawModuleDevice(const Panel& panel, const compute::Module& module)
{
    processor(panel, module);
    gpu(panel, module);
}

}  // namespace orogen::app
