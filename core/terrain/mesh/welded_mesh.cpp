#include "core/terrain/mesh/welded_mesh.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

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

constexpr double kOnSide = 1e-4;     // in samples: positions are rounded to 32 bits
constexpr double kLeastArea = 1e-9;  // in cells: thinner triangles are seen edge-on from above

double crossed(const glm::dvec3& a, const glm::dvec3& b) { return a.x * b.y - a.y * b.x; }

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

void WeldedMesh::measure(const HeightField& field, double heightScale)
{
    std::vector<bool> seen(std::size_t(field.width) * std::size_t(field.height));
    MeshError error;
    double squares = 0;
    samplesMeasured_ = 0;
    const glm::dvec2 middle(0.5 * (field.width - 1), 0.5 * (field.height - 1));
    const auto sampled = [&](std::uint32_t vertex) {
        const glm::dvec3 at = place(vertex);
        return glm::dvec3(middle.x + at.x / field.pixelWidth, middle.y - at.y / field.pixelHeight, at.z);
    };
    const auto measureAt = [&](int x, int y, double height) {
        const std::size_t at = std::size_t(y) * std::size_t(field.width) + std::size_t(x);
        if (!field.voidMask.empty() && field.voidMask[at] != 0) return;
        const double off = std::abs(height - double(field.at(x, y)) * heightScale);
        error.largest = std::max(error.largest, off);
        if (seen[at]) return;
        seen[at] = true;
        ++samplesMeasured_;
        squares += off * off;
    };
    for (const auto& corners : indices_)
    {
        const glm::dvec3 a = sampled(corners[0]), b = sampled(corners[1]), c = sampled(corners[2]);
        const double area = crossed(b - a, c - a);
        if (std::abs(area) < kLeastArea) continue;
        const glm::dvec3 low = glm::min(a, glm::min(b, c)) - kOnSide, high = glm::max(a, glm::max(b, c)) + kOnSide;
        const int bottom = std::min(int(std::floor(high.y)), field.height - 1);
        const int right = std::min(int(std::floor(high.x)), field.width - 1);
        for (int y = std::max(int(std::ceil(low.y)), 0); y <= bottom; ++y)
            for (int x = std::max(int(std::ceil(low.x)), 0); x <= right; ++x)
            {
                const glm::dvec3 at(x, y, 0);
                glm::dvec3 weights = glm::dvec3(crossed(b - at, c - at), crossed(c - at, a - at), 0) / area;
                weights.z = 1 - weights.x - weights.y;
                if (std::min({weights.x, weights.y, weights.z}) < -kOnSide) continue;
                weights = glm::max(weights, glm::dvec3(0));  // a sample on a side, moved off it by rounding
                measureAt(x, y, glm::dot(weights, glm::dvec3(a.z, b.z, c.z)) / (weights.x + weights.y + weights.z));
            }
    }
    if (samplesMeasured_ == 0) return;
    error.rootMeanSquare = std::sqrt(squares / double(samplesMeasured_));
    error_ = error;
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
