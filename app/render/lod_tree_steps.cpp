// The passes of a round in steps that each look at a part of the leaves.
#include <algorithm>
#include <utility>

#include "app/render/lod_tree.h"

namespace orogen::app {
namespace {

constexpr GLint kFirstGroup = 8;                  // shaders/leaf_dispatch.glsl: the location of the uniform
constexpr std::uint64_t kRangeArguments = 4 * 4;  // bytes: shaders/group_ranges.comp
constexpr GLbitfield kBetweenSteps = GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT;

}  // namespace

// How many leaves there are is known to the GPU alone.
LodTree::PassRanges LodTree::rangesFor(std::uint32_t known, std::uint32_t each)
{
    const std::uint32_t expected = known + known / 4;
    const std::uint32_t least = expected / (kMostRanges - 2) + 1;
    const std::uint32_t groups = (std::max(each, least) + gpu::kLeafGroupSize - 1) / gpu::kLeafGroupSize;
    return {groups, expected / (groups * gpu::kLeafGroupSize) + 2};
}

void LodTree::listPassRanges(const PassRanges& ranges, bool overDue) const
{
    bindForMark();
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kRangesBinding, ranges_.id());
    use(programs_.passRanges);
    glUniform1ui(0, ranges.groups);
    glUniform1ui(1, ranges.count);
    glUniform1ui(2, overDue);
    glDispatchCompute((ranges.count + gpu::kRangeGroupSize - 1) / gpu::kRangeGroupSize, 1, 1);
    glMemoryBarrier(kBetweenSteps);
    bind();
}

// With the program in use.
void LodTree::dispatchRange(const PassRanges& ranges, std::uint32_t range) const
{
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, ranges_.id());
    glUniform1ui(kFirstGroup, range * ranges.groups);
    glDispatchComputeIndirect(GLintptr(range * kRangeArguments));
    glUniform1ui(kFirstGroup, 0);
    glMemoryBarrier(kBetweenSteps);
    bind();
}

void LodTree::roundSteps(std::uint32_t known, std::uint32_t each, bool last, GpuTimers* timers, const AddStep& add)
{
    const bool byError = criterion_ == gpu::kCriterionError;
    const bool listed = keepVerdicts_ && position_ && !byError;
    const PassRanges ranges = rangesFor(known, each);
    const auto step = [&](GpuPass pass, std::function<void()> work) {
        add([timers, pass, work = std::move(work)] {
            if (timers) timers->begin(pass);
            work();
            if (timers) timers->end(pass);
        });
    };
    const auto ranged = [&](GpuPass pass, const std::function<void()>& prepare) {
        for (std::uint32_t range = 0; range < ranges.count; ++range)
            step(pass, [this, prepare, ranges, range] {
                prepare();
                dispatchRange(ranges, range);
            });
    };
    step(GpuPass::kUpdate, [this, listed, ranges] {
        if (listed) beginDue();
        listPassRanges(ranges, false);
    });
    if (listed)
    {
        ranged(GpuPass::kUpdate, [this] {
            bindForMark();
            use(programs_.due);
            markUniforms(true);
        });
        step(GpuPass::kUpdate, [this, ranges] { listPassRanges(ranges, true); });
    }
    ranged(GpuPass::kUpdate, [this, byError, listed] {
        bindForMark();
        use(byError ? programs_.markByError : programs_.mark);
        markUniforms(listed);
    });
    step(GpuPass::kUpdate, [this, ranges] {
        cut();
        listPassRanges(ranges, false);
    });
    ranged(GpuPass::kUpdate, [this] { use(programs_.plan); });
    ranged(GpuPass::kUpdate, [this] { use(programs_.apply); });
    step(GpuPass::kReduce, [this] { reduce(false); });
    step(GpuPass::kDecode, [this, last, ranges] {
        arguments(true, true, last);
        listPassRanges(ranges, false);
    });
    ranged(GpuPass::kDecode, [this, last] { useDecode(true, last); });
}

void LodTree::cullSteps(std::uint32_t known, std::uint32_t each, GpuTimers* timers, const AddStep& add)
{
    const PassRanges ranges = rangesFor(known, each);
    add([this, ranges] {
        arguments(false, false, true);
        listPassRanges(ranges, false);
    });
    for (std::uint32_t range = 0; range < ranges.count; ++range)
        add([this, timers, ranges, range] {
            if (timers) timers->begin(GpuPass::kDecode);
            useDecode(false, true);
            dispatchRange(ranges, range);
            if (timers) timers->end(GpuPass::kDecode);
        });
}

}  // namespace orogen::app
