// Fills the table of CUDA calls from the CUDA runtime, which no other file calls.  In a build without CUDA the table
// stays empty, and its `built` false.
#include "compute/device/cuda.h"

#include <fmt/format.h>

namespace orogen::compute {

std::string uuidText(const unsigned char* bytes)
{
    std::string text = "GPU";
    for (int i = 0; i < 16; ++i)
        text += fmt::format("{}{:02x}", i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    return text;
}

}  // namespace orogen::compute

#ifdef OROGEN_HAVE_CUDA

#include <cuda_runtime_api.h>

namespace orogen::compute {
namespace {

// Returns the code of a call.  If the call failed, clears CUDA's last error, which a later query would report again.
CudaCode forgotten(cudaError_t code)
{
    if (code != cudaSuccess) cudaGetLastError();
    return code;
}

cudaStream_t streamOf(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t eventOf(void* event) { return static_cast<cudaEvent_t>(event); }
dim3 dimensions(const Dim3& extent) { return {extent.x, extent.y, extent.z}; }

CudaCode properties(CudaDevice* device, int index)
{
    cudaDeviceProp found = {};
    const CudaCode code = forgotten(cudaGetDeviceProperties(&found, index));
    if (code != cudaSuccess) return code;
    *device = {.index = index,
               .name = found.name,
               .major = found.major,
               .minor = found.minor,
               .memoryBytes = found.totalGlobalMem,
               .multiprocessors = found.multiProcessorCount,
               .uuid = uuidText(reinterpret_cast<const unsigned char*>(found.uuid.bytes))};
    return code;
}

CudaCode copy(void* to, const void* from, std::size_t bytes, CopyDirection direction, void* stream)
{
    constexpr cudaMemcpyKind kinds[] = {cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice};
    return forgotten(cudaMemcpyAsync(to, from, bytes, kinds[int(direction)], streamOf(stream)));
}

CudaCode launch(const KernelEntry& kernel, const LaunchShape& shape, void* arguments, void* stream)
{
    void* list[] = {arguments};
    const auto call = shape.cooperative ? &cudaLaunchCooperativeKernel : &cudaLaunchKernel;
    return forgotten(
        (*call)(kernel.device, dimensions(shape.grid), dimensions(shape.block), list, 0, streamOf(stream)));
}

void fillMemoryCalls(CudaCalls& calls)
{
    calls.memoryInfo = [](std::size_t* free, std::size_t* total) { return forgotten(cudaMemGetInfo(free, total)); };
    calls.allocate = [](void** memory, std::size_t bytes) { return forgotten(cudaMalloc(memory, bytes)); };
    calls.allocatePinned = [](void** memory, std::size_t bytes) { return forgotten(cudaMallocHost(memory, bytes)); };
    calls.free = [](void* memory) { return forgotten(cudaFree(memory)); };
    calls.freePinned = [](void* memory) { return forgotten(cudaFreeHost(memory)); };
    calls.copy = copy;
    calls.fill = [](void* memory, int byte, std::size_t bytes, void* stream) {
        return forgotten(cudaMemsetAsync(memory, byte, bytes, streamOf(stream)));
    };
}

void fillStreamCalls(CudaCalls& calls)
{
    calls.createStream = [](void** stream) {
        return forgotten(cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking));
    };
    calls.destroyStream = [](void* stream) { return forgotten(cudaStreamDestroy(streamOf(stream))); };
    calls.synchronizeStream = [](void* stream) { return forgotten(cudaStreamSynchronize(streamOf(stream))); };
    calls.createEvent = [](void** event) { return forgotten(cudaEventCreate(reinterpret_cast<cudaEvent_t*>(event))); };
    calls.destroyEvent = [](void* event) { return forgotten(cudaEventDestroy(eventOf(event))); };
    calls.synchronizeEvent = [](void* event) { return forgotten(cudaEventSynchronize(eventOf(event))); };
    calls.recordEvent = [](void* event, void* stream) {
        return forgotten(cudaEventRecord(eventOf(event), streamOf(stream)));
    };
    calls.elapsed = [](float* milliseconds, void* from, void* to) {
        return forgotten(cudaEventElapsedTime(milliseconds, eventOf(from), eventOf(to)));
    };
}

}  // namespace

CudaCalls realCudaCalls()
{
    CudaCalls calls;
    calls.built = true;
    calls.architectures = OROGEN_CUDA_ARCHITECTURES;
    calls.runtimeVersion = [](int* version) { return forgotten(cudaRuntimeGetVersion(version)); };
    calls.driverVersion = [](int* version) { return forgotten(cudaDriverGetVersion(version)); };
    calls.deviceCount = [](int* count) { return forgotten(cudaGetDeviceCount(count)); };
    calls.deviceProperties = properties;
    calls.setDevice = [](int device) { return forgotten(cudaSetDevice(device)); };
    fillMemoryCalls(calls);
    fillStreamCalls(calls);
    calls.blocksPerMultiprocessor = [](int* blocks, const KernelEntry& kernel, unsigned threads) {
        return forgotten(cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel.device, int(threads), 0));
    };
    calls.launch = launch;
    calls.describe = [](CudaCode code) { return std::string(cudaGetErrorString(cudaError_t(code))); };
    return calls;
}

}  // namespace orogen::compute

#else

namespace orogen::compute {

CudaCalls realCudaCalls() { return {}; }

}  // namespace orogen::compute

#endif
