#include "core/view/navigation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace orogen {
namespace {

constexpr double kLeastAcross = 0.3;    // minimum cosine of the pitch in lookTurn()
constexpr double kZoomPerNotch = 0.85;  // factor on the camera's distance from the target
constexpr double kFast = 5.0, kSlow = 0.2;
constexpr double kFurthest = 4.0;    // limit of |east|, |north| and height above maxHeight, times the longer side
constexpr double kStepShare = 0.1;   // step length, as a share of the height above ground
constexpr int kMostSteps = 256;      // steps of one move, at most
constexpr double kZoomReach = 12.0;  // distance of the wheel's target, at most, in camera heights above ground
// A flight ends at a share of its initial distance from the target (kCloser) or, in the map, of its initial height
// above the target (kMapCloser).
constexpr double kCloser = 0.3, kMapCloser = 0.5;
constexpr double kClosest = 8.0;  // minimum metres from the target of a flight

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
    const double highest = std::max(terrain.maxHeight, terrain.landHeight);  // no ground is higher
    const double toHighest = (highest - origin.z) / along.z;
    if (origin.z > highest && along.z >= 0) return std::nullopt;
    const double from = origin.z > highest ? toHighest : 0.0;
    const std::optional<double> met = firstMetGround(from, along.z > 0 ? std::min(reach, toHighest) : reach, above);
    return met ? std::optional(origin + along * *met) : std::nullopt;
}

std::optional<glm::dvec3> groundUnder(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around)
{
    return groundAlong(camera.position, rayAt(camera, cursor, around.viewport), around.ground, around.terrain);
}

glm::dvec2 lookTurn(glm::dvec2 pixels, double pitch, double fov, double viewportHeight, bool inverted)
{
    const double pixel = 2 * std::tan(navigationRadians(0.5 * fov)) / viewportHeight * (180 / std::numbers::pi);
    const double across = std::max(std::cos(navigationRadians(pitch)), kLeastAcross);
    const double way = inverted ? -pixel : pixel;
    return {-pixels.x * way / across, pixels.y * way};
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

constexpr double kNorth = -0.30;        // offset from the terrain's centre, relative to its extent
constexpr double kLookDown = -14.0;     // pitch, degrees
constexpr double kHeightShare = 0.030;  // clearance above near ground, relative to the terrain's side
constexpr double kReliefShare = 0.25;   // clearance, relative to the terrain's relief
constexpr double kAhead = 0.30;         // range of near ground, relative to the terrain's side
constexpr int kSteps = 12;              // steps of groundAhead() along the view, and across it

double degreesOf(double tangent) { return std::atan(tangent) * (180.0 / std::numbers::pi); }

// Returns the highest ground ahead (metres), in a fan as wide as deep.  Far ground counts as lower, since it hides
// less.
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

Camera overTerrain(const ViewSurroundings& around, double fov)
{
    const glm::dvec2 size = around.terrain.size;
    const double side = std::sqrt(size.x * size.y), relief = around.terrain.maxHeight - around.terrain.minHeight;
    const double clearance = std::max({kHeightShare * side, std::min(kReliefShare * relief, side), kEyeHeight});
    Camera home{.position = {0.0, kNorth * size.y, 0.0}, .yaw = 0, .pitch = kLookDown, .fov = fov};
    home.position.z = groundAhead(around, home.position, side, clearance) + clearance;
    return home;
}

// ---- view of relief ----

constexpr int kCells = 40;           // places along a side, in the search for relief
constexpr int kBest = 10;            // places whose views are rated
constexpr int kWindow = 6;           // samples along a side of a place's window
constexpr int kFan = 8;              // profiles on each side of a view's middle
constexpr double kHalfWidth = 40;    // degrees to either side of a view
constexpr double kSteepSlope = 0.5;  // slopes count fully from this tangent on
constexpr double kLowest = -0.7;     // tangent of a view's lower border
constexpr double kNearest = -0.25;   // tangent up to which near ground may rise
constexpr double kRidge = 0.008;     // tangent by which a ridge stands out from the next one

struct Place
{
    glm::dvec2 at{0.0};
    double relief = 0;  // range of heights in the place's window (metres)
};

// Returns places with much relief, largest first, each at least a window from the others.
std::vector<Place> placesWithRelief(const GroundHeight& ground, glm::dvec2 size, double window)
{
    const glm::dvec2 inner = glm::max(size - 3.0 * window, glm::dvec2(0.0));
    std::vector<Place> places;
    for (int cell = 0; cell < kCells * kCells; ++cell)
    {
        const glm::dvec2 share(cell % kCells, cell / kCells);
        Place place{.at = (share / double(kCells - 1) - 0.5) * inner};
        double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
        for (int i = 0; i < kWindow * kWindow; ++i)
        {
            const glm::dvec2 offset = glm::dvec2(i % kWindow, i / kWindow) / double(kWindow - 1) - 0.5;
            const double height = ground(place.at.x + offset.x * window, place.at.y + offset.y * window);
            lowest = std::min(lowest, height), highest = std::max(highest, height);
        }
        place.relief = highest - lowest;
        places.push_back(place);
    }
    std::ranges::stable_sort(places, std::greater(), &Place::relief);
    std::vector<Place> best;
    for (const Place& place : places)
        if (best.size() < std::size_t(kBest) &&
            std::ranges::none_of(best, [&](const Place& o) { return glm::distance(o.at, place.at) < window; }))
            best.push_back(place);
    return best;
}

struct Sight
{
    double worth = 0;    // larger for steep ground, ridges behind each other and an uneven skyline
    double skyline = 0;  // mean tangent of the elevation at which the sky begins
};

// Rates a view along a fan of profiles from `nearest` to `furthest` (metres).  Only ground above all nearer ground is
// visible.
Sight sightOf(const GroundHeight& ground, const Camera& view, double nearest, double furthest)
{
    constexpr int kProfile = 28;
    const double growth = std::pow(furthest / nearest, 1.0 / kProfile), near = 4 * nearest;
    double shown = 0, ridges = 0, sum = 0, squares = 0, blocked = 0;
    for (int across = -kFan; across <= kFan; ++across)
    {
        const double yaw = navigationRadians(view.yaw + kHalfWidth * across / kFan);
        double distance = nearest, skyline = kLowest, nearSkyline = kLowest, before = 0;
        bool hidden = false;
        for (int step = 0; step <= kProfile; ++step, distance *= growth)
        {
            const double height =
                ground(view.position.x + distance * std::sin(yaw), view.position.y + distance * std::cos(yaw));
            const double tangent = (height - view.position.z) / distance;
            const double slope = step > 0 ? std::abs(height - before) / (distance - distance / growth) : 0.0;
            if (tangent > skyline && distance > near) shown += (tangent - skyline) * std::min(slope / kSteepSlope, 1.0);
            if (hidden && tangent > skyline + kRidge) ridges += 1.0, hidden = false;
            if (tangent < skyline - kRidge) hidden = true;
            skyline = std::max(skyline, tangent), before = height;
            if (distance <= near) nearSkyline = skyline;
        }
        blocked += std::max(nearSkyline - kNearest, 0.0);
        sum += skyline, squares += skyline * skyline;
    }
    constexpr double kProfiles = 2 * kFan + 1;
    const double mean = sum / kProfiles, deviation = std::sqrt(std::max(squares / kProfiles - mean * mean, 0.0));
    return {shown / kProfiles + 0.03 * std::min(ridges / kProfiles, 3.0) + std::min(deviation, 0.1) +
                2.0 * std::min(mean, 0.06) - 1.5 * blocked / kProfiles,
            mean};
}

}  // namespace

Camera viewOfRelief(const GroundHeight& ground, glm::dvec2 size, double spacing)
{
    const double side = std::min(size.x, size.y);
    Camera best{.pitch = kLookDown};
    double most = -std::numeric_limits<double>::infinity();
    const auto consider = [&](const Place& place, double scale, double yaw, double away, double clearance) {
        const double angle = navigationRadians(yaw);
        const glm::dvec2 from = place.at - glm::dvec2(std::sin(angle), std::cos(angle)) * (away * scale);
        Camera view{.position = {from, ground(from.x, from.y)}, .yaw = yaw};
        view.position.z += std::max({clearance * place.relief, 0.01 * scale, kEyeHeight});
        const Sight sight = sightOf(ground, view, 0.08 * scale, 4.0 * scale);
        if (sight.worth <= most) return;
        most = sight.worth;
        view.pitch = std::clamp(degreesOf(sight.skyline) + kLookDown, -25.0, -4.0);
        best = view;
    };
    for (const double window : {12'000.0, 6'000.0, 3'000.0})
    {
        const double scale = std::min(std::max(window, 12 * spacing), side / 4);
        for (const Place& place : placesWithRelief(ground, size, scale))
            for (const double yaw : {-15.0, -45.0, 15.0, -75.0, 45.0, -105.0, -135.0})
                for (const double away : {0.6, 1.0})
                    for (const double clearance : {0.1, 0.2, 0.4})
                        consider(place, scale, yaw, away, clearance);
    }
    return best;
}

Camera homeView(const ViewSurroundings& around, double fov)
{
    Camera home = around.home ? *around.home : overTerrain(around, fov);
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
