// What CUDA offers on this machine.  Makes no context and cannot fail: whatever goes wrong is the reason.
#pragma once

#include <string>
#include <vector>

#include "compute/device/cuda.h"

namespace orogen::compute {

struct CudaReport
{
    bool built = false;                         // this program holds kernels
    bool available = false;                     // and there is a device to run them on
    std::string reason;                         // why not available; else empty
    int runtimeVersion = 0, driverVersion = 0;  // 13000 is 13.0; 0: unknown
    std::vector<CudaDevice> devices;
};

CudaReport discoverCuda(Cuda& cuda = processCuda());

}  // namespace orogen::compute
