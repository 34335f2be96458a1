// Discovery of CUDA devices.  Creates no context and cannot fail: CudaReport::reason holds any error.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/device/cuda.h"

namespace orogen::compute {

struct CudaReport
{
    bool built = false;                         // this program contains kernels
    bool available = false;                     // built, and some device runs the kernels
    std::string reason;                         // why not available; empty: available
    int runtimeVersion = 0, driverVersion = 0;  // 13000 is 13.0; 0: unknown
    // The device that OpenGL runs on comes first, then CUDA's order.  Includes devices that the kernels do not run on.
    std::vector<CudaDevice> devices;

    const CudaDevice* device(int index) const;  // by CUDA's number; null: not found
};

// Lists the devices.  Starts the driver, which takes a second on some machines: do not call it from a rendering thread.
CudaReport discoverCuda(Cuda& cuda = processCuda());

// Returns the last report, or one with the reason why CUDA cannot be called; null if unknown.  Starts no driver.
std::shared_ptr<const CudaReport> knownCuda(Cuda& cuda = processCuda());

// ---- GPU for runs that name none ------------------------------------------------------------------------------------

struct GpuIdentity
{
    std::string uuid = {};  // as in CudaDevice; empty: unknown to OpenGL
    std::string name = {};  // OpenGL's renderer, which contains CUDA's name: "NVIDIA H200/PCIe/SSE2"
};

// Sets the GPU that OpenGL runs on, for CUDA to use, too.  Thread-safe; to be called before the first discovery.
void setPreferredGpu(GpuIdentity gpu);

// Returns CUDA's number of the preferred GPU, by UUID or else name; else of the first one that runs the kernels; else
// 0.
int preferredCudaDevice(const CudaReport& report);

}  // namespace orogen::compute
