#include "app/render/jump_meter.h"

namespace orogen::app {
namespace {

Status copy(const char* label, const Buffer& from, std::uint64_t bytes, Buffer& to)
{
    if (to.bytes() != bytes)
    {
        Result<Buffer> made = makeBuffer(label, bytes);
        if (!made) return made.error();
        to = std::move(*made);
    }
    glCopyNamedBufferSubData(from.id(), to.id(), 0, 0, GLsizeiptr(bytes));
    return Status::ok();
}

}  // namespace

Result<JumpMeter> JumpMeter::create(ShaderLibrary& library)
{
    Result<PixelTally> tally = PixelTally::create(library, "jump", "shaders/jump_measure.comp");
    if (!tally) return tally.error();
    return JumpMeter(std::move(*tally));
}

Status JumpMeter::frame(const PictureView& picture, const Triangulation& tree, const Buffer& frameUniforms,
                        std::uint64_t number)
{
    TiledHeights* const tiles = picture.terrain.tiles();
    if (kept_ && tree_.bytes() == tree.heap().bytes())
    {
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kTreeBinding, tree_.id());
        glBindBufferBase(GL_SHADER_STORAGE_BUFFER, gpu::kStateBinding, state_.id());
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, uniforms_.id());
        if (tiles) tiles->bindKept();
        tally_.measure(picture, number);
        if (tiles) tiles->bind();
        glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kFrameBinding, frameUniforms.id());
        tree.bindForChecks();
    }
    if (Status s = keep(tree, frameUniforms); !s || !tiles) return s;
    return tiles->keep();
}

Status JumpMeter::keep(const Triangulation& tree, const Buffer& frameUniforms)
{
    kept_ = false;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    if (Status s = copy("tree of the frame before", tree.heap(), tree.heap().bytes(), tree_); !s) return s;
    if (Status s = copy("state of the frame before", tree.state(), sizeof(gpu::TreeState), state_); !s) return s;
    if (Status s = copy("uniforms of the frame before", frameUniforms, frameUniforms.bytes(), uniforms_); !s) return s;
    kept_ = true;
    return Status::ok();
}

}  // namespace orogen::app
