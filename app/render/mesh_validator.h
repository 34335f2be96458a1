// Validator of the drawn mesh: no T-junctions, holes, overlaps or cracks, and correct orientation of every triangle.
//
// Runs on the GPU over all leaves of the tree, the list of drawn leaves, and the patch.  shaders/mesh_check.glsl has
// the tests and the argument why they suffice.  Results are read back asynchronously.  The cost is about that of the
// vertices of the whole tree; the buffers hold a bit per leaf and some words.
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
    // `library` must outlive this object and finish before check().  Error kLimit: out of memory.
    static Result<MeshValidator> create(ShaderLibrary& library);

    // Checks the tree as the last culling left it; the uniforms and textures of its frame must be bound.  Skips the
    // frame if the readback ring is full.  Error kLimit: out of memory for a tree of this capacity.
    Status check(const Triangulation& tree, const PatchMesh& patch, std::uint64_t frame);

    // Returns verdicts, oldest first; waits at most `nanoseconds`.  `squareSide`: metres, for places on planar terrain.
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

// Returns kind, count and place of the first fault as text; empty if there is none.
std::string describeFault(const gpu::MeshCheck& check, double squareSide);

}  // namespace orogen::app
