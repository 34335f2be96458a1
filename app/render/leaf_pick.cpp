#include "app/render/leaf_pick.h"

#include <cstring>

namespace orogen::app {

Result<LeafPick> LeafPick::create(ShaderLibrary& library)
{
    LeafPick made;
    made.library_ = &library;
    made.program_ = library.add("leaf under a point", {"shaders/pick.comp"});
    Result<Buffer> answer = makeBuffer("picked leaf", sizeof(gpu::PickedLeaf), GL_DYNAMIC_STORAGE_BIT);
    if (!answer) return answer.error();
    made.answer_ = std::move(*answer);
    Result<ReadbackRing> readback = ReadbackRing::create("picked leaves", sizeof(gpu::PickedLeaf), 4);
    if (!readback) return readback.error();
    made.readback_ = std::move(*readback);
    return made;
}

void LeafPick::begin(const Triangulation& tree) const
{
    gpu::PickedLeaf nothing{};
    nothing.slot = 0xffffffffu;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glNamedBufferSubData(answer_.id(), 0, sizeof nothing, &nothing);
    tree.bindForChecks();
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPickBinding, answer_.id());
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(library_->program(program_));
}

void LeafPick::finish(const Triangulation& tree, std::uint64_t question)
{
    glDispatchCompute(1, 1, 1);
    readback_.enqueue(answer_.id(), 0, question);
    tree.bindForChecks();  // restores the bindings for passes over the tree
}

void LeafPick::ask(const Triangulation& tree, glm::ivec2 point, std::uint64_t question)
{
    begin(tree);
    glUniform2i(0, point.x, point.y);
    finish(tree, question);
}

void LeafPick::ask(const Triangulation& tree, const CubePlace& point, std::uint64_t question)
{
    begin(tree);
    glUniform3i(0, point.x, point.y, point.face);
    glUniform1ui(1, 0);
    tree.dispatchOverLeaves();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUniform1ui(1, 1);
    finish(tree, question);
}

std::optional<LeafAnswer> LeafPick::poll(std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    gpu::PickedLeaf leaf;
    std::memcpy(&leaf, arrived->data.data(), sizeof leaf);
    return LeafAnswer{.question = arrived->frame,
                      .node = leaf.node,
                      .depth = int(leaf.depth),
                      .errorPixels = double(leaf.errorPixels),
                      .edgePixels = double(leaf.edgePixels),
                      .id = leaf.node | leb::LeafId(leaf.nodeHigh) << 32};
}

}  // namespace orogen::app
