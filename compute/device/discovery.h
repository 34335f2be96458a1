// What CUDA offers on this machine.  Makes no context and cannot fail: whatever goes wrong is the reason.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace orogen::compute {

struct CudaDevice
{
    int index = 0;  // CUDA's number
    std::string name;
    int major = 0, minor = 0;  // compute capability
    std::uint64_t memoryBytes = 0;
    int multiprocessors = 0;
};

struct CudaReport
{
    bool built = false;                         // this program holds kernels
    bool available = false;                     // and there is a device to run them on
    std::string reason;                         // why not available; else empty
    int runtimeVersion = 0, driverVersion = 0;  // 13000 is 13.0; 0: unknown
    std::vector<CudaDevice> devices;
};

CudaReport discoverCuda();

}  // namespace orogen::compute
