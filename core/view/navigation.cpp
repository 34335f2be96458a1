#include "core/view/navigation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace orogen {
namespace {

constexpr double kLookDegreesPerPixel = 0.15;  // at 60 degrees of view; narrower views turn more slowly
constexpr double kZoomPerNotch = 0.85;         // factor on the distance
constexpr double kFast = 5.0, kSlow = 0.2;
constexpr double kFurthest = 4.0;    // largest east or north, and height above all ground, in larger sides
constexpr double kStepShare = 0.1;   // step length, as a share of the height above ground
constexpr int kMostSteps = 256;      // steps of one move, at most
constexpr double kZoomReach = 12.0;  // heights above ground: limits the zoom distance
constexpr double kCloser = 0.3, kMapCloser = 0.5;  // end of a flight: share of the distance, in the map of the height
constexpr double kClosest = 8.0;                   // least metres from the target of a flight

double navigationRadians(double degrees) { return degrees * (std::numbers::pi / 180.0); }
double furthestFrom(const TerrainExtent& terrain) { return kFurthest * std::max(terrain.size.x, terrain.size.y); }

// Clamps `to` to [-limit, limit], or to the range of `from` if that is already further out.
double keptWithin(double to, double from, double limit)
{
    const double bound = std::max(limit, std::abs(from));
    return std::clamp(to, -bound, bound);
}

glm::dvec3 withinReach(glm::dvec3 to, const glm::dvec3& from, const TerrainExtent& terrain)
{
    const double limit = furthestFrom(terrain);
    to.x = keptWithin(to.x, from.x, limit);
    to.y = keptWithin(to.y, from.y, limit);
    to.z = std::min(to.z, std::max(from.z, ceilingOver(terrain)));
    return to;
}

// Takes one step; see movedOverGround().
glm::dvec3 stepOver(const glm::dvec3& from, const glm::dvec3& step, const GroundHeight& ground)
{
    glm::dvec3 to = from + step;
    const double lowest = ground(to.x, to.y) + kEyeHeight;
    if (to.z >= lowest) return to;
    const double asked = glm::length(step), climbed = glm::length(glm::dvec3(step.x, step.y, lowest - from.z));
    const double part = climbed > asked ? asked / climbed : 1.0;
    to = from + step * part;
    to.z = std::max(to.z, ground(to.x, to.y) + kEyeHeight);
    return to;
}

}  // namespace

bool CameraInput::idle() const
{
    const std::array<double, 9> motions = {forward, right, up, turnX, turnY, panX, panY, zoom, pace};
    return !flyTo && std::ranges::all_of(motions, [](double motion) { return motion == 0; });
}

double paceOf(const CameraInput& input) { return (input.fast ? kFast : 1.0) * (input.slow ? kSlow : 1.0); }

double heightAbove(const Camera& camera, double groundHeight)
{
    return std::max(camera.position.z - groundHeight, kEyeHeight);
}

double flySpeed(const Camera& camera, double groundHeight, const CameraInput& input)
{
    return heightAbove(camera, groundHeight) * paceOf(input);
}

Camera aboveGround(Camera camera, double groundHeight)
{
    camera.position.z = std::max(camera.position.z, groundHeight + kEyeHeight);
    return camera;
}

double ceilingOver(const TerrainExtent& terrain) { return terrain.maxHeight + furthestFrom(terrain); }

glm::dvec3 movedOverGround(const glm::dvec3& from, const glm::dvec3& to, const ViewSurroundings& around)
{
    const auto& ground = around.ground;
    const glm::dvec3 way = withinReach(to, from, around.terrain) - from;
    const double length = glm::length(way);
    glm::dvec3 at = from;
    at.z = std::max(at.z, ground(at.x, at.y) + kEyeHeight);
    double left = length > 0 ? 1.0 : 0.0;
    for (int i = 0; i < kMostSteps && left > 0; ++i)
    {
        const double height = std::max(at.z - ground(at.x, at.y), kEyeHeight);
        const double part = std::min(left, kStepShare * height / length);
        at = stepOver(at, way * part, ground);
        left = part < left ? left - part : 0.0;
    }
    return at;
}

glm::dvec3 rayAt(const Camera& camera, glm::dvec2 cursor, glm::dvec2 viewport)
{
    const double tanY = std::tan(navigationRadians(0.5 * camera.fov)), tanX = tanY * viewport.x / viewport.y;
    return forward(camera) + right(camera) * (cursor.x * tanX) + up(camera) * (cursor.y * tanY);
}

std::optional<glm::dvec3> groundAlong(const glm::dvec3& origin, const glm::dvec3& direction, const GroundHeight& ground,
                                      const TerrainExtent& terrain)
{
    const glm::dvec3 along = glm::normalize(direction);
    const auto above = [&](double distance) {
        const glm::dvec3 point = origin + along * distance;
        return point.z - ground(point.x, point.y);
    };
    const double reach = 2 * furthestFrom(terrain) + std::abs(origin.z);
    const double toHighest = (terrain.maxHeight - origin.z) / along.z;  // no ground above this
    if (origin.z > terrain.maxHeight && along.z >= 0) return std::nullopt;
    const double from = origin.z > terrain.maxHeight ? toHighest : 0.0;
    const std::optional<double> met = firstMetGround(from, along.z > 0 ? std::min(reach, toHighest) : reach, above);
    return met ? std::optional(origin + along * *met) : std::nullopt;
}

std::optional<glm::dvec3> groundUnder(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around)
{
    return groundAlong(camera.position, rayAt(camera, cursor, around.viewport), around.ground, around.terrain);
}

Camera turned(Camera camera, double pixelsRight, double pixelsDown)
{
    const double degrees = kLookDegreesPerPixel * camera.fov / 60.0;
    camera.yaw = wrappedYaw(camera.yaw + pixelsRight * degrees);
    camera.pitch = std::clamp(camera.pitch - pixelsDown * degrees, -90.0, 90.0);
    return camera;
}

glm::dvec3 zoomed(const glm::dvec3& position, const glm::dvec3& target, double notches)
{
    return target + (position - target) * std::pow(kZoomPerNotch, notches);
}

glm::dvec3 zoomTarget(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around)
{
    const double height = heightAbove(camera, around.ground(camera.position.x, camera.position.y));
    const glm::dvec3 ray = glm::normalize(rayAt(camera, cursor, around.viewport));
    const std::optional<glm::dvec3> met = groundUnder(camera, cursor, around);
    if (!met) return camera.position + ray * height;
    return camera.position + ray * std::min(glm::distance(*met, camera.position), kZoomReach * height);
}

Camera closeTo(const glm::dvec3& spot, const Camera& camera, bool map)
{
    Camera there = camera;
    if (map)
    {
        const double height = std::max(kMapCloser * (camera.position.z - spot.z), kClosest);
        there.position = {spot.x, spot.y, spot.z + height};
        return there;
    }
    const glm::dvec3 way = spot - camera.position;
    const double across = glm::length(glm::dvec2(way));
    const double degrees = 180.0 / std::numbers::pi;
    if (across > 1e-6 * glm::length(way)) there.yaw = wrappedYaw(std::atan2(way.x, way.y) * degrees);
    there.pitch = std::clamp(std::atan2(way.z, across) * degrees, -60.0, -15.0);
    there.position = spot - forward(there) * std::max(kCloser * glm::length(way), kClosest);
    return there;
}

// ---- initial view ----

namespace {

constexpr double kNorth = -0.30;        // offset from the region's centre, relative to its extent
constexpr double kLookDown = -14.0;     // degrees
constexpr double kHeightShare = 0.030;  // clearance above near ground, relative to the region's side
constexpr double kReliefShare = 0.25;   // clearance, relative to the terrain's relief
constexpr double kAhead = 0.30;         // range of near ground, relative to the region's side
constexpr int kSteps = 12;              // along the view, and to either side of it
constexpr double kLargeSide = 100'000;  // metres: larger terrains are viewed by region
constexpr double kRegionSide = 40'000;  // metres
constexpr int kSearchSteps = 44;        // per side of a large terrain, in the search for its highest place

double degreesOf(double tangent) { return std::atan(tangent) * (180.0 / std::numbers::pi); }

// Returns the highest ground ahead, in a fan as wide as deep.  Far ground counts as lower, since it hides less.
double groundAhead(const ViewSurroundings& around, const glm::dvec3& from, double side, double clearance)
{
    double highest = around.ground(from.x, from.y);
    for (int ahead = 1; ahead <= kSteps; ++ahead)
    {
        const double distance = kAhead * side * ahead / kSteps;
        for (int across = -kSteps / 2; across <= kSteps / 2; ++across)
        {
            const double ground = around.ground(from.x + distance * across / kSteps, from.y + distance);
            highest = std::max(highest, ground - clearance * 0.8 * ahead / kSteps);
        }
    }
    return highest;
}

struct Region
{
    glm::dvec2 centre{0.0}, size{0.0};  // metres
    double side() const { return std::sqrt(size.x * size.y); }
};

// Returns the whole terrain, or the area around its highest place within the terrain.
Region regionOf(const ViewSurroundings& around)
{
    Region region{.size = around.terrain.size};
    if (region.side() <= kLargeSide) return region;
    const glm::dvec2 whole = region.size;
    double highest = -std::numeric_limits<double>::infinity();
    for (int row = 0; row < kSearchSteps; ++row)
        for (int column = 0; column < kSearchSteps; ++column)
        {
            const glm::dvec2 place =
                (glm::dvec2(column, row) + 0.5 - 0.5 * kSearchSteps) / double(kSearchSteps) * whole;
            const double ground = around.ground(place.x, place.y);
            if (ground > highest) region.centre = place;
            highest = std::max(highest, ground);
        }
    region.size = glm::min(whole, glm::dvec2(kRegionSide));
    const glm::dvec2 most = (whole - region.size) / 2.0;
    region.centre = glm::clamp(region.centre, -most, most);
    return region;
}

Camera overRegion(const ViewSurroundings& around, double fov)
{
    const Region region = regionOf(around);
    const double side = region.side(), relief = around.terrain.maxHeight - around.terrain.minHeight;
    const double clearance = std::max({kHeightShare * side, std::min(kReliefShare * relief, side), kEyeHeight});
    const glm::dvec2 place = region.centre + glm::dvec2(0.0, kNorth * region.size.y);
    Camera home{.position = {place, 0.0}, .yaw = 0, .pitch = kLookDown, .fov = fov};
    home.position.z = groundAhead(around, home.position, side, clearance) + clearance;
    return home;
}

}  // namespace

Camera homeView(const ViewSurroundings& around, double fov)
{
    Camera home = around.home ? *around.home : overRegion(around, fov);
    home.fov = fov;
    if (around.home) home = aboveGround(home, around.ground(home.position.x, home.position.y));
    const double tangent = std::tan(0.5 * fov * (std::numbers::pi / 180.0));
    const glm::dvec2 middle = around.freeLow + around.freeHigh - 1.0;  // uncovered area's centre, in [-1, 1]², y down
    const double aspect = around.viewport.x / std::max(around.viewport.y, 1.0);
    home.yaw = wrappedYaw(home.yaw - degreesOf(middle.x * tangent * aspect));
    home.pitch += degreesOf(middle.y * tangent);
    return home;
}

}  // namespace orogen
