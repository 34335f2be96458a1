#include "core/terrain/tiles/cube_tiles.h"

#include <algorithm>
#include <cmath>

#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>

#include "core/planet/ellipsoid.h"

namespace orogen {
namespace {

// Margin added to the horizon (radians). It covers two approximations: a level surface is treated as an ellipsoid with
// longer half-axes, and the vertical as the direction from the centre.
constexpr double kHorizonMargin = 1e-3;
// Upper bound of the angle (radians) between the verticals of two points, divided by their distance on the unit sphere.
constexpr double kVerticals = 1.01;

double squaredLength(const glm::dvec3& v) { return glm::dot(v, v); }

// Returns a matrix for each face. Its columns are the face's axes along x, y and outwards (unit vectors).
const std::array<glm::dmat3, kCubeFaces>& faceAxes()
{
    static const std::array<glm::dmat3, kCubeFaces> axes = [] {
        std::array<glm::dmat3, kCubeFaces> made;
        for (int face = 0; face < kCubeFaces; ++face)
        {
            const glm::dvec3 origin(cubePoint({face, 0, 0}));
            const glm::dvec3 x = (glm::dvec3(cubePoint({face, kCubeSide, 0})) - origin) / double(kCubeSide);
            const glm::dvec3 y = (glm::dvec3(cubePoint({face, 0, kCubeSide})) - origin) / double(kCubeSide);
            made[std::size_t(face)] = glm::dmat3(x, y, glm::cross(x, y));
        }
        return made;
    }();
    return axes;
}

// Returns the warped coordinate (cube_lattice.h, in [-1, 1]) of a border between tiles. `at`: its number, from 0 to
// `of`; `of`: number of tiles along a face.
double sideAt(int at, int of)
{
    const double c = 2.0 * at / of - 1.0;
    return c * (0.75 + 0.25 * c * c);
}

// Returns the squared distance on the unit sphere from a point to a tile, both in the axes of the tile's face.
double squaredChord(const CubeTiles::Where& tile, const glm::dvec3& point)
{
    // The great circle of a side lies in a plane through the centre. Its unit normal points into the tile.
    std::array<double, 4> scale, inside;  // sides at low x, high x, low y, high y
    for (std::size_t i = 0; i < 2; ++i)
    {
        const double sign = i == 0 ? 1.0 : -1.0;
        scale[i] = sign / std::sqrt(1.0 + tile.x[i] * tile.x[i]);
        scale[2 + i] = sign / std::sqrt(1.0 + tile.y[i] * tile.y[i]);
        inside[i] = scale[i] * (point.x - tile.x[i] * point.z);
        inside[2 + i] = scale[2 + i] * (point.y - tile.y[i] * point.z);
    }
    if (std::all_of(inside.begin(), inside.end(), [](double d) { return d >= 0; })) return 0;
    double least = 4;
    for (const glm::dvec3& corner : tile.corners)
        least = std::min(least, squaredLength(point - corner));
    for (std::size_t side = 0; side < 4; ++side)
    {
        // The nearest point of a side's circle counts only if it lies between the two adjacent sides.
        const double sine = inside[side], at = side < 2 ? tile.x[side] : tile.y[side - 2];
        const std::array<double, 2>& across = side < 2 ? tile.y : tile.x;
        const std::size_t other = side < 2 ? 2 : 0;
        const auto between = [&](std::size_t i) {
            const double cosine = scale[side] * scale[other + i] * at * across[i];  // between the planes' normals
            return inside[other + i] - sine * cosine >= 0;
        };
        if (between(0) && between(1))
            least = std::min(least, 2 * sine * sine / (1 + std::sqrt(std::max(0.0, 1 - sine * sine))));
    }
    return least;
}

// Returns the squared length of a chord of the unit sphere. `angle`: angle at the centre (radians).
double squaredChordOf(double angle)
{
    const double half = std::sin(std::min(angle, 3.1415926) / 2);
    return 4 * half * half;
}

// Returns the angle at the Earth's centre (radians) between a summit and its horizon. `high`, `low`: heights of the
// summit and of the ground that its line of sight touches (metres).
double dip(double low, double high)
{
    return high > low ? std::acos((kEarthPoleRadius + low) / (kEarthPoleRadius + high)) : 0.0;
}

}  // namespace

int cubeSampleBits(const TileGrid& grid, int level) { return kCubeBits - 7 - (grid.levels() - 1) + level; }

double cubeSampleMetres(const TileGrid& grid, int level)
{
    return std::ldexp(metresOfCubeUnit(), cubeSampleBits(grid, level));
}

CubeTiles::Camera::Camera(const TileGround& ground, const TileView& seen) : view(seen)
{
    const Geodetic place = geodeticOf(view.position);
    const glm::dvec3 down = scaledDirectionOf(place.latitude, place.longitude);
    for (std::size_t face = 0; face < foot.size(); ++face)
        foot[face] = down * faceAxes()[face];
    above = std::max(0.0, place.height - double(ground.whole.highest) * view.heightScale);
    low = std::min(0.0, double(ground.whole.lowest) * view.heightScale);
    const double equator = kEarthEquatorRadius + low, pole = kEarthPoleRadius + low;
    const glm::dvec3 scaled(view.position.x / equator, view.position.y / equator, view.position.z / pole);
    const double radius = glm::length(scaled);
    // The direction from the centre to the camera differs slightly from that to the point below the camera. The angle
    // between both widens the horizon.
    const double aside = radius > 0 ? std::asin(std::min(1.0, glm::length(scaled / radius - down))) : 0.0;
    horizon = (radius > 1 ? std::acos(1 / radius) : 0.0) + aside + kHorizonMargin;
    nothingHidden = squaredChordOf(horizon);
    allHidden = squaredChordOf(horizon + dip(low, double(ground.whole.highest) * view.heightScale));
}

CubeTiles::CubeTiles(const TileGround& ground) : ground_(ground) {}

CubeTiles::Where CubeTiles::where(const TileKey& key) const
{
    const int along = 1 << (ground_.grid.levels() - 1 - key.level);
    Where where;
    where.face = key.face;
    where.x = {sideAt(key.x, along), sideAt(key.x + 1, along)};
    where.y = {sideAt(key.y, along), sideAt(key.y + 1, along)};
    for (std::size_t i = 0; i < 4; ++i)
        where.corners[i] = glm::normalize(glm::dvec3(where.x[i & 1], where.y[i >> 1], 1.0));
    return where;
}

double CubeTiles::distance(const Where& where, const Camera& camera) const
{
    const double squared = squaredChord(where, camera.foot[std::size_t(where.face)]);
    return std::sqrt(squared * (kEarthPoleRadius * kEarthPoleRadius) + camera.above * camera.above);
}

// Tests the tile against the horizon, and its bounding sphere against the frustum.
bool CubeTiles::sees(const TileKey& key, const Where& where, const TileBounds& bounds, const Camera& camera,
                     double distance) const
{
    const double low = double(bounds.lowest) * camera.view.heightScale;
    const double high = double(bounds.highest) * camera.view.heightScale, middle = (low + high) / 2;
    const double squared = (distance * distance - camera.above * camera.above) / (kEarthPoleRadius * kEarthPoleRadius);
    if (squared > camera.allHidden) return false;
    if (squared > camera.nothingHidden && squared > squaredChordOf(camera.horizon + dip(camera.low, high)))
        return false;
    const glm::dvec3 centre =
        glm::normalize(glm::dvec3((where.x[0] + where.x[1]) / 2, (where.y[0] + where.y[1]) / 2, 1.0));
    double farthest = 0;
    for (const glm::dvec3& corner : where.corners)
        farthest = std::max(farthest, squaredLength(corner - centre));
    const double radius =
        std::sqrt(farthest) * (kEarthEquatorRadius + kVerticals * std::abs(middle)) + (high - low) / 2;
    const glm::dvec3 to = raised(faceAxes()[std::size_t(where.face)] * centre, middle) - camera.view.position;
    const double margin = viewMargin(ground_, key, distance) + radius;
    return std::all_of(camera.view.planes.begin(), camera.view.planes.end(), [&](const glm::vec4& plane) {
        return double(plane.x) * to.x + double(plane.y) * to.y + double(plane.z) * to.z + double(plane.w) >= -margin;
    });
}

}  // namespace orogen
