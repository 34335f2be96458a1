#include "app/render/leaf_pick.h"

#include <cstring>

namespace orogen::app {

Result<LeafPick> LeafPick::create(ShaderLibrary& library)
{
    LeafPick made;
    made.library_ = &library;
    made.program_ = library.add("leaf under a point", {"shaders/pick.comp"});
    Result<Buffer> answer = makeBuffer("picked leaf", sizeof(gpu::PickedLeaf));
    if (!answer) return answer.error();
    made.answer_ = std::move(*answer);
    Result<ReadbackRing> readback = ReadbackRing::create("picked leaves", sizeof(gpu::PickedLeaf), 4);
    if (!readback) return readback.error();
    made.readback_ = std::move(*readback);
    return made;
}

void LeafPick::ask(const Triangulation& tree, glm::ivec2 point, std::uint64_t question)
{
    tree.bindForChecks();
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kPickBinding, answer_.id());
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glUseProgram(library_->program(program_));
    glUniform2i(0, point.x, point.y);
    glDispatchCompute(1, 1, 1);
    readback_.enqueue(answer_.id(), 0, question);
    tree.bindForChecks();  // as passes over the tree expect it
}

std::optional<LeafAnswer> LeafPick::poll(std::uint64_t nanoseconds)
{
    const std::optional<Readback> arrived = readback_.poll(nanoseconds);
    if (!arrived) return std::nullopt;
    gpu::PickedLeaf leaf;
    std::memcpy(&leaf, arrived->data.data(), sizeof leaf);
    return LeafAnswer{arrived->frame, leaf.node, int(leaf.depth), double(leaf.errorPixels), double(leaf.edgePixels)};
}

}  // namespace orogen::app
