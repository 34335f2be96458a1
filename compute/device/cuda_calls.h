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
    std::string uuid = {};  // "GPU-5fd4f087-86f3-7a43-b711-4771313afc50", the same for OpenGL and from start to start
    std::uint64_t cacheBytes = 0;         // of the second level
    int sharedBytes = 0, registers = 0;   // of a multiprocessor
    int threads = 0;                      // that a multiprocessor holds at once
    int clockMHz = 0;                     // of the multiprocessors; 0: not known, as below
    int memoryClockMHz = 0, busBits = 0;  // of the memory, which moves two bits a clock and wire
    bool watchdog = false;                // ends kernels that take seconds, because a display waits for them
    std::string refusal = {};             // why none of this program's kernels runs there; empty: they do
};

// The 16 bytes that CUDA and OpenGL know a GPU by, as CudaDevice::uuid and nvidia-smi have them.
std::string uuidText(const unsigned char* bytes);

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
    // What the kernels are compiled for, as CMake says it: "75-virtual 90-real"; empty: whatever there is.
    std::string architectures = {};
    std::function<CudaCode(int*version)> runtimeVersion, driverVersion;
    std::function<CudaCode(int* count)> deviceCount;
    std::function<CudaCode(CudaDevice* properties, int device)> deviceProperties;
    std::function<CudaCode(int device)> setDevice;  // of the calling thread

    std::function<CudaCode(std::size_t* free, std::size_t* total)> memoryInfo;  // of the calling thread's device
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
