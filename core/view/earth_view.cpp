#include "core/view/earth_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/base/text.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"
#include "core/view/navigation.h"

namespace orogen {
namespace {

constexpr int kMostHolds = 24;   // iterations of heldUnder() and heldInMap(); on a sphere one is enough
constexpr double kHeld = 1e-14;  // radians, tolerance of heldUnder() and heldInMap()
constexpr double kLowGlobe = 3'000, kHighGlobe = 60'000;  // metres above ground: limits of globeShare()
constexpr double kGoToPitch = -20, kExtentPitch = -35;    // pitch of goTo() and viewOfExtent(), degrees
constexpr int kHiddenSteps = 24;                          // steps of groundHides()
constexpr double kEarthHomeShare = 0.85;  // globe's diameter, as a share of the area that no panel covers

double sineOf(double degrees) { return std::sin(degrees / kDegreesARadian); }
double cosineOf(double degrees) { return std::cos(degrees / kDegreesARadian); }

glm::dvec3 levelledTo(const glm::dvec3& direction, const glm::dvec3& up)
{
    return glm::normalize(direction - up * glm::dot(direction, up));
}

// Rotates `v` by the shortest rotation from the unit vector `from` to `to`.
glm::dvec3 turnedWith(const glm::dvec3& v, const glm::dvec3& from, const glm::dvec3& to)
{
    const glm::dvec3 axis = glm::cross(from, to);
    const double c = glm::dot(from, to);
    if (c <= -1 + 1e-12) return v;  // opposite: all ways are equally long
    return v * c + glm::cross(axis, v) + axis * (glm::dot(axis, v) / (1 + c));
}

// Returns the semi-axes (metres) of the ellipsoid raised by `height`, which scale it to the unit sphere.
glm::dvec3 ellipsoidScale(double height)
{
    return {kEarthEquatorRadius + height, kEarthEquatorRadius + height, kEarthPoleRadius + height};
}

struct Crossing
{
    double nearest = 0;                    // ray parameter of the point closest to the centre
    std::optional<double> entry, leaving;  // ray parameters at the ellipsoid's surface; empty: no intersection
};

Crossing crossingOf(const glm::dvec3& origin, const glm::dvec3& direction, double height)
{
    const glm::dvec3 o = origin / ellipsoidScale(height), d = direction / ellipsoidScale(height);
    const double dd = glm::dot(d, d), od = glm::dot(o, d);
    const glm::dvec3 beside = glm::cross(o, d);  // used because a distant origin would cause cancellation
    const double root = dd - glm::dot(beside, beside);
    Crossing crossing{-od / dd, {}, {}};
    if (root < 0) return crossing;
    // The root with the smaller magnitude is computed from the product of both roots, which avoids cancellation.
    const double outside = (glm::length(o) - 1) * (glm::length(o) + 1), far = -od + std::sqrt(root);
    const double near = -od - std::sqrt(root);
    crossing.entry = -od > 0 && far > 0 ? outside / far : near / dd;
    crossing.leaving = -od > 0 || near == 0 ? far / dd : outside / near;
    return crossing;
}

}  // namespace

glm::dvec3 positionAbove(const glm::dvec3& up, double height)
{
    const glm::dvec3 axes = ellipsoidScale(0), scaled = glm::normalize(axes * up);
    return axes * scaled + up * height;
}

glm::dvec3 upThrough(const glm::dvec3& position) { return normalThrough(geodeticOf(position)); }

EarthPose poseOf(const Camera& camera)
{
    const Geodetic place = geodeticOf(camera.position);
    const LocalAxes axes = axesAt(camera.position);
    return {axes.up, place.height, axes.toEarthFixed(orogen::right(camera)), camera.pitch, camera.fov, camera.shift};
}

Camera cameraOf(const EarthPose& pose)
{
    Camera camera{positionOf(pose), 0, pose.pitch, pose.fov, pose.shift};
    const LocalAxes axes = axesAt(camera.position);
    const double yaw = std::atan2(-glm::dot(pose.right, axes.north), glm::dot(pose.right, axes.east));
    camera.yaw = wrappedYaw(yaw * kDegreesARadian);
    return camera;
}

glm::dvec3 forwardOf(const EarthPose& pose)
{
    return glm::cross(pose.up, pose.right) * cosineOf(pose.pitch) + pose.up * sineOf(pose.pitch);
}

glm::dvec3 pictureUpOf(const EarthPose& pose) { return glm::cross(pose.right, forwardOf(pose)); }

glm::dvec3 earthForward(const Camera& camera) { return axesAt(camera.position).toEarthFixed(forward(camera)); }
glm::dvec3 earthRight(const Camera& camera) { return axesAt(camera.position).toEarthFixed(right(camera)); }
glm::dvec3 earthUp(const Camera& camera) { return axesAt(camera.position).toEarthFixed(up(camera)); }

EarthPose carried(EarthPose pose, const glm::dvec3& from, const glm::dvec3& to)
{
    pose.up = glm::normalize(turnedWith(pose.up, from, to));
    pose.right = levelledTo(turnedWith(pose.right, from, to), pose.up);
    return pose;
}

glm::dvec3 earthRay(const EarthPose& pose, glm::dvec2 cursor, glm::dvec2 viewport)
{
    const double tanY = std::tan(0.5 * pose.fov / kDegreesARadian), tanX = tanY * viewport.x / viewport.y;
    const glm::dvec2 beside = cursor - pose.shift;
    return forwardOf(pose) + pose.right * (beside.x * tanX) + pictureUpOf(pose) * (beside.y * tanY);
}

std::optional<glm::dvec3> onRaisedEllipsoid(const glm::dvec3& origin, const glm::dvec3& direction, double height)
{
    const Crossing crossing = crossingOf(origin, direction, height);
    if (!crossing.entry || *crossing.leaving <= 0) return std::nullopt;
    return origin + direction * (*crossing.entry > 0 ? *crossing.entry : *crossing.leaving);
}

glm::dvec3 nearRaisedEllipsoid(const glm::dvec3& origin, const glm::dvec3& direction, double height)
{
    if (const std::optional<glm::dvec3> met = onRaisedEllipsoid(origin, direction, height)) return *met;
    const double nearest = std::max(crossingOf(origin, direction, height).nearest, 0.0);
    return glm::normalize((origin + direction * nearest) / ellipsoidScale(height)) * ellipsoidScale(height);
}

// Computes in the space where the ellipsoid is the unit sphere.  There, tangents from a point at the distance d touch
// the sphere in the plane 1 / d away from the centre.
glm::dvec3 raisedEllipsoidOrHorizon(const glm::dvec3& origin, const glm::dvec3& direction, double height)
{
    if (const std::optional<glm::dvec3> met = onRaisedEllipsoid(origin, direction, height)) return *met;
    const glm::dvec3 scale = ellipsoidScale(height), from = origin / scale;
    const double distance = std::max(glm::length(from), 1.0);
    const glm::dvec3 up = glm::normalize(from), across = levelledTo(direction / scale, up);
    return scale * (up / distance + across * std::sqrt(1 - 1 / (distance * distance)));
}

std::optional<glm::dvec3> earthGroundAlong(const glm::dvec3& origin, const glm::dvec3& direction,
                                           const EarthGround& ground, double highest)
{
    const glm::dvec3 along = glm::normalize(direction);
    const Crossing shell = crossingOf(origin, along, highest);
    if (!shell.entry || *shell.leaving <= 0) return std::nullopt;
    const auto above = [&](double distance) {
        const glm::dvec3 point = origin + along * distance;
        return geodeticOf(point).height - ground(point);
    };
    const std::optional<double> met = firstMetGround(std::max(*shell.entry, 0.0), *shell.leaving, above);
    return met ? std::optional(origin + along * *met) : std::nullopt;
}

std::optional<glm::dvec3> earthGroundUnder(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around)
{
    const EarthPose pose = poseOf(camera);
    return earthGroundAlong(camera.position, earthRay(pose, cursor, around.viewport), around.earthGround,
                            around.terrain.maxHeight);
}

glm::dvec3 earthSpotLookedAt(const Camera& camera, const ViewSurroundings& around)
{
    if (const std::optional<glm::dvec3> met = earthGroundUnder(camera, camera.shift, around)) return *met;
    const glm::dvec3 near = nearRaisedEllipsoid(camera.position, earthForward(camera), 0);
    return positionAbove(upThrough(near), around.earthGround(near));
}

double heightAboveEarth(const EarthPose& pose, const EarthGround& ground)
{
    return std::max(pose.height - ground(positionOf(pose)), kEyeHeight);
}

EarthPose aboveEarth(EarthPose pose, const EarthGround& ground)
{
    pose.height = std::max(pose.height, ground(positionOf(pose)) + kEyeHeight);
    return pose;
}

Camera aboveEarth(const Camera& camera, const EarthGround& ground)
{
    const EarthPose pose = poseOf(camera), lifted = aboveEarth(pose, ground);
    if (lifted.height == pose.height) return camera;  // returns the camera unchanged, to the last bit
    Camera there = camera;
    there.position = positionOf(lifted);
    return there;
}

EarthPose heldUnder(EarthPose pose, const glm::dvec3& target, glm::dvec2 cursor, glm::dvec2 viewport)
{
    const Geodetic place = geodeticOf(target);
    const glm::dvec3 wanted = normalThrough(place);
    for (int i = 0; i < kMostHolds; ++i)
    {
        const glm::dvec3 ray = earthRay(pose, cursor, viewport);
        const glm::dvec3 found = upThrough(nearRaisedEllipsoid(positionOf(pose), ray, place.height));
        pose = carried(pose, found, wanted);
        if (glm::length(glm::cross(found, wanted)) < kHeld) break;
    }
    return pose;
}

EarthPose mapPose(EarthPose pose)
{
    const double latitude = std::asin(std::clamp(pose.up.z, -1.0, 1.0)) * kDegreesARadian;
    if (std::abs(latitude) > kMostMapLatitude)
        pose.up = normalThrough(
            {std::copysign(kMostMapLatitude, latitude), std::atan2(pose.up.y, pose.up.x) * kDegreesARadian, 0});
    pose.right = glm::normalize(glm::cross(glm::dvec3(0, 0, 1), pose.up));
    pose.pitch = -90;
    return pose;
}

// Turns the camera about the Earth's axis and about the camera's east, so that the point under the cursor becomes the
// target.  One iteration is exact on a sphere.  On the ellipsoid each iteration gains two digits or more.
EarthPose heldInMap(EarthPose pose, const glm::dvec3& target, glm::dvec2 cursor, glm::dvec2 viewport)
{
    const Geodetic place = geodeticOf(target);
    const glm::dvec3 wanted = normalThrough(place);
    pose = mapPose(pose);
    for (int i = 0; i < kMostHolds; ++i)
    {
        const glm::dvec3 ray = earthRay(pose, cursor, viewport);
        const glm::dvec3 found = upThrough(nearRaisedEllipsoid(positionOf(pose), ray, place.height));
        if (glm::length(glm::cross(found, wanted)) < kHeld) break;
        const glm::dvec3 north = glm::cross(pose.up, pose.right);
        const glm::dvec3 seen(glm::dot(pose.right, found), glm::dot(north, found), glm::dot(pose.up, found));
        // The found point's height over the equator's plane is reach * sin(latitude + tilt).  Two latitudes of the
        // camera give the target's height.  The one nearer to the present latitude is taken.
        const double reach = std::hypot(seen.y, seen.z), tilt = std::atan2(seen.y, seen.z);
        const double angle = std::asin(std::clamp(wanted.z / reach, -1.0, 1.0));
        const double now = std::asin(pose.up.z), first = angle - tilt, second = std::numbers::pi - angle - tilt;
        const auto off = [now](double latitude) {
            return std::abs(std::remainder(latitude - now, 2 * std::numbers::pi));
        };
        const double most = kMostMapLatitude / kDegreesARadian;
        const double chosen = std::remainder(off(first) <= off(second) ? first : second, 2 * std::numbers::pi);
        const double latitude = std::clamp(chosen, -most, most);
        const double x = seen.z * std::cos(latitude) - seen.y * std::sin(latitude);
        const double longitude = std::atan2(wanted.y, wanted.x) - std::atan2(seen.x, x);
        pose.up = normalThrough({latitude * kDegreesARadian, longitude * kDegreesARadian, 0});
        pose = mapPose(pose);
    }
    return pose;
}

glm::dvec2 globeShift(const ViewSurroundings& around, const glm::dvec3& position)
{
    const glm::dvec2 middle = around.freeLow + around.freeHigh - 1.0;  // y down
    return glm::dvec2(middle.x, -middle.y) * globeShare(geodeticOf(position).height);
}

double globeShare(double heightAboveGround)
{
    const double t = std::log(std::max(heightAboveGround, 1.0) / kLowGlobe) / std::log(kHighGlobe / kLowGlobe);
    return glm::smoothstep(0.0, 1.0, t);
}

Camera goTo(const Geodetic& place, double fov)
{
    return {earthFixed(place), 0, place.height >= kStraightDownFrom ? -90 : kGoToPitch, fov};
}

Camera earthHome(const ViewSurroundings& around, double fov, const Geodetic& above)
{
    const double tanY = std::tan(0.5 * fov / kDegreesARadian),
                 aspect = around.viewport.x / std::max(around.viewport.y, 1.0);
    const glm::dvec2 room = around.freeHigh - around.freeLow;
    const double free = std::max(std::min(room.x * aspect, room.y), 0.3);
    const double half = std::atan(tanY * free * kEarthHomeShare);
    Geodetic place = above;
    place.height = std::min(kEarthEquatorRadius / std::sin(half) - kEarthEquatorRadius, kMostEarthHeight);
    return {earthFixed(place), 0, -90, fov};
}

Camera viewOfExtent(double west, double south, double east, double north, const ViewSurroundings& around, double fov)
{
    const double width = east < west ? east + 360 - west : east - west;
    const Geodetic middle{0.5 * (south + north), wrappedLongitude(west + 0.5 * width), 0};
    const double radius = kEarthEquatorRadius / kDegreesARadian;  // metres per degree
    const double side = std::max(width * radius * cosineOf(middle.latitude), (north - south) * radius);
    const double distance = std::clamp(0.6 * side / std::tan(0.5 * fov / kDegreesARadian), 50.0, kMostEarthHeight);
    const glm::dvec3 up = normalThrough(middle);
    const glm::dvec3 spot = positionAbove(up, around.earthGround(earthFixed(middle)));
    if (distance >= kStraightDownFrom) return {spot + up * distance, 0, -90, fov};
    const LocalAxes axes = axesAt(spot);
    const glm::dvec3 way = axes.north * cosineOf(kExtentPitch) + axes.up * sineOf(kExtentPitch);
    Camera camera{spot - way * distance, 0, kExtentPitch, fov};
    camera.pitch = std::asin(glm::dot(way, axesAt(camera.position).up)) * kDegreesARadian;
    return aboveEarth(camera, around.earthGround);
}

// ---- for either world ----

double heightIn(const ViewSurroundings& around, const glm::dvec3& position)
{
    return around.onEarth() ? geodeticOf(position).height : position.z;
}

double groundIn(const ViewSurroundings& around, const glm::dvec3& position)
{
    return around.onEarth() ? around.earthGround(position) : around.ground(position.x, position.y);
}

glm::dvec3 upIn(const ViewSurroundings& around, const glm::dvec3& position)
{
    return around.onEarth() ? upThrough(position) : glm::dvec3(0, 0, 1);
}

LocalAxes axesIn(const ViewSurroundings& around, const glm::dvec3& position)
{
    return around.onEarth() ? axesAt(position) : LocalAxes{};
}

glm::dvec3 rayIn(const ViewSurroundings& around, const Camera& camera, glm::dvec2 cursor, glm::dvec2 viewport)
{
    return around.onEarth() ? earthRay(poseOf(camera), cursor, viewport) : rayAt(camera, cursor, viewport);
}

glm::dvec3 atHeight(const ViewSurroundings& around, const glm::dvec3& position, double height)
{
    if (around.onEarth()) return positionAbove(upThrough(position), height);
    return {position.x, position.y, height};
}

std::optional<glm::dvec3> groundMet(const Camera& camera, glm::dvec2 cursor, const ViewSurroundings& around)
{
    return around.onEarth() ? earthGroundUnder(camera, cursor, around) : groundUnder(camera, cursor, around);
}

bool groundHides(const ViewSurroundings& around, const glm::dvec3& eye, const glm::dvec3& place)
{
    const double margin = 0.002 * glm::distance(eye, place) + 15;
    for (int i = 1; i < kHiddenSteps; ++i)
    {
        const glm::dvec3 at = glm::mix(eye, place, 0.97 * std::pow(double(i) / kHiddenSteps, 1.5));
        if (heightIn(around, at) - groundIn(around, at) < -margin) return true;
    }
    return false;
}

ViewSurroundings higherOf(ViewSurroundings own, const ViewSurroundings& other, const std::function<bool()>& shown)
{
    own.terrain.minHeight = std::min(own.terrain.minHeight, other.terrain.minHeight);
    own.terrain.maxHeight = std::max(own.terrain.maxHeight, other.terrain.maxHeight);
    own.terrain.landHeight = std::max(own.terrain.landHeight, other.terrain.landHeight);
    if (own.onEarth())
        own.earthGround = [shown, first = own.earthGround, second = other.earthGround](const glm::dvec3& position) {
            return shown() ? std::max(first(position), second(position)) : first(position);
        };
    else
    {
        const auto higher = [&shown](const GroundHeight& first, const GroundHeight& second) -> GroundHeight {
            return [shown, first, second](double east, double north) {
                return shown() ? std::max(first(east, north), second(east, north)) : first(east, north);
            };
        };
        if (own.withoutLand || other.withoutLand)
            own.withoutLand = higher(own.withoutLand ? own.withoutLand : own.ground,
                                     other.withoutLand ? other.withoutLand : other.ground);
        own.ground = higher(own.ground, other.ground);
    }
    return own;
}

Camera keptAbove(const Camera& camera, const ViewSurroundings& around)
{
    return around.onEarth() ? aboveEarth(camera, around.earthGround)
                            : aboveGround(camera, groundIn(around, camera.position));
}

Camera turnedNorth(const Camera& camera, const ViewSurroundings& around)
{
    Camera turned = camera;
    turned.yaw = 0;
    if (const std::optional<glm::dvec3> spot = groundMet(camera, camera.shift, around))
    {
        const LocalAxes axes = axesIn(around, *spot);
        const glm::dvec3 away = axes.toLocal(camera.position - *spot);
        const double cosine = cosineOf(camera.yaw), sine = sineOf(camera.yaw);
        turned.position =
            *spot + axes.toEarthFixed({away.x * cosine - away.y * sine, away.x * sine + away.y * cosine, away.z});
    }
    return keptAbove(turned, around);
}

// ---- bookmarks ----

std::string bookmarkText(const Camera& camera)
{
    const Geodetic place = geodeticOf(camera.position);
    return fmt::format("{:.7f} {:.7f} {:.2f} {:.3f} {:.3f} {:.3f}", place.latitude, place.longitude, place.height,
                       camera.yaw, camera.pitch, camera.fov);
}

std::optional<Camera> bookmarkIn(std::string_view text)
{
    std::array<double, 6> numbers{};
    for (double& number : numbers)
    {
        const std::optional<double> read = numberIn<double>(takeWord(text));
        if (!read) return std::nullopt;
        number = *read;
    }
    const Geodetic place{numbers[0], numbers[1], numbers[2]};
    const bool seen = numbers[4] >= -90 && numbers[4] <= 90 && numbers[5] >= 1 && numbers[5] <= 170;
    if (!text.empty() || !seen || !checkPlace(place)) return std::nullopt;
    return Camera{earthFixed(place), wrappedYaw(numbers[3]), numbers[4], numbers[5]};
}

}  // namespace orogen
