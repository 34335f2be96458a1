// The jump: by how much the drawn ground changed from one frame to the next, beyond what the camera's own motion does.
//
// In each pixel that shows ground, the height that is drawn there is compared with the height that the frame before
// drew at the same place, whether that frame saw it or not, and told in pixels as shaders/seen.glsl has them.  For that
// the tree, its state and the uniforms of the frame before are kept: the memory of a tree, and a copy of it a frame.
#pragma once

#include "app/render/earth_jump.h"
#include "app/render/pixel_tally.h"
#include "app/render/triangulation.h"

namespace orogen::app {

class JumpMeter
{
public:
    // Errors as of PixelTally.
    static Result<JumpMeter> create(ShaderLibrary& library);

    // After a frame was drawn: compares it with the one before, if keep() was called after that, and keeps this one.
    // Terrain uniforms and textures must be bound; other bindings are left as they come.  Error kLimit: out of memory.
    Status frame(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                 const Buffer& frameUniforms, std::uint64_t number);
    void forget() { kept_ = false; }  // another terrain, a tree that starts anew

    std::optional<PixelFigures> poll(std::uint64_t nanoseconds = 0) { return tally_.poll(nanoseconds); }
    int inFlight() const { return tally_.inFlight(); }
    std::uint64_t bytes() const
    {
        return tally_.bytes() + tree_.bytes() + state_.bytes() + uniforms_.bytes() + earth_.bytes();
    }

private:
    JumpMeter(ShaderLibrary& library, PixelTally tally) : tally_(std::move(tally)), earth_(library) {}
    Status frameOnEarth(const PictureView& picture, const Triangulation& tree, const PatchMesh& patch,
                        const Buffer& frameUniforms, std::uint64_t number);
    Status keep(const Triangulation& tree, const Buffer& frameUniforms);

    PixelTally tally_;
    Buffer tree_, state_, uniforms_;
    EarthJump earth_;
    bool kept_ = false;
};

}  // namespace orogen::app
