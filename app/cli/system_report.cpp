#include "app/cli/system_report.h"

#include <fstream>
#include <thread>

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
    if (context)
        report.info = (*context)->info();
    else
        report.reason = context.error().message;
    return report;
}

std::string cpuModel()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
    {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
    }
    return "unknown";
}

CpuReport cpu()
{
    CpuReport report{cpuModel(), std::thread::hardware_concurrency(), "portable"};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) report.simd = "AVX2";
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")) report.simd = "AVX-512";
#endif
    return report;
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
