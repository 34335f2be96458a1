// KernelTarget (kernel_target.h) on a GPU, with its own CUDA stream.
#include <vector>

#include "compute/device/kernel_target.h"
#include "compute/device/staging.h"

namespace orogen::compute {
namespace {

class CudaTarget final : public KernelTarget
{
public:
    CudaTarget(CudaGpu gpu, std::stop_token stop) : gpu_(std::move(gpu)), staging_(gpu_, std::move(stop)) {}

    Status prepare();

    Status use() override { return gpu_.use(); }
    Result<TargetMemory> allocate(std::size_t bytes) override;
    Status fill(const TargetMemory& memory, int byte) override
    {
        return call("cudaMemsetAsync", &CudaCalls::fill, memory.as<void>(), byte, memory.bytes(), stream_.get());
    }
    Status upload(void* to, const void* from, std::size_t bytes) override
    {
        return staging_.upload(to, from, bytes, stream_);
    }
    Status download(void* to, const void* from, std::size_t bytes) override
    {
        return staging_.download(to, from, bytes, stream_);
    }
    Status copy(void* to, const void* from, std::size_t bytes) override
    {
        return call("cudaMemcpyAsync", &CudaCalls::copy, to, from, bytes, CopyDirection::kOnDevice, stream_.get());
    }

    const CudaDevice* gpu() const override { return &gpu_.device(); }
    Result<std::uint64_t> freeMemory() override { return gpu_.freeMemory(); }

    Result<unsigned> residentBlocks(const KernelEntry& kernel, unsigned threads) override
    {
        return gpu_.residentBlocks(kernel, threads);
    }

    Status startClock() override { return record(started_); }
    Result<double> stopClock() override;
    Status finish() override { return call("cudaStreamSynchronize", &CudaCalls::synchronizeStream, stream_.get()); }

private:
    template <class Function, class... Arguments>
    Status call(const char* name, Function CudaCalls::*function, Arguments&&... arguments)
    {
        return gpu_.cuda().call(name, function, std::forward<Arguments>(arguments)...);
    }
    Status record(const CudaEvent& event)
    {
        return call("cudaEventRecord", &CudaCalls::recordEvent, event.get(), stream_.get());
    }
    Status waitFor(const CudaEvent& event)
    {
        return call("cudaEventSynchronize", &CudaCalls::synchronizeEvent, event.get());
    }

    Status launchEntry(const KernelEntry& kernel, const LaunchShape& shape, void* arguments) override
    {
        return call("cudaLaunchKernel", &CudaCalls::launch, kernel, shape, arguments, stream_.get());
    }
    void release(void* data, std::size_t) override
    {
        std::erase_if(memories_, [=](const CudaMemory& memory) { return memory.get() == data; });
    }

    CudaGpu gpu_;
    CudaStream stream_;
    CudaEvent started_, stopped_;
    Staging staging_;
    std::vector<CudaMemory> memories_;
};

// Moves the created object to `owner`, or returns the error.
template <class Owner>
Status take(Owner& owner, Result<Owner> made)
{
    if (!made) return made.error();
    owner = std::move(*made);
    return Status::ok();
}

Status CudaTarget::prepare()
{
    if (Status status = take(stream_, gpu_.createStream()); !status) return status;
    if (Status status = take(started_, gpu_.createEvent()); !status) return status;
    return take(stopped_, gpu_.createEvent());
}

Result<TargetMemory> CudaTarget::allocate(std::size_t bytes)
{
    Result<CudaMemory> memory = gpu_.allocate(bytes);
    if (!memory) return memory.error();
    void* const data = memory->get();
    memories_.push_back(std::move(*memory));
    return TargetMemory(*this, data, bytes);
}

Result<double> CudaTarget::stopClock()
{
    float milliseconds = 0;
    if (Status status = record(stopped_); !status) return status.error();
    if (Status status = waitFor(stopped_); !status) return status.error();
    if (Status status =
            call("cudaEventElapsedTime", &CudaCalls::elapsed, &milliseconds, started_.get(), stopped_.get());
        !status)
        return status.error();
    return double(milliseconds);
}

}  // namespace

Result<std::unique_ptr<KernelTarget>> makeCudaTarget(Cuda& cuda, int gpu, std::stop_token stop)
{
    Result<CudaGpu> opened = CudaGpu::open(cuda, gpu);
    if (!opened) return opened.error();
    auto target = std::make_unique<CudaTarget>(std::move(*opened), std::move(stop));
    if (Status status = target->prepare(); !status) return status.error();
    return std::unique_ptr<KernelTarget>(std::move(target));
}

}  // namespace orogen::compute
