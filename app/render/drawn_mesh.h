// Mesh of a frame: the patch of small triangles that is drawn for each leaf, and GPU lists of the mesh that was drawn.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <glm/vec3.hpp>

#include "app/gl/objects.h"
#include "app/gl/shader_library.h"
#include "app/render/triangulation.h"

namespace orogen::app {

// Patch of small triangles that is drawn for each leaf (core/leb/leb.h), for indexed instanced drawing.  All three
// edges have 2^level segments, so leaves that share an edge share its vertices.  Also holds the list of the heights of
// the drawn vertices (leaf_heights.comp), 4 bytes per vertex.  The list takes at most 64 MiB; if it is too short for
// all leaves, they are drawn in ranges.
class PatchMesh
{
public:
    PatchMesh() = default;  // empty: must not be bound
    // Creates a patch.  `level`: 0 .. 6; `leaves`: largest number of leaves in view, 0 if no leaf is drawn.  Error
    // kLimit: out of memory.
    static Result<PatchMesh> create(int level, std::uint32_t leaves);

    static std::uint64_t heightBytes(int level, std::uint32_t leaves);  // size of the list of heights
    int level() const { return level_; }
    std::uint32_t leaves() const { return leaves_; }  // as given to create()
    // Number of leaves whose heights the list holds at a time; a multiple of DrawRanges::kUnit.
    std::uint32_t leavesAtOnce() const { return leavesAtOnce_; }
    // Binds the buffers as storage for passes that check them: points of four bytes, indices in pairs.
    void bindForChecks() const;
    void bind() const;         // attribute 0: uvec2 weights of the second and third corner; 16-bit indices; heights
    void bindHeights() const;  // points and heights as storage, to list the heights
    std::uint64_t bytes() const { return points_.bytes() + indices_.bytes() + heights_.bytes(); }

private:
    VertexArray array_;
    Buffer points_, indices_, heights_;
    int level_ = -1;
    std::uint32_t leaves_ = 0, leavesAtOnce_ = 0;
};

// Corners in metres relative to the camera, along the axes of the ground (east, north, up).
using DrawnTriangle = std::array<glm::vec3, 3>;

// GPU lists of the mesh that a frame drew: the position of each vertex, and the leaf over a given place
// (shaders/surface/drawn_mesh.glsl).  The pixel measurements query the lists of this frame and of the previous one.
//
// With vertices, list() takes about as long as the frame's vertex stage.  Without vertices it takes some microseconds
// per thousand leaves.  Memory for each leaf of the capacity: 24 bytes, and 16 per vertex (264 at patch level 2).
class DrawnMesh
{
public:
    // Adds a program to `library`, which must outlive this object and finish before list().
    explicit DrawnMesh(ShaderLibrary& library);

    enum class Parts
    {
        kLeaves,
        kVertices
    };
    // Lists the leaves, or leaves and vertices, of the frame whose uniforms and terrain are bound.  `leaves`: expected
    // number in view; the lists have room for at least half as many more if the driver allows, and omit further leaves.
    // Binds the lists as bind() does; other storage bindings are undefined afterwards.  Error kLimit: out of memory.
    Status list(const Triangulation& tree, const PatchMesh& patch, std::uint64_t leaves, Parts parts);
    // Keeps the current lists as those of the previous frame.
    void keep();
    void bind() const;
    void bindBefore() const;

    // Returns the triangles of the current lists, which must have vertices.  Waits for the GPU.
    std::vector<DrawnTriangle> read() const;

    std::uint64_t bytes() const;

private:
    struct Lists
    {
        Buffer records, table;
        std::uint64_t leaves = 0, points = 0;  // capacity; vertices per leaf (0: not listed)
        int patchLevel = -1;
    };
    static Status prepare(Lists& lists, std::uint64_t leaves, std::uint64_t points);

    const ShaderLibrary* library_;
    ProgramHandle program_;
    Lists now_, before_;
};

}  // namespace orogen::app
