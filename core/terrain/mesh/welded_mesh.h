// A mesh from separate triangles, such as those of a picture: corners at one place become one vertex.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <glm/vec3.hpp>

#include "core/terrain/mesh/terrain_mesh.h"
#include "core/terrain/raster/height_field.h"

namespace orogen {

class WeldedMesh final : public TriangleMesh
{
public:
    // Welds corners that are equal to the last bit, drops triangles without an area, and turns the others away from
    // `below`, a place far under all of them.  `origin` is added to all positions, in double precision.  At most
    // 2^32 - 1 corners.
    WeldedMesh(std::span<const std::array<glm::vec3, 3>> triangles, const glm::dvec3& origin, const glm::dvec3& below);

    // Measures the vertical distances to all samples under the triangles, voids excepted. Positions must be metres from
    // the middle of the samples, and heights multiplied by `heightScale`. O(triangles + samples under them); a bit of
    // memory a sample.
    void measure(const HeightField& field, double heightScale);
    const std::optional<MeshError>& error() const { return error_; }  // empty: not measured, or no sample
    std::uint64_t samplesMeasured() const { return samplesMeasured_; }

    std::uint64_t triangles() const override { return indices_.size(); }
    std::uint64_t vertices() const override { return positions_.size(); }
    bool closed() const override { return false; }
    bool normals() const override { return false; }
    std::optional<double> largestError() const override
    {
        return error_ ? std::optional(error_->largest) : std::nullopt;
    }
    void forVertices(const VisitVector& visit) const override;
    void forNormals(const VisitVector&) const override {}
    void forTriangles(const Visit& visit) const override;

private:
    glm::dvec3 place(std::uint32_t vertex) const { return origin_ + glm::dvec3(positions_[vertex]); }

    glm::dvec3 origin_;
    std::vector<glm::vec3> positions_;
    std::vector<std::array<std::uint32_t, 3>> indices_;
    std::optional<MeshError> error_;
    std::uint64_t samplesMeasured_ = 0;
};

}  // namespace orogen
