// What CUDA offers on this machine.  Makes no context and cannot fail: whatever goes wrong is the reason.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/device/cuda.h"

namespace orogen::compute {

struct CudaReport
{
    bool built = false;                         // this program holds kernels
    bool available = false;                     // and there is a device that they run on
    std::string reason;                         // why not available; else empty
    int runtimeVersion = 0, driverVersion = 0;  // 13000 is 13.0; 0: unknown
    // The one that OpenGL runs on first, then by CUDA's numbers; those that kernels do not run on are among them.
    std::vector<CudaDevice> devices;

    const CudaDevice* device(int index) const;  // by CUDA's number; null: there is none
};

// Starts the driver, which takes a second on some machines: not on a thread that draws.
CudaReport discoverCuda(Cuda& cuda = processCuda());

// What is known without that: what was found before, or what keeps CUDA from being called at all.  Null: nothing yet.
std::shared_ptr<const CudaReport> knownCuda(Cuda& cuda = processCuda());

// ---- the GPU that runs come to where nobody names one ---------------------------------------------------------------

struct GpuIdentity
{
    std::string uuid = {};  // as CudaDevice's; empty: OpenGL does not say
    std::string name = {};  // OpenGL's renderer, which holds CUDA's name: "NVIDIA H200/PCIe/SSE2"
};

// The GPU that OpenGL runs on, so that both share one where there are several.  Any thread; before the first discovery.
void setPreferredGpu(GpuIdentity gpu);

// CUDA's number of that GPU: the one of its UUID, else the one whose name fits best; without one, the first that
// kernels run on; 0 where there is none.
int preferredCudaDevice(const CudaReport& report);

}  // namespace orogen::compute
