// The jump on the Earth: how far the ground in each pixel moved since the frame before, up or down.
//
// The pool has no tree to descend, so what the frame before drew is drawn again, by its leaves, its view for gliding
// vertices and its tiles, but seen from the present camera, into a depth of its own; and the two depths are compared as
// vertical distances (shaders/earth_jump.glsl).  Takes a list of leaves, two depths, and a picture's vertices a frame.
#pragma once

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/patch_mesh.h"
#include "app/render/pixel_tally.h"
#include "app/render/triangulation.h"

namespace orogen::app {

class EarthJump
{
public:
    // Adds its program; `library` must outlive it and finish before drawBefore().
    explicit EarthJump(ShaderLibrary& library);

    // After a frame was drawn, as it is bound: its leaves, its uniforms.  Error kLimit: out of memory.
    Status keep(const Triangulation& tree, const Buffer& frameUniforms);

    // The ground of the frame that was kept, where the picture's camera sees it now; binds its depth as
    // kDepthThenTexture.  The tiles of that frame must be bound.  Afterwards the picture's target and the uniforms are
    // bound again; bindings of the triangulation and of the terrain's textures are left as they come.  Error kLimit.
    Status drawBefore(const PictureView& picture, const PatchMesh& patch, const Buffer& frameUniforms);

    std::uint64_t bytes() const;

private:
    Status prepareDepth(const RenderTarget& target);

    const ShaderLibrary* library_;
    ProgramHandle program_;
    Buffer visible_, state_, frame_, earth_;
    Texture depth_;
    Framebuffer framebuffer_;
};

}  // namespace orogen::app
