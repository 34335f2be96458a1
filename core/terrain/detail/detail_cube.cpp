#include "core/terrain/detail/detail_cube.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>

#include "core/terrain/detail/octaves.h"

namespace orogen {
namespace {

using namespace octaves;

constexpr std::int32_t kHalfSide = kCubeSide / 2;

std::uint32_t hashOf(const CubePoint& cube, int bits)
{
    const auto at = [&](int axis) { return std::uint32_t(cube[axis] + kHalfSide) >> bits; };
    std::uint32_t v =
        at(0) * 0x8da6b343u ^ at(1) * 0xd8163841u ^ at(2) * 0xcb1ab31fu ^ (std::uint32_t(bits) + 1u) * 0x9e3779b1u;
    v = (v ^ (v >> 15u)) * 0x2c1b3c6du;
    v = (v ^ (v >> 12u)) * 0x297a2d39u;
    return v ^ (v >> 15u);
}

// Returns the direction of a node's wave in the cube's axes. Inside a face: `turns` in the cube's axis order. On an
// edge: the first component along it, the second along both others. At a corner: equal components with random signs.
glm::vec3 wayOf(const CubePoint& cube, glm::vec2 turns, std::uint32_t hash)
{
    const auto outwards = [&](int axis) { return std::abs(cube[axis]) == kHalfSide; };
    const int faces = int(outwards(0)) + int(outwards(1)) + int(outwards(2));
    const auto signOf = [&](std::uint32_t bit) { return 1.0f - 2.0f * float((hash >> bit) & 1u); };
    if (faces == 3) return glm::vec3(signOf(0), signOf(1), signOf(2)) * (0.70710678f * glm::length(turns));
    const auto onEdge = [&](int axis) { return outwards(axis) ? turns.y : turns.x; };
    if (faces == 2) return {onEdge(0), onEdge(1), onEdge(2)};
    return {turns.x, outwards(0) ? turns.x : turns.y, turns.y};
}

// Returns the axis of the cube along which a face's x or y runs.
int axisAlong(int face, bool x)
{
    const int outwards = face / 2, next = (outwards + 1) % 3, last = (outwards + 2) % 3;
    return x == ((face & 1) != 0) ? next : last;
}

float noise(const gpu::DetailUniforms& detail, const CubePlace& cell, int bits, std::uint32_t octave, glm::vec2 f)
{
    const int alongX = axisAlong(cell.face, true), alongY = axisAlong(cell.face, false);
    const auto node = [&](int i, int j) {
        const CubePoint cube = cubePoint({cell.face, cell.x + (i << bits), cell.y + (j << bits)});
        const std::uint32_t hash = hashOf(cube, bits);
        const glm::vec3 way = wayOf(cube, turnsOf(detail, hash, octave), hash);
        return wave(way[alongX] * (f.x - float(i)) + way[alongY] * (f.y - float(j)));
    };
    return blended(node(0, 0), node(1, 0), node(0, 1), node(1, 1), f);
}

}  // namespace

float detailReliefOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level)
{
    const int top = int(detail.octaves.y) + level;
    float sum = 0;
    for (std::uint32_t k = 0; k < detail.octaves.x; ++k)
    {
        const int bits = std::max(top - int(k) - (int(k) < kRipplingOctaves ? 0 : 1), 0);
        const double last = double((kCubeSide >> bits) - 1);
        const auto cellOf = [&](double at) { return std::clamp(std::floor(std::ldexp(at, -bits)), 0.0, last); };
        const glm::dvec2 cell(cellOf(place.at.x), cellOf(place.at.y));
        const glm::dvec2 f(std::ldexp(place.at.x, -bits) - cell.x, std::ldexp(place.at.y, -bits) - cell.y);
        sum += detail.amplitudes[k / 4][int(k % 4)] *
               noise(detail, {place.face, int(cell.x) << bits, int(cell.y) << bits}, bits, k, glm::vec2(f));
    }
    return sum;
}

double madeHeightOnCube(const gpu::DetailUniforms& detail, const FacePlace& place, int level, float rough, double above)
{
    if (rough <= 0 || above <= 0 || detail.octaves.x == 0) return 0;
    const double share = std::min(above / double(rough * detail.metres.z), 1.0);
    return double(rough * detailReliefOnCube(detail, place, level)) * share;
}

}  // namespace orogen
