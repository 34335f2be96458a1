// The mesh that a frame drew, as lists on the GPU: where each vertex was put, and which leaf lies over a place
// (shaders/drawn_mesh.glsl).  What measures pixels asks it, of this frame and of the one before.
//
// With vertices it costs those of a picture once more, and 16 bytes for each of them: of a leaf at patch level 2, 256.
// Without, some microseconds for a thousand leaves, and 16 bytes a leaf.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/patch_mesh.h"
#include "app/render/triangulation.h"

namespace orogen::app {

// Corners in metres from the camera, along the axes of the picture's ground.
using DrawnTriangle = std::array<glm::vec3, 3>;

class DrawnMesh
{
public:
    // Adds its program; `library` must outlive it and finish before list().
    explicit DrawnMesh(ShaderLibrary& library);

    // The leaves, or vertices with them, of the frame whose uniforms and terrain are bound, of about so many leaves in
    // view: what there is beyond a half more is left out.  Afterwards bind() holds; other bindings of storage are not
    // as before.  Error kLimit.
    enum class Parts
    {
        kLeaves,
        kVertices
    };
    Status list(const Triangulation& tree, const PatchMesh& patch, std::uint64_t leaves, Parts parts);
    // Keeps what was listed as that of the frame before.
    void keep();
    void bind() const;
    void bindBefore() const;

    // Every triangle of what was listed last, with vertices; waits for the GPU.
    std::vector<DrawnTriangle> read() const;

    std::uint64_t bytes() const;

private:
    struct Lists
    {
        Buffer records, table;
        std::uint64_t leaves = 0, points = 0;  // that they hold, and of each leaf
        int patchLevel = -1;
    };
    static Status prepare(Lists& lists, std::uint64_t leaves, std::uint64_t points);

    const ShaderLibrary* library_;
    ProgramHandle program_;
    Lists now_, before_;
};

}  // namespace orogen::app
