#include "app/cli/system_report.h"

#include <thread>

#include "app/session/gpu_identity.h"
#include "core/base/cpu.h"

namespace orogen::app {
namespace {

OpenGlReport openGl()
{
    OpenGlReport report;
    ContextOptions options;
    options.window.visible = false;
    options.window.width = options.window.height = 64;
    if (const std::optional<std::string> reason = noWindowReason())
    {
        options.headless = true;
        report.reason = "no window: " + *reason;
    }
    Result<std::unique_ptr<Context>> context = Context::create(options);
    if (!context && !options.headless)
    {
        report.reason = context.error().message;
        options.headless = true;
        context = Context::create(options);
    }
    report.available = bool(context);
    if (!context)
    {
        report.reason = context.error().message;
        return report;
    }
    report.info = (*context)->info();
    compute::setPreferredGpu(gpuOf(**context));
    return report;
}

CpuReport cpu()
{
    const char* const simd = processorRuns(InstructionSet::kAvx512) ? "AVX-512"
                             : processorRuns(InstructionSet::kAvx2) ? "AVX2"
                                                                    : "portable";
    return {cpuModel().value_or("unknown"), std::thread::hardware_concurrency(), simd};
}

}  // namespace

SystemReport systemReport()
{
    SystemReport report;
    report.opengl = openGl();
    report.eglDevices = eglDevices(&report.eglReason);
    report.cuda = compute::discoverCuda();
    report.cpu = cpu();
    return report;
}

}  // namespace orogen::app
