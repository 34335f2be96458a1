// A mesh from separate triangles, such as those drawn in a picture: corners at one place become one vertex.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/terrain/mesh/terrain_mesh.h"

namespace orogen {

// Vertical distances between a mesh and the samples under it.
struct MeshDistances
{
    MeshError error;            // metres; 0 without samples
    std::uint64_t samples = 0;  // number of samples measured
};

// Cuts triangles at the sides of a rectangle of x and y, and drops what lies outside.  Equal edges are cut at equal
// places, so that the parts weld.
std::vector<std::array<glm::vec3, 3>> cutToRectangle(std::span<const std::array<glm::vec3, 3>> triangles, glm::vec2 low,
                                                     glm::vec2 high);

class WeldedMesh final : public TriangleMesh
{
public:
    // Welds equal corners, and drops triangles without an area. Orders the corners of the other triangles so that they
    // face away from `below`, a place far under them in their coordinates. Then adds `origin` to all positions, in
    // double precision. Takes at most 2^32 - 1 corners.
    WeldedMesh(std::span<const std::array<glm::vec3, 3>> triangles, const glm::dvec3& origin, const glm::dvec3& below);

    // Returns the corners of a triangle, counterclockwise from above.
    std::array<glm::dvec3, 3> corners(std::uint64_t triangle) const
    {
        const auto& [a, b, c] = indices_[triangle];
        return {place(a), place(b), place(c)};
    }

    // Stores the distances that were measured by mesh_distances.h.
    void state(const MeshDistances& distances) { distances_ = distances; }
    const std::optional<MeshDistances>& distances() const { return distances_; }  // empty: not stated

    std::uint64_t triangles() const override { return indices_.size(); }
    std::uint64_t vertices() const override { return positions_.size(); }
    bool closed() const override { return false; }
    bool normals() const override { return false; }
    std::optional<double> largestError() const override
    {
        return distances_ && distances_->samples > 0 ? std::optional(distances_->error.largest) : std::nullopt;
    }
    void forVertices(const VisitVector& visit) const override;
    void forNormals(const VisitVector&) const override {}
    void forTriangles(const Visit& visit) const override;

private:
    glm::dvec3 place(std::uint32_t vertex) const { return origin_ + glm::dvec3(positions_[vertex]); }

    glm::dvec3 origin_;
    std::vector<glm::vec3> positions_;
    std::vector<std::array<std::uint32_t, 3>> indices_;
    std::optional<MeshDistances> distances_;
};

}  // namespace orogen
