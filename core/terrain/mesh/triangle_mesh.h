// A triangle mesh as files hold it: numbered vertices, and triangles that refer to them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include <glm/vec3.hpp>

namespace orogen {

// A corner of a triangle: the number of its vertex in the file, and its position (metres, x east, y north, z up).
struct MeshCorner
{
    std::uint32_t vertex = 0;
    glm::dvec3 position{0};
};

class TriangleMesh
{
public:
    virtual ~TriangleMesh() = default;

    virtual std::uint64_t triangles() const = 0;
    virtual std::uint64_t vertices() const = 0;
    virtual bool closed() const = 0;                         // whether every side is shared by two triangles
    virtual bool normals() const = 0;                        // whether forNormals() visits one for each vertex
    virtual std::optional<double> largestError() const = 0;  // metres; empty: not measured

    // Each function below calls `visit` until it returns false. The first two pass the vertices' positions, or the
    // normals there, in the order of the vertices' numbers. forTriangles() passes the corners of each triangle,
    // counterclockwise from outside, or from above if the surface is not closed.
    using VisitVector = std::function<bool(const glm::dvec3&)>;
    using Visit = std::function<bool(const MeshCorner&, const MeshCorner&, const MeshCorner&)>;
    virtual void forVertices(const VisitVector& visit) const = 0;
    virtual void forNormals(const VisitVector& visit) const = 0;
    virtual void forTriangles(const Visit& visit) const = 0;
};

}  // namespace orogen
