#include "app/render/tree_inspector.h"

#include <algorithm>
#include <cmath>
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
                      .node = leaf.node,
                      .depth = int(leaf.depth),
                      .errorPixels = double(leaf.errorPixels),
                      .edgePixels = double(leaf.edgePixels),
                      .id = leaf.node | leb::LeafId(leaf.nodeHigh) << 32};
}

TopView TopView::create(ShaderLibrary& library)
{
    TopView made;
    made.library_ = &library;
    made.program_ = library.add("view from above", {"shaders/checks/top_view.comp"});
    return made;
}

Status TopView::draw(const Triangulation& tree, const TopRegion& region)
{
    if (!picture_ || picture_.shape().width != region.side)
    {
        Result<Texture> made = makeTexture("view from above", {.width = region.side, .height = region.side});
        if (!made) return made.error();
        picture_ = std::move(*made);
        glTextureParameteri(picture_.id(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTextureParameteri(picture_.id(), GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTextureParameteri(picture_.id(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTextureParameteri(picture_.id(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    }
    tree.bindForChecks();
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
    glBindImageTexture(0, picture_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glUseProgram(library_->program(program_));
    glUniform3f(0, float(region.corner.x), float(region.corner.y), float(region.step));
    const GLuint groups = GLuint(region.side + 7) / 8;
    glDispatchCompute(groups, groups, 1);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    return Status::ok();
}

std::uint64_t TopView::bytes() const
{
    return picture_ ? 4 * std::uint64_t(picture_.shape().width) * std::uint64_t(picture_.shape().height) : 0;
}

namespace {

constexpr int kDrawLatticeSide = 1 << (gpu::kLeafLatticeBits + gpu::kPatchBits);

glm::dvec2 onDrawLattice(const TerrainGpu& terrain, glm::dvec2 place)
{
    return (place / terrain.squareSide() + 0.5) * double(kDrawLatticeSide);
}

}  // namespace

ShaderLibrary& TreeInspector::library()
{
    if (library_) return *library_;
    library_ = std::make_unique<ShaderLibrary>(root_, world_->programs().dialect());
    library_->choose(world_->programs().choice());
    return *library_;
}

Status TreeInspector::choose(const RenderWorld& world)
{
    world_ = &world;
    if (!library_) return Status::ok();
    library_->choose(world.programs().choice());
    return library_->finish();
}

Status TreeInspector::askLeaf(glm::dvec2 place, std::uint64_t question)
{
    const DrawnFrame frame = lastFrame_();
    if (!world_->planeSize(frame.view.terrain)) return Status::ok();
    if (!pick_)
    {
        Result<LeafPick> made = LeafPick::create(library());
        if (!made) return made.error();
        if (Status s = library().finish(); !s) return s;
        pick_.emplace(std::move(*made));
    }
    const glm::dvec2 point = onDrawLattice(frame.view.terrain, place);
    const auto whole = [](double value) { return std::clamp(int(std::floor(value)), 0, kDrawLatticeSide - 1); };
    pick_->ask(frame.tree, glm::ivec2(whole(point.x), whole(point.y)), question);
    return Status::ok();
}

std::optional<LeafAnswer> TreeInspector::takeLeaf(std::uint64_t nanoseconds)
{
    return pick_ ? pick_->poll(nanoseconds) : std::nullopt;
}

Status TreeInspector::drawTopView(glm::dvec2 corner, double step, int side)
{
    const DrawnFrame frame = lastFrame_();
    const TerrainGpu& terrain = frame.view.terrain;
    if (!world_->planeSize(terrain)) return Error{ExitCode::kUsage, "earth: the view from above needs planar terrain"};
    if (!top_)
    {
        TopView made = TopView::create(library());
        if (Status s = library().finish(); !s) return s;
        top_.emplace(std::move(made));
    }
    const double unit = terrain.squareSide() / kDrawLatticeSide;
    return top_->draw(frame.tree, {onDrawLattice(terrain, corner), step / unit, side});
}

}  // namespace orogen::app
