// Whether the mesh that is drawn is whole: no T-junction, hole, overlap or crack, every triangle turned as it must be.
//
// Runs on the GPU, over all leaves of the tree, the list of those that are drawn, and the patch;
// shaders/mesh_check.glsl says how it is judged and why that is enough.  What it finds is brought back without waiting.
// It takes about as long as the vertices of the whole tree; its buffers are a bit a leaf and some words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/gl/readback.h"
#include "app/gl/shader_library.h"
#include "app/render/patch_mesh.h"
#include "app/render/triangulation.h"
#include "core/frames/sample/frame_stats.h"

namespace orogen::app {

class MeshValidator
{
public:
    // `library` must outlive it and finish before check().  Error kLimit: out of memory.
    static Result<MeshValidator> create(ShaderLibrary& library);

    // Looks at the tree as the last culling left it, with the uniforms and textures of its frame bound.  Error kLimit:
    // out of memory for a tree of this capacity.  A frame whose verdict finds no room on its way back is left out.
    Status check(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame);

    // Verdicts, oldest first; waits for at most `nanoseconds`.  `squareSide`: metres, for the places on a plane.
    std::optional<MeshVerdict> poll(double squareSide, std::uint64_t nanoseconds = 0);
    int inFlight() const { return readback_.inFlight(); }

    std::uint64_t bytes() const { return check_.bytes() + drawnBits_.bytes(); }

private:
    explicit MeshValidator(ShaderLibrary& library);
    void clear() const;
    void use(ProgramHandle program) const { glUseProgram(library_->program(program)); }

    const ShaderLibrary* library_;
    ProgramHandle visible_, leaves_, patch_, judge_, locate_;
    Buffer check_, drawnBits_;
    ReadbackRing readback_;
};

// In words: kind, count and place of the first fault.  Empty if there is none.
std::string describeFault(const gpu::MeshCheck& check, double squareSide);

}  // namespace orogen::app
