#include "core/terrain/mesh/welded_mesh.h"

#include <bit>
#include <tuple>
#include <unordered_map>
#include <utility>

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

// Returns the place of an edge at which a coordinate has a value.  The order of the ends does not matter.
glm::vec3 crossing(glm::vec3 a, glm::vec3 b, int axis, float value)
{
    if (std::tie(b.x, b.y, b.z) < std::tie(a.x, a.y, a.z)) std::swap(a, b);
    glm::vec3 place = a + (b - a) * ((value - a[axis]) / (b[axis] - a[axis]));
    place[axis] = value;
    return place;
}

}  // namespace

std::vector<std::array<glm::vec3, 3>> cutToRectangle(std::span<const std::array<glm::vec3, 3>> triangles, glm::vec2 low,
                                                     glm::vec2 high)
{
    std::vector<std::array<glm::vec3, 3>> kept;
    kept.reserve(triangles.size());
    std::vector<glm::vec3> polygon, cut;
    for (const std::array<glm::vec3, 3>& triangle : triangles)
    {
        polygon.assign(triangle.begin(), triangle.end());
        for (int side = 0; side < 4; ++side)
        {
            const int axis = side / 2;
            const float value = side % 2 == 0 ? low[axis] : high[axis];
            const auto inside = [&](const glm::vec3& p) { return side % 2 == 0 ? p[axis] >= value : p[axis] <= value; };
            cut.clear();
            for (std::size_t i = 0; i < polygon.size(); ++i)
            {
                const glm::vec3& here = polygon[i];
                const glm::vec3& next = polygon[(i + 1) % polygon.size()];
                if (inside(here)) cut.push_back(here);
                if (inside(here) != inside(next)) cut.push_back(crossing(here, next, axis, value));
            }
            std::swap(polygon, cut);
        }
        for (std::size_t i = 2; i < polygon.size(); ++i)
            kept.push_back({polygon[0], polygon[i - 1], polygon[i]});
    }
    return kept;
}

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
