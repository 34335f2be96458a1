#include "compute/device/discovery.h"

#ifdef OROGEN_HAVE_CUDA

#include <cuda_runtime_api.h>
#include <fmt/format.h>

namespace orogen::compute {
namespace {

std::string errorText(const char* call, cudaError_t code)
{
    cudaGetLastError();  // forget it, or it resurfaces at the next launch check
    return fmt::format("{}: {} (CUDA error {})", call, cudaGetErrorString(code), int(code));
}

}  // namespace

CudaReport discoverCuda()
{
    CudaReport report;
    report.built = true;
    cudaRuntimeGetVersion(&report.runtimeVersion);
    cudaDriverGetVersion(&report.driverVersion);
    int count = 0;  // stays as it is where there is no driver
    if (const cudaError_t code = cudaGetDeviceCount(&count); code != cudaSuccess)
    {
        report.reason = errorText("cudaGetDeviceCount", code);
        return report;
    }
    for (int i = 0; i < count; ++i)
    {
        cudaDeviceProp properties = {};
        if (const cudaError_t code = cudaGetDeviceProperties(&properties, i); code != cudaSuccess)
        {
            report.reason = errorText("cudaGetDeviceProperties", code);
            continue;
        }
        report.devices.push_back({i, properties.name, properties.major, properties.minor, properties.totalGlobalMem,
                                  properties.multiProcessorCount});
    }
    report.available = !report.devices.empty();
    if (report.available)
        report.reason.clear();
    else if (report.reason.empty())
        report.reason = "the driver lists no CUDA device";
    return report;
}

}  // namespace orogen::compute

#else

namespace orogen::compute {

CudaReport discoverCuda()
{
    CudaReport report;
    report.reason = "built without CUDA";
    return report;
}

}  // namespace orogen::compute

#endif
