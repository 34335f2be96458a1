// Transfers go through two pinned buffers in turn: while one travels, the other is filled or emptied.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "compute/device/kernel_target.h"

namespace orogen::compute {
namespace {

// Copies to and from ordinary memory go through two pieces of pinned memory in turn: one fills while the other travels.
constexpr std::size_t kStagingBytes = 4 << 20;

struct Staging
{
    PinnedMemory memory;
    CudaEvent travelled;
};

class CudaTarget final : public KernelTarget
{
public:
    explicit CudaTarget(CudaGpu gpu) : gpu_(std::move(gpu)) {}

    Status prepare();

    Result<TargetMemory> allocate(std::size_t bytes) override;
    Status fill(const TargetMemory& memory, int byte) override
    {
        return call("cudaMemsetAsync", &CudaCalls::fill, memory.as<void>(), byte, memory.bytes(), stream_.get());
    }
    Status upload(void* to, const void* from, std::size_t bytes) override;
    Status download(void* to, const void* from, std::size_t bytes) override;

    Status copy(void* to, const void* from, std::size_t bytes) override
    {
        return move(to, from, bytes, CopyDirection::kOnDevice);
    }

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
    Status move(void* to, const void* from, std::size_t bytes, CopyDirection direction)
    {
        return call("cudaMemcpyAsync", &CudaCalls::copy, to, from, bytes, direction, stream_.get());
    }

    Status launchEntry(const KernelEntry& kernel, const LaunchShape& shape, void* arguments) override
    {
        return call("cudaLaunchKernel", &CudaCalls::launch, kernel, shape, arguments, stream_.get());
    }
    Status fetch(const Staging& staging, const void* from, std::size_t bytes);
    void release(void* data, std::size_t) override
    {
        std::erase_if(memories_, [=](const CudaMemory& memory) { return memory.get() == data; });
    }

    CudaGpu gpu_;
    CudaStream stream_;
    CudaEvent started_, stopped_;
    std::array<Staging, 2> staging_;
    std::vector<CudaMemory> memories_;
};

// What CUDA made, or the error that it gave instead.
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
    if (Status status = take(stopped_, gpu_.createEvent()); !status) return status;
    for (Staging& staging : staging_)
    {
        if (Status status = take(staging.memory, gpu_.allocatePinned(kStagingBytes)); !status) return status;
        if (Status status = take(staging.travelled, gpu_.createEvent()); !status) return status;
    }
    return Status::ok();
}

Result<TargetMemory> CudaTarget::allocate(std::size_t bytes)
{
    Result<CudaMemory> memory = gpu_.allocate(bytes);
    if (!memory) return memory.error();
    void* const data = memory->get();
    memories_.push_back(std::move(*memory));
    return TargetMemory(*this, data, bytes);
}

Status CudaTarget::upload(void* to, const void* from, std::size_t bytes)
{
    for (std::size_t done = 0, turn = 0; done < bytes; done += kStagingBytes, turn ^= 1)
    {
        const Staging& staging = staging_[turn];
        const std::size_t part = std::min(kStagingBytes, bytes - done);
        if (Status status = waitFor(staging.travelled); !status) return status;
        std::memcpy(staging.memory.get(), static_cast<const char*>(from) + done, part);
        if (Status status = move(static_cast<char*>(to) + done, staging.memory.get(), part, CopyDirection::kToDevice);
            !status)
            return status;
        if (Status status = record(staging.travelled); !status) return status;
    }
    return Status::ok();
}

Status CudaTarget::fetch(const Staging& staging, const void* from, std::size_t bytes)
{
    if (Status status = waitFor(staging.travelled); !status) return status;
    if (Status status = move(staging.memory.get(), from, bytes, CopyDirection::kToHost); !status) return status;
    return record(staging.travelled);
}

Status CudaTarget::download(void* to, const void* from, std::size_t bytes)
{
    const std::size_t parts = (bytes + kStagingBytes - 1) / kStagingBytes;
    const auto length = [=](std::size_t part) { return std::min(kStagingBytes, bytes - part * kStagingBytes); };
    for (std::size_t part = 0; part <= parts; ++part)  // part travels, part - 1 has arrived
    {
        if (part < parts)
            if (Status status =
                    fetch(staging_[part % 2], static_cast<const char*>(from) + part * kStagingBytes, length(part));
                !status)
                return status;
        if (part == 0) continue;
        const Staging& arrived = staging_[(part - 1) % 2];
        if (Status status = waitFor(arrived.travelled); !status) return status;
        std::memcpy(static_cast<char*>(to) + (part - 1) * kStagingBytes, arrived.memory.get(), length(part - 1));
    }
    return Status::ok();
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

Result<std::unique_ptr<KernelTarget>> makeCudaTarget(Cuda& cuda, int gpu)
{
    Result<CudaGpu> opened = CudaGpu::open(cuda, gpu);
    if (!opened) return opened.error();
    auto target = std::make_unique<CudaTarget>(std::move(*opened));
    if (Status status = target->prepare(); !status) return status.error();
    return std::unique_ptr<KernelTarget>(std::move(target));
}

}  // namespace orogen::compute
