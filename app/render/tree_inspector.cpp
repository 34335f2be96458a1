#include "app/render/tree_inspector.h"

#include <cstring>

#include "app/render/world.h"

namespace orogen::app {

Result<LeafPick> LeafPick::create(ShaderLibrary& library)
{
    LeafPick made;
    made.library_ = &library;
    made.program_ = library.add("leaf under a point", {"shaders/checks/pick_@world.comp"});
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
                      .depth = int(leaf.depth),
                      .errorPixels = double(leaf.errorPixels),
                      .edgePixels = double(leaf.edgePixels),
                      .id = leaf.node | std::uint64_t(leaf.nodeHigh) << 32};
}

ShaderLibrary& TreeInspector::library()
{
    if (library_) return *library_;
    library_ = std::make_unique<ShaderLibrary>(root_, world_->programs().dialect());
    library_->choose(world_->programs().choice());
    return *library_;
}

Status TreeInspector::choose(const RenderWorld& world)
{
    if (world_ != &world)
    {
        pick_.reset();
        top_.reset();
        library_.reset();
    }
    world_ = &world;
    if (!library_) return Status::ok();
    library_->choose(world.programs().choice());
    return library_->finish();
}

Status TreeInspector::askLeaf(const glm::dvec3& place, std::uint64_t question)
{
    const DrawnFrame frame = lastFrame_();
    if (!pick_)
    {
        Result<LeafPick> made = LeafPick::create(library());
        if (!made) return made.error();
        if (Status s = library().finish(); !s) return s;
        pick_.emplace(std::move(*made));
    }
    world_->askLeaf(*pick_, frame, place, question);
    return Status::ok();
}

std::optional<LeafAnswer> TreeInspector::takeLeaf(std::uint64_t nanoseconds)
{
    return pick_ ? pick_->poll(nanoseconds) : std::nullopt;
}

Status TreeInspector::drawTopView(const TopPicture& region)
{
    const DrawnFrame frame = lastFrame_();
    if (!top_)
    {
        std::unique_ptr<TopView> made = world_->makeTopView(library());
        if (Status s = library().finish(); !s) return s;
        top_ = std::move(made);
    }
    return top_->draw(frame, region);
}

}  // namespace orogen::app
