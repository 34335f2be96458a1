// A device that cannot be queried is left out and the reason is kept: discovery itself does not fail.
#include "compute/device/discovery.h"

namespace orogen::compute {
namespace {

void listDevices(Cuda& cuda, CudaReport& report)
{
    int count = 0;  // stays as it is where there is no driver
    if (Status status = cuda.call("cudaGetDeviceCount", &CudaCalls::deviceCount, &count); !status)
    {
        report.reason = status.error().message;
        return;
    }
    for (int i = 0; i < count; ++i)
    {
        CudaDevice device;
        Status status = cuda.call("cudaGetDeviceProperties", &CudaCalls::deviceProperties, &device, i);
        if (status)
            report.devices.push_back(std::move(device));
        else
            report.reason = status.error().message;
    }
    if (report.devices.empty() && report.reason.empty()) report.reason = "the driver lists no CUDA device";
}

}  // namespace

CudaReport discoverCuda(Cuda& cuda)
{
    CudaReport report;
    report.built = cuda.built();
    static_cast<void>(cuda.call("cudaRuntimeGetVersion", &CudaCalls::runtimeVersion, &report.runtimeVersion));
    static_cast<void>(cuda.call("cudaDriverGetVersion", &CudaCalls::driverVersion, &report.driverVersion));
    listDevices(cuda, report);
    report.available = !report.devices.empty();
    if (report.available) report.reason.clear();
    return report;
}

}  // namespace orogen::compute
