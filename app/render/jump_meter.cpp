#include "app/render/jump_meter.h"

#include <utility>

#include "app/render/buffer_copy.h"

namespace orogen::app {

Result<JumpMeter> JumpMeter::create(ShaderLibrary& library)
{
    Result<PixelTally> tally = PixelTally::create(library, "jump", "shaders/jump_measure.comp");
    if (!tally) return tally.error();
    return JumpMeter(library, std::move(*tally));
}

Status JumpMeter::frame(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                        const Buffer& frameUniforms, std::uint64_t number)
{
    if (picture.terrain.onEarth()) return frameOnEarth(picture, tree, patch, frameUniforms, number);
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

Status JumpMeter::frameOnEarth(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                               const Buffer& frameUniforms, std::uint64_t number)
{
    TiledHeights* const tiles = picture.terrain.tiles();
    const bool compared = std::exchange(kept_, false);
    if (compared)
    {
        tiles->bindKept();
        const Status drawn = earth_.drawBefore(picture, patch, frameUniforms);
        tiles->bind();
        if (!drawn) return drawn;
        tally_.measure(picture, number);
        picture.terrain.bind();
        tree.bindForChecks();
    }
    if (Status s = earth_.keep(tree, frameUniforms); !s) return s;
    kept_ = true;
    return tiles->keep();
}

Status JumpMeter::keep(const Triangulation& tree, const Buffer& frameUniforms)
{
    kept_ = false;
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    if (Status s = copyBuffer("tree of the frame before", tree.heap().id(), tree.heap().bytes(), tree_); !s) return s;
    if (Status s = copyBuffer("state of the frame before", tree.state().id(), sizeof(gpu::TreeState), state_); !s)
        return s;
    if (Status s = copyBuffer("uniforms of the frame before", frameUniforms.id(), frameUniforms.bytes(), uniforms_); !s)
        return s;
    kept_ = true;
    return Status::ok();
}

}  // namespace orogen::app
