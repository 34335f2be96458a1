#include "app/render/tree_inspector.h"

#include <cstddef>
#include <cstring>

#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>

#include "app/render/world.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {
namespace {

constexpr float kNoGround[4] = {0.07f, 0.08f, 0.10f, 1.0f};  // colour outside the ground

class PlaneTopView final : public TopView
{
public:
    explicit PlaneTopView(ShaderLibrary& library) : TopView(library)
    {
        program_ = library.add("view from above", {"shaders/checks/top_view.comp"});
    }

private:
    Status fill(const DrawnFrame& frame, const TopPicture& region) override
    {
        const TerrainGpu& terrain = frame.view.terrain;
        const glm::dvec2 corner = terrain.onDrawLattice(region.corner);
        const double unit = terrain.squareSide() / TerrainGpu::kDrawLatticeSide;
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        glBindImageTexture(0, picture_.id(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
        glUseProgram(library_->program(program_));
        glUniform3f(0, float(corner.x), float(corner.y), float(region.step / unit));
        const GLuint groups = GLuint(region.side + 7) / 8;
        glDispatchCompute(groups, groups, 1);
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        return Status::ok();
    }
};

class EarthTopView final : public TopView
{
public:
    explicit EarthTopView(ShaderLibrary& library) : TopView(library)
    {
        program_ = library.add("view from above",
                               {"shaders/checks/top_view_earth.vert", "shaders/checks/top_view_earth.frag"});
        curvedProgram_ = library.add("large leaves from above", {"shaders/checks/top_view_earth.comp"});
        framebuffer_ = makeFramebuffer("view from above");
        array_ = makeVertexArray("view from above");
    }
    std::uint64_t bytes() const override { return TopView::bytes() + command_.bytes() + curved_.bytes(); }

private:
    Status fill(const DrawnFrame& frame, const TopPicture& region) override
    {
        if (!command_.id())
        {
            constexpr GLuint kTriangle[4] = {3, 0, 0, 0};  // vertices, instances, first vertex, first instance
            Result<Buffer> made =
                makeBuffer("leaves of the view from above", sizeof kTriangle, GL_DYNAMIC_STORAGE_BIT, kTriangle);
            Result<Buffer> curved = makeBuffer("large leaves from above", kCurvedList + sizeof(GLuint) * kMostCurved,
                                               GL_DYNAMIC_STORAGE_BIT);
            if (!made) return made.error();
            if (!curved) return curved.error();
            command_ = std::move(*made);
            curved_ = std::move(*curved);
        }
        // Takes the number of instances, one per leaf, from the tree's state, because only the GPU knows this number.
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT | GL_SHADER_STORAGE_BARRIER_BIT);
        glCopyNamedBufferSubData(frame.tree.state().id(), command_.id(), offsetof(gpu::TreeState, leaves),
                                 sizeof(GLuint), sizeof(GLuint));
        listCurved(frame.tree);
        const LocalAxes camera = axesAt(frame.view.camera.position), axes = axesAt(region.origin);
        const glm::dmat3 toEarth(camera.east, camera.north, camera.up), toRegion(axes.east, axes.north, axes.up);
        const glm::mat3 turn(glm::transpose(toRegion) * toEarth);
        const glm::vec3 offset(axes.toLocal(frame.view.camera.position - region.origin));
        const GLuint program = library_->program(program_);
        glProgramUniformMatrix3fv(program, 0, 1, GL_FALSE, &turn[0].x);
        glUseProgram(program);
        glUniform3fv(1, 1, &offset.x);
        glUniform3f(2, float(region.corner.x), float(region.corner.y), float(region.step * region.side));

        glClearTexImage(picture_.id(), 0, GL_RGBA, GL_FLOAT, kNoGround);
        glNamedFramebufferTexture(framebuffer_.id(), GL_COLOR_ATTACHMENT0, picture_.id(), 0);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_.id());
        glViewport(0, 0, region.side, region.side);
        glBindVertexArray(array_.id());
        glBindBuffer(GL_DRAW_INDIRECT_BUFFER, command_.id());
        glUniform1ui(3, 1);
        glDrawArraysIndirect(GL_TRIANGLES, nullptr);
        glUniform1ui(3, gpu::kCurvedPieces);
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, gpu::kLeavesBinding, curved_.id(), kCurvedList,
                          GLsizeiptr(curved_.bytes()) - kCurvedList);
        glBindBuffer(GL_DRAW_INDIRECT_BUFFER, curved_.id());
        glDrawArraysIndirect(GL_TRIANGLES, nullptr);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
        frame.tree.bindForChecks();
        return Status::ok();
    }

    // Lists the large leaves, which are drawn in pieces to follow the curved ground.  The draw arguments precede the
    // list in the buffer.
    void listCurved(const Triangulation& tree) const
    {
        const GLuint none[4] = {3 * gpu::kCurvedPieces * gpu::kCurvedPieces, 0, 0, 0};
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glNamedBufferSubData(curved_.id(), 0, sizeof none, none);
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kCurvedBinding, curved_.id());
        glUseProgram(library_->program(curvedProgram_));
        tree.dispatchOverLeaves();
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_COMMAND_BARRIER_BIT);
    }

    static constexpr std::size_t kMostCurved = 12u << (gpu::kCurvedDepth - 1);  // most leaves of depths < kCurvedDepth
    static constexpr GLintptr kCurvedList = 256;  // offset of the list in curved_ (bytes), see top_view_earth.comp

    Framebuffer framebuffer_;
    VertexArray array_;  // without attributes
    Buffer command_;     // DrawArraysIndirectCommand
    Buffer curved_;      // a draw command, then the indices of the large leaves in the pool
    ProgramHandle curvedProgram_{};
};

}  // namespace

Status TopView::draw(const DrawnFrame& frame, const TopPicture& region)
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
    frame.tree.bindForChecks();
    return fill(frame, region);
}

std::unique_ptr<TopView> topViewOfPlane(ShaderLibrary& library) { return std::make_unique<PlaneTopView>(library); }

std::unique_ptr<TopView> topViewOfEarth(ShaderLibrary& library) { return std::make_unique<EarthTopView>(library); }

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
