#include "core/terrain/tiles/cube_slopes.h"

#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>

#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/tiles/cube_tiles.h"

namespace orogen {
namespace {

constexpr std::size_t kSide = kTileSide, kReadSide = kTileReadSide;

// A line of samples of the cube: its warped coordinate, and the change of that coordinate over two samples.
struct Line
{
    double at, step;
};

std::array<Line, kSide> linesOf(int first, int bits)
{
    std::array<Line, kSide> lines{};
    for (std::size_t i = 0; i < kSide; ++i)
    {
        const double c = std::ldexp(double(first) + double(i), bits + 1 - kCubeBits) - 1.0;
        lines[i] = {c * (0.75 + 0.25 * c * c), 0.75 * (1.0 + c * c) * std::ldexp(1.0, bits + 2 - kCubeBits)};
    }
    return lines;
}

// Returns the ellipsoid's squared half-axes (square metres) along a face's x, y and outwards.
glm::dvec3 halfAxesSquared(int face)
{
    constexpr double kEquator = kEarthEquatorRadius * kEarthEquatorRadius, kPole = kEarthPoleRadius * kEarthPoleRadius;
    const glm::ivec3 x = cubePoint({face, kCubeSide, 0}) - cubePoint({face, 0, 0});
    const glm::ivec3 y = cubePoint({face, 0, kCubeSide}) - cubePoint({face, 0, 0});
    return {x.z != 0 ? kPole : kEquator, y.z != 0 ? kPole : kEquator, x.z == 0 && y.z == 0 ? kPole : kEquator};
}

// Returns the gradient for height differences over two samples along x and y. With n = w / |w| the tangents are dn/dx =
// (x - n n.x) w' / |w|, and the same for y. Their products in metres are the metric.
glm::dvec2 gradient(const Line& x, const Line& y, const glm::dvec3& squares, double alongX, double alongY)
{
    const double inverse = 1.0 / std::sqrt(x.at * x.at + y.at * y.at + 1.0);
    const glm::dvec3 n(x.at * inverse, y.at * inverse, inverse);
    const glm::dvec3 a(1.0 - n.x * n.x, -n.x * n.y, -n.x * n.z), b(-n.y * n.x, 1.0 - n.y * n.y, -n.y * n.z);
    const auto product = [&](const glm::dvec3& u, const glm::dvec3& v) {
        return squares.x * u.x * v.x + squares.y * u.y * v.y + squares.z * u.z * v.z;
    };
    const double stepX = x.step * inverse, stepY = y.step * inverse;
    const double xx = product(a, a) * stepX * stepX, yy = product(b, b) * stepY * stepY;
    const double xy = product(a, b) * stepX * stepY;
    const double lengthX = std::sqrt(xx), area = std::sqrt(xx * yy - xy * xy);
    return {alongX / lengthX, (alongY - alongX * xy / xx) * lengthX / area};
}

}  // namespace

void cubeSlopes(const TileGrid& grid, const TileKey& key, std::span<const float> window, std::span<float> out)
{
    assert(window.size() == kReadSide * kReadSide && out.size() == 2 * kSide * kSide);
    const int bits = cubeSampleBits(grid, key.level);
    const auto columns = linesOf(key.x * kTileCells, bits), rows = linesOf(key.y * kTileCells, bits);
    const glm::dvec3 squares = halfAxesSquared(key.face);
    for (std::size_t r = 0; r < kSide; ++r)
        for (std::size_t c = 0; c < kSide; ++c)
        {
            const float* at = window.data() + (r + kTileApron) * kReadSide + c + kTileApron;
            const double alongX = double(at[1]) - double(at[-1]);
            const double alongY = double(at[kReadSide]) - double(at[-std::ptrdiff_t(kReadSide)]);
            const glm::dvec2 slope = gradient(columns[c], rows[r], squares, alongX, alongY);
            out[2 * (r * kSide + c)] = float(slope.x);
            out[2 * (r * kSide + c) + 1] = float(slope.y);
        }
}

}  // namespace orogen
