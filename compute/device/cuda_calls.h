// Table of the CUDA runtime calls used by this program.  All CUDA calls go through it, so that tests can substitute a
// GPU made of host memory or make the k-th call fail.  Needs no CUDA header and no CUDA.
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
    int index = 0;  // CUDA's device number
    std::string name;
    int major = 0, minor = 0;  // compute capability
    std::uint64_t memoryBytes = 0;
    int multiprocessors = 0;
    std::string uuid = {};  // "GPU-5fd4f087-86f3-7a43-b711-4771313afc50", equal to OpenGL's and stable across starts
    std::uint64_t cacheBytes = 0;         // L2 cache
    int sharedBytes = 0, registers = 0;   // per multiprocessor
    int threads = 0;                      // resident at once per multiprocessor
    int clockMHz = 0;                     // multiprocessors; 0: unknown, as below
    int memoryClockMHz = 0, busBits = 0;  // memory, which transfers two bits per clock and wire
    bool watchdog = false;                // aborts kernels that take seconds, because the GPU drives a display
    std::string refusal = {};             // why this program's kernels do not run on it; empty: they do
};

// Formats the 16 bytes by which CUDA and OpenGL identify a GPU, as in CudaDevice::uuid and nvidia-smi.
std::string uuidText(const unsigned char* bytes);

enum class CopyDirection
{
    kToDevice,
    kToHost,
    kOnDevice,
};

// Handles are CUDA's own, as void*.  Calls that take a stream are asynchronous.
struct CudaCalls
{
    bool built = false;  // false: none of these may be called
    // Architectures that the kernels are compiled for, as CMake lists them: "75-virtual 90-real"; empty: unknown.
    std::string architectures = {};
    std::function<CudaCode(int*version)> runtimeVersion, driverVersion;
    std::function<CudaCode(int* count)> deviceCount;
    std::function<CudaCode(CudaDevice* properties, int device)> deviceProperties;
    std::function<CudaCode(int device)> setDevice;  // for the calling thread

    std::function<CudaCode(std::size_t* free, std::size_t* total)> memoryInfo;  // on the calling thread's device
    std::function<CudaCode(void**memory, std::size_t bytes)> allocate, allocatePinned;
    std::function<CudaCode(void*memory)> free, freePinned;
    std::function<CudaCode(void* to, const void* from, std::size_t bytes, CopyDirection, void* stream)> copy;
    std::function<CudaCode(void* memory, int byte, std::size_t bytes, void* stream)> fill;

    std::function<CudaCode(void** stream)> createStream;
    std::function<CudaCode(void*stream)> destroyStream, synchronizeStream;
    std::function<CudaCode(void** event)> createEvent;
    std::function<CudaCode(void*event)> destroyEvent, synchronizeEvent;
    std::function<CudaCode(void* event, void* stream)> recordEvent;
    std::function<CudaCode(float* milliseconds, void* from, void* to)> elapsed;  // between completed events

    std::function<CudaCode(int* blocks, const KernelEntry& kernel, unsigned threads)> blocksPerMultiprocessor;
    std::function<CudaCode(const KernelEntry& kernel, const LaunchShape& shape, void* arguments, void* stream)> launch;

    std::function<std::string(CudaCode)> describe;  // cannot fail
};

// Returns the calls of the CUDA that this program was built with; not built if there was none.
CudaCalls realCudaCalls();

}  // namespace orogen::compute
