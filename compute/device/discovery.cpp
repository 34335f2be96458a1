// Discovery only counts and describes devices.  It does not fail; Cuda remembers sticky errors of these calls.
#include "compute/device/discovery.h"

#include <algorithm>
#include <mutex>

#include <fmt/format.h>

namespace orogen::compute {
namespace {

std::mutex preferredMutex;
GpuIdentity preferred;

GpuIdentity preferredGpu()
{
    const std::lock_guard lock(preferredMutex);
    return preferred;
}

void listDevices(Cuda& cuda, CudaReport& report)
{
    int count = 0;  // unchanged if there is no driver
    if (Status status = cuda.call("cudaGetDeviceCount", &CudaCalls::deviceCount, &count); !status)
    {
        report.reason = status.error().message;
        return;
    }
    for (int i = 0; i < count; ++i)
    {
        Result<CudaDevice> device = describeGpu(cuda, i);
        if (!device) report.reason = device.error().message;
        if (device && !device->refusal.empty() && report.reason.empty())
            report.reason = fmt::format("{}: {}", device->name, device->refusal);
        if (device) report.devices.push_back(std::move(*device));
    }
    if (report.devices.empty() && report.reason.empty()) report.reason = "the driver lists no CUDA device";
}

bool runsKernels(const CudaDevice& device) { return device.refusal.empty(); }

// Returns the device whose name occurs in `renderer`.  The longest wins: "RTX 3080 Ti" over "RTX 3080".
const CudaDevice* namedIn(const std::string& renderer, const std::vector<CudaDevice>& devices)
{
    const CudaDevice* best = nullptr;
    for (const CudaDevice& device : devices)
        if (runsKernels(device) && !device.name.empty() && renderer.find(device.name) != std::string::npos)
            if (!best || device.name.size() > best->name.size()) best = &device;
    return best;
}

const CudaDevice* preferredOf(const std::vector<CudaDevice>& devices)
{
    const GpuIdentity wanted = preferredGpu();
    const auto same = std::ranges::find_if(devices, [&](const CudaDevice& device) {
        return runsKernels(device) && !wanted.uuid.empty() && device.uuid == wanted.uuid;
    });
    if (same != devices.end()) return &*same;
    if (const CudaDevice* named = namedIn(wanted.name, devices)) return named;
    // The lowest number: the list may be in another order.
    const CudaDevice* first = nullptr;
    for (const CudaDevice& device : devices)
        if (runsKernels(device) && (!first || device.index < first->index)) first = &device;
    return first;
}

}  // namespace

const CudaDevice* CudaReport::device(int index) const
{
    const auto found = std::ranges::find(devices, index, &CudaDevice::index);
    return found == devices.end() ? nullptr : &*found;
}

CudaReport discoverCuda(Cuda& cuda)
{
    CudaReport report;
    report.built = cuda.built();
    static_cast<void>(cuda.call("cudaRuntimeGetVersion", &CudaCalls::runtimeVersion, &report.runtimeVersion));
    static_cast<void>(cuda.call("cudaDriverGetVersion", &CudaCalls::driverVersion, &report.driverVersion));
    listDevices(cuda, report);
    report.available = std::ranges::any_of(report.devices, runsKernels);
    if (report.available) report.reason.clear();
    const int first = preferredCudaDevice(report);
    std::ranges::stable_partition(report.devices, [=](const CudaDevice& device) { return device.index == first; });
    cuda.remember(std::make_shared<const CudaReport>(report));
    return report;
}

std::shared_ptr<const CudaReport> knownCuda(Cuda& cuda)
{
    if (const Status status = cuda.usable(); !status)
    {
        auto report = std::make_shared<CudaReport>();
        report->built = cuda.built();
        report->reason = status.error().message;
        return report;
    }
    return cuda.known();
}

void setPreferredGpu(GpuIdentity gpu)
{
    const std::lock_guard lock(preferredMutex);
    preferred = std::move(gpu);
}

int preferredCudaDevice(const CudaReport& report)
{
    const CudaDevice* const device = preferredOf(report.devices);
    return device ? device->index : 0;
}

}  // namespace orogen::compute
