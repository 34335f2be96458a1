// The CUDA runtime as far as this program uses it: one table of calls.  Everything goes through it, so that tests can
// put a GPU made of host memory in its place, or let the k-th call fail.  Needs no CUDA header and no CUDA.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "compute/device/launch.h"

namespace orogen::compute {

using CudaCode = int;  // cudaError_t: 0 is success

struct CudaDevice
{
    int index = 0;  // CUDA's number
    std::string name;
    int major = 0, minor = 0;  // compute capability
    std::uint64_t memoryBytes = 0;
    int multiprocessors = 0;
};

enum class CopyDirection
{
    kToDevice,
    kToHost,
    kOnDevice,
};

// Handles are CUDA's own, as void*.  Calls that take a stream return before the work is done.
struct CudaCalls
{
    bool built = false;  // false: none of these may be called
    std::function<CudaCode(int*version)> runtimeVersion, driverVersion;
    std::function<CudaCode(int* count)> deviceCount;
    std::function<CudaCode(CudaDevice* properties, int device)> deviceProperties;
    std::function<CudaCode(int device)> setDevice;  // of the calling thread

    std::function<CudaCode(void**memory, std::size_t bytes)> allocate, allocatePinned;
    std::function<CudaCode(void*memory)> free, freePinned;
    std::function<CudaCode(void* to, const void* from, std::size_t bytes, CopyDirection, void* stream)> copy;
    std::function<CudaCode(void* memory, int byte, std::size_t bytes, void* stream)> fill;

    std::function<CudaCode(void** stream)> createStream;
    std::function<CudaCode(void*stream)> destroyStream, synchronizeStream;
    std::function<CudaCode(void** event)> createEvent;
    std::function<CudaCode(void*event)> destroyEvent, synchronizeEvent;
    std::function<CudaCode(void* event, void* stream)> recordEvent;
    std::function<CudaCode(float* milliseconds, void* from, void* to)> elapsed;  // of events that have happened

    std::function<CudaCode(int* blocks, const KernelEntry& kernel, unsigned threads)> blocksPerMultiprocessor;
    std::function<CudaCode(const KernelEntry& kernel, const LaunchShape& shape, void* arguments, void* stream)> launch;

    std::function<std::string(CudaCode)> describe;  // not a call that can fail
};

// The calls of the CUDA that this program was built with; not built where there was none.
CudaCalls realCudaCalls();

}  // namespace orogen::compute
