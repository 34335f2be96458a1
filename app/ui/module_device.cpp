// Where a run of a compute module would be done.
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "app/ui/format.h"
#include "app/ui/module_panel.h"
#include "app/ui/words.h"

namespace orogen::app {

namespace {

// The bandwidth of a copy that the newest run on `device` was held against.
std::optional<double> copyGbPerS(const Panel& panel, const compute::Module& module, const std::string& device)
{
    const std::vector<ModuleRun>& runs = panel.model.compute->runs(module.name());
    const auto measured = std::find_if(runs.rbegin(), runs.rend(), [&](const ModuleRun& run) {
        return run.result && run.result->device == device && run.result->copyBytesPerSecond > 0;
    });
    if (measured == runs.rend()) return std::nullopt;
    return measured->result->copyBytesPerSecond / 1e9;
}

void copyRow(const Panel& panel, const compute::Module& module, const std::string& device)
{
    const auto copy = copyGbPerS(panel, module, device);
    valueRow(panel, "copy of memory", copy ? fmt::format("{:.3g} GB/s", *copy) : panel.theme.notMeasured, {},
             "Read and written by a plain copy, past the caches, by all processors or the GPU; measured once with a "
             "run that tells what it moves.");
}

void processor(const Panel& panel, const compute::Module& module)
{
    section(panel, "processor");
    valueRow(panel, "threads", std::to_string(std::max(1u, std::thread::hardware_concurrency())));
    if (const std::uint64_t bytes = panel.model.compute->freeMemory(); bytes > 0)
        valueRow(panel, "free memory", bytesText(bytes), {}, "What this process can take now.");
    copyRow(panel, module, "cpu");
}

void gpu(const Panel& panel, const compute::Module& module)
{
    const compute::CudaReport& cuda = panel.model.compute->cuda();
    section(panel, "CUDA");
    if (!cuda.available) return textLine(panel.theme.dim, capitalised(cuda.reason) + "; the CPU does the work", true);
    const std::string& asked = moduleValues(panel, module)["gpu"];
    const auto found = std::ranges::find_if(
        cuda.devices, [&](const compute::CudaDevice& gpu) { return std::to_string(gpu.index) == asked; });
    if (found == cuda.devices.end())
        return textLine(panel.theme.warning, fmt::format("No GPU {}; there are {}", asked, cuda.devices.size()), true);
    const std::string& name = found->name;
    textLine(panel.theme.dim, name, true);
    copyRow(panel, module, fmt::format("cuda:{}", found->index));
    const std::vector<std::string>& context = panel.model.context;  // the renderer comes first
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
