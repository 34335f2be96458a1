#include "core/terrain/mesh/welded_mesh.h"

#include <bit>
#include <unordered_map>

#include <glm/geometric.hpp>

namespace orogen {

namespace {

struct PlaceHash
{
    std::size_t operator()(const glm::vec3& place) const
    {
        std::size_t hash = 0;
        for (int i = 0; i < 3; ++i)
            hash = (hash ^ std::bit_cast<std::uint32_t>(place[i])) * 0x9e3779b97f4a7c15u;
        return hash ^ hash >> 32;
    }
};

}  // namespace

WeldedMesh::WeldedMesh(std::span<const std::array<glm::vec3, 3>> triangles, const glm::dvec3& origin,
                       const glm::dvec3& below)
    : origin_(origin)
{
    std::unordered_map<glm::vec3, std::uint32_t, PlaceHash> numbers;
    numbers.reserve(triangles.size());
    indices_.reserve(triangles.size());
    const auto numberOf = [&](glm::vec3 place) {
        place += 0.0f;  // -0 and 0 are one place
        const auto [found, added] = numbers.emplace(place, std::uint32_t(positions_.size()));
        if (added) positions_.push_back(place);
        return found->second;
    };
    for (const auto& [a, b, c] : triangles)
    {
        const glm::dvec3 from(a), normal = glm::cross(glm::dvec3(b) - from, glm::dvec3(c) - from);
        if (normal == glm::dvec3(0)) continue;
        const bool turned = glm::dot(normal, from - below) < 0;
        indices_.push_back({numberOf(a), numberOf(turned ? c : b), numberOf(turned ? b : c)});
    }
}

void WeldedMesh::forVertices(const VisitVector& visit) const
{
    for (std::uint32_t vertex = 0; vertex < positions_.size(); ++vertex)
        if (!visit(place(vertex))) return;
}

void WeldedMesh::forTriangles(const Visit& visit) const
{
    for (const auto& [a, b, c] : indices_)
        if (!visit({a, place(a)}, {b, place(b)}, {c, place(c)})) return;
}

}  // namespace orogen
