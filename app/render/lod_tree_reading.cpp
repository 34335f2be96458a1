// What the tree's buffers hold, for checks, and how large they are.
#include <fmt/format.h>

#include "app/render/lod_tree.h"

namespace orogen::app {

namespace {

template <class T>
std::vector<T> readBack(const Buffer& buffer, std::size_t count)
{
    std::vector<T> data(count);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(buffer.id(), 0, GLsizeiptr(count * sizeof(T)), data.data());
    return data;
}

}  // namespace

std::vector<std::uint32_t> LodTree::readHeap() const
{
    return readBack<std::uint32_t>(heap_, std::size_t(treeBytes(depth_) / sizeof(std::uint32_t)));
}

std::vector<std::uint32_t> LodTree::readLeaves() const
{
    return readBack<std::uint32_t>(leaf_.leaves, readState().leaves);
}

std::vector<std::uint32_t> LodTree::readPlan() const { return readBack<std::uint32_t>(leaf_.plan, readState().leaves); }

gpu::TreeState LodTree::readState() const { return readBack<gpu::TreeState>(state_, 1).front(); }

std::vector<gpu::DrawCommand> LodTree::readRanges(std::uint32_t count) const
{
    return readBack<gpu::DrawCommand>(ranges_, count);
}

std::vector<BufferUse> LodTree::memory() const
{
    return {{fmt::format("tree (depth {})", depth_), heap_.bytes()},
            {"tree state", state_.bytes() + ranges_.bytes()},
            {"leaf list", leaf_.leaves.bytes()},
            {"leaf flags, plan", leaf_.flags.bytes() + leaf_.plan.bytes()},
            {"pair bookkeeping", leaf_.pairs.bytes() + leaf_.prefix.bytes()},
            {"visible leaves", leaf_.visible.bytes()},
            {"verdicts", leaf_.verdicts.bytes()}};
}

}  // namespace orogen::app
