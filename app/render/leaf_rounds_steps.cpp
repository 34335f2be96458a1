// Passes of a round as steps, each over a part of the leaves.
#include <algorithm>
#include <utility>

#include "app/render/leaf_rounds.h"

namespace orogen::app {
namespace {

constexpr GLint kFirstGroup = 8;                  // uniform location in shaders/leaf_dispatch.glsl
constexpr std::uint64_t kRangeArguments = 4 * 4;  // bytes, as in shaders/group_ranges.comp

}  // namespace

// Adds a margin to `known`, as only the GPU knows the current number of leaves.
LeafRounds::PassRanges LeafRounds::rangesFor(std::uint32_t known, std::uint32_t each)
{
    const std::uint32_t expected = known + known / 4;
    const std::uint32_t least = expected / (kMostRanges - 2) + 1;
    const std::uint32_t groups = (std::max(each, least) + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize;
    return {groups, expected / (groups * gpu::kLeafGroupSize) + 2};
}

void LeafRounds::listPassRanges(const PassRanges& ranges, bool overListed) const
{
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kDueBinding, leaf_.visible.id());
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRangesBinding, ranges_.id());
    use(rounds_.passRanges);
    glUniform1ui(0, ranges.groups);
    glUniform1ui(1, ranges.count);
    glUniform1ui(2, overListed);
    glDispatchCompute((ranges.count + gpu::kRangeGroupSize - 1) / gpu::kRangeGroupSize, 1, 1);
    glMemoryBarrier(kBetweenPasses);
    bind();
}

// Requires that the program is in use.
void LeafRounds::dispatchRange(const PassRanges& ranges, std::uint32_t range) const
{
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, ranges_.id());
    glUniform1ui(kFirstGroup, range * ranges.groups);
    glDispatchComputeIndirect(GLintptr(range * kRangeArguments));
    glUniform1ui(kFirstGroup, 0);
    glMemoryBarrier(kBetweenPasses);
    bind();
}

// Appends passes to the caller's list of steps.
class LeafRounds::Steps
{
public:
    Steps(LeafRounds& rounds, PassRanges ranges, GpuTimers* timers, const AddStep& add)
        : rounds_(rounds), ranges_(ranges), timers_(timers), add_(add)
    {
    }

    void once(GpuPass pass, std::function<void()> work) const
    {
        add_([timers = timers_, pass, work = std::move(work)] {
            if (timers) timers->begin(pass);
            work();
            if (timers) timers->end(pass);
        });
    }

    void all(GpuPass timer, const Passes& passes) const
    {
        for (const Pass& pass : passes)
            if (pass.over == Pass::Over::kOnce)
                once(timer, pass.work);
            else
                ranged(timer, pass);
    }

private:
    void ranged(GpuPass timer, const Pass& pass) const
    {
        for (std::uint32_t range = 0; range < ranges_.count; ++range)
            once(timer, [&rounds = rounds_, ranges = ranges_, pass, range] {
                if (range == 0) rounds.listPassRanges(ranges, pass.over == Pass::Over::kListed);
                pass.work();
                rounds.dispatchRange(ranges, range);
            });
    }

    LeafRounds& rounds_;
    PassRanges ranges_;
    GpuTimers* timers_;
    const AddStep& add_;
};

void LeafRounds::roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers, const AddStep& add)
{
    const Steps steps(*this, rangesFor(known, each), timers, add);
    steps.all(GpuPass::kUpdate, markPasses());
    steps.once(GpuPass::kUpdate, [this] { cut(); });
    steps.all(GpuPass::kUpdate, planPasses());
    steps.all(GpuPass::kUpdate, applyPasses());
    steps.once(GpuPass::kReduce, [this, last] {
        reduce(last);
        listLeaves(false);
    });
    steps.all(GpuPass::kDecode, {{Pass::Over::kLeaves, [this, last] { useDecode(true, last); }}});
}

void LeafRounds::cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add)
{
    add([this] { arguments(false, true); });
    const Steps steps(*this, rangesFor(known, each), timers, add);
    steps.all(GpuPass::kDecode, {{Pass::Over::kLeaves, [this] { useDecode(false, true); }}});
}

}  // namespace orogen::app
