#include "compute/terrain_model/kernels/model_kernels.h"

#include <algorithm>
#include <utility>

#include "compute/device/kernel_target.h"
#include "compute/terrain_model/model_device.h"

namespace orogen::compute {
namespace {

class KernelDevice final : public ModelDevice
{
public:
    explicit KernelDevice(std::unique_ptr<KernelTarget> target) : target_(std::move(target)) {}

    std::string name() const override { return target_->gpu() ? "cuda" : "host-kernel"; }

    Status begin() override { return target_->use(); }
    Result<ModelArray> allocate(std::size_t bytes) override
    {
        Result<TargetMemory> memory = target_->allocate(bytes);
        if (!memory) return memory.error();
        memories_.push_back(std::move(*memory));
        const ModelArray array{std::uint32_t(memories_.size() - 1)};
        if (Status s = clear(array); !s) return s.error();
        return array;
    }
    Status clear(ModelArray array) override { return target_->fill(memory(array), 0); }
    Status upload(ModelArray to, const void* from, std::size_t bytes) override
    {
        return target_->upload(memory(to).as<void>(), from, bytes);
    }
    Status download(void* to, ModelArray from, std::size_t bytes) override
    {
        return target_->download(to, memory(from).as<void>(), bytes);
    }
    Status copy(ModelArray to, ModelArray from) override
    {
        return target_->copy(memory(to).as<void>(), memory(from).as<void>(), memory(to).bytes());
    }

    Status run(ModelPass pass, const ModelValues& values, const ModelArrays& arrays) override
    {
        static const Kernel<ModelPassArguments> kernels[] = {
#define OROGEN_ENTRY_OF_PASS(name) name##ModelKernel(),
            OROGEN_MODEL_PASSES(OROGEN_ENTRY_OF_PASS)
#undef OROGEN_ENTRY_OF_PASS
        };
        constexpr unsigned kMostBlocks = 65'536;
        ModelPassArguments arguments = {values, {}};
        for (std::size_t slot = 0; slot < kModelSlots; ++slot)
            if (arrays[slot] != kNoArray) arguments.arrays[slot] = memory(arrays[slot]).as<void>();
        const unsigned blocks = std::min((values.cells + kModelThreads - 1) / kModelThreads, kMostBlocks);
        return target_->launch(kernels[std::size_t(pass)], LaunchShape{{std::max(blocks, 1u)}, {kModelThreads}},
                               arguments);
    }

private:
    const TargetMemory& memory(ModelArray array) const { return memories_[std::size_t(array)]; }

    std::unique_ptr<KernelTarget> target_;
    std::vector<TargetMemory> memories_;
};

}  // namespace

std::unique_ptr<ModelDevice> makeKernelDevice(std::unique_ptr<KernelTarget> target)
{
    return std::make_unique<KernelDevice>(std::move(target));
}

Result<std::unique_ptr<ModelDevice>> makeCudaDevice(std::optional<int> gpu)
{
    const int index = gpu ? *gpu : preferredCudaDevice(discoverCuda());
    Result<std::unique_ptr<KernelTarget>> target = makeCudaTarget(processCuda(), index);
    if (!target) return target.error();
    return makeKernelDevice(std::move(*target));
}

}  // namespace orogen::compute
