#include "core/view/earth_controller.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/view/navigation.h"

namespace orogen {

namespace {

using namespace motion;

constexpr double kEarthZoomPerNotch = 0.85;  // factor on the distance, as on a plane
constexpr double kEarthZoomReach = 12.0;     // limit of the zoom distance below 60 km (camera heights)
constexpr double kEarthStepShare = 0.1;      // length of a step, as a share of the height above ground
constexpr int kMostEarthSteps = 256;         // steps of one move, at most
// A flight ends at a share of its initial distance from the target (kEarthCloser), but no nearer than kEarthClosest
// metres.  In the map it ends at a share of its initial height above the target (kEarthMapCloser).
constexpr double kEarthCloser = 0.3, kEarthClosest = 8.0;
constexpr double kEarthMapCloser = 0.5;
constexpr double kShortFlight = 0.9, kLongFlight = 3;  // seconds: to a near point, and to the far side of the Earth
constexpr double kArc = 0.25;                          // height of a flight's arc, as a share of the way
constexpr int kTurns = 6;                              // Newton iterations of turnedTo(), at most
constexpr double kDamping = 1e-5;                      // keeps the equations of turnedTo() regular
constexpr double kTurnSettled = 1e-12;  // error at which turnedTo() ends: in the picture plane at a distance of 1
constexpr double kSwingDegrees = 0.25;  // turn of the camera around its pivot, per pixel of a drag
constexpr double kLeastSwing = -90, kMostSwing = -3;  // pitch limits at the pivot, degrees

EarthPose poseAt(const glm::dvec3& position, const EarthPose& before)
{
    const Geodetic place = geodeticOf(position);
    EarthPose pose = carried(before, before.up, normalThrough(place));
    pose.height = place.height;
    return pose;
}

// Turns the heading clockwise.
EarthPose headed(EarthPose pose, double radians)
{
    const glm::dvec3 ahead = glm::cross(pose.up, pose.right);
    pose.right = pose.right * std::cos(radians) - ahead * std::sin(radians);
    return pose;
}

// Turns yaw and pitch until `target` appears at `cursor`, as far as that is possible.
EarthPose turnedTo(EarthPose pose, const glm::dvec3& target, glm::dvec2 cursor, glm::dvec2 viewport)
{
    const double tanY = std::tan(0.5 * pose.fov / kDegreesARadian);
    const glm::dvec2 wanted = (cursor - pose.shift) * glm::dvec2(tanY * viewport.x / viewport.y, tanY);
    const glm::dvec3 way = glm::normalize(target - positionOf(pose));
    for (int i = 0; i < kTurns; ++i)
    {
        const glm::dvec3 seen(glm::dot(way, pose.right), glm::dot(way, pictureUpOf(pose)),
                              glm::dot(way, forwardOf(pose)));
        if (seen.z < 0.05) return pose;
        const glm::dvec2 at = glm::dvec2(seen) / seen.z, missed = wanted - at;
        if (glm::length(missed) < kTurnSettled) return pose;
        // Derivatives of `seen`, and then of `at`, by yaw and by pitch.
        const double c = std::cos(pose.pitch / kDegreesARadian), s = std::sin(pose.pitch / kDegreesARadian);
        const glm::dvec3 byYaw(s * seen.y - c * seen.z, -s * seen.x, c * seen.x), byPitch(0, -seen.z, seen.y);
        const glm::dvec2 yaw = (glm::dvec2(byYaw) - at * byYaw.z) / seen.z;
        const glm::dvec2 pitch = (glm::dvec2(byPitch) - at * byPitch.z) / seen.z;
        const double a = glm::dot(yaw, yaw) + kDamping, b = glm::dot(yaw, pitch);
        const double d = glm::dot(pitch, pitch) + kDamping, determinant = a * d - b * b;
        const double y = glm::dot(yaw, missed), p = glm::dot(pitch, missed);
        pose = headed(pose, (d * y - b * p) / determinant);
        pose.pitch = std::clamp(pose.pitch + (a * p - b * y) / determinant * kDegreesARadian, -90.0, 90.0);
    }
    return pose;
}

// Moves one step and stays above the ground.  If the climb would lengthen the step, the step covers only a part of the
// way.
EarthPose stepOverEarth(const EarthPose& from, const EarthPose& to, const EarthGround& ground)
{
    EarthPose step = to;
    const double lowest = ground(positionOf(to)) + kEyeHeight;
    if (to.height >= lowest) return to;
    const double across = glm::distance(positionOf(from), positionAbove(to.up, from.height));
    const double asked = std::hypot(across, to.height - from.height),
                 climbed = std::hypot(across, lowest - from.height);
    if (climbed > asked)
    {
        const double part = asked / climbed;
        step = carried(from, from.up, glm::normalize(glm::mix(from.up, to.up, part)));
        step.height = std::lerp(from.height, to.height, part);
        step.pitch = to.pitch;
    }
    return aboveEarth(step, ground);
}

double planeShare(double globe) { return 1 - globe; }

// Returns the pose that looks at `spot` from a distance.  `there`: heading and pitch at the spot.
EarthPose lookingAt(const glm::dvec3& spot, const EarthPose& there, double distance)
{
    const glm::dvec3 ahead = forwardOf(there);
    EarthPose pose = poseAt(spot - ahead * distance, there);
    pose.pitch = std::asin(std::clamp(glm::dot(ahead, pose.up), -1.0, 1.0)) * kDegreesARadian;
    return pose;
}

// Returns the end of a flight to `spot`: closer to it, and looking at it.
EarthPose earthCloseTo(const glm::dvec3& spot, const EarthPose& pose)
{
    const glm::dvec3 way = spot - positionOf(pose), up = upThrough(spot);
    const double distance = std::max(kEarthCloser * glm::length(way), kEarthClosest);
    const double globe = globeShare(distance);
    EarthPose there = carried(pose, pose.up, up);
    const glm::dvec3 level = way - up * glm::dot(way, up);
    if (globe < 0.5 && glm::length(level) > 1e-6 * glm::length(way))
        there.right = glm::normalize(glm::cross(level, up));
    const double seen = std::asin(std::clamp(glm::dot(glm::normalize(way), up), -1.0, 1.0)) * kDegreesARadian;
    there.pitch = std::lerp(std::clamp(seen, -60.0, -15.0), -90.0, globe);
    return lookingAt(spot, there, distance);
}
EarthPose mapCloseTo(const glm::dvec3& spot, const EarthPose& pose)
{
    const Geodetic place = geodeticOf(spot);
    EarthPose there = pose;
    there.up = normalThrough(place);
    there.height = place.height + std::max(kEarthMapCloser * (pose.height - place.height), kEarthClosest);
    return mapPose(there);
}

// Moves a map by metres east and north, along parallel and meridian.
EarthPose scrolledMap(EarthPose pose, glm::dvec2 metres)
{
    Geodetic place = geodeticOf(positionOf(pose));
    const double radius = glm::length(positionOf(pose));
    place.latitude =
        std::clamp(place.latitude + metres.y / radius * kDegreesARadian, -kMostMapLatitude, kMostMapLatitude);
    const double across = radius * std::cos(place.latitude / kDegreesARadian);
    place.longitude += std::clamp(metres.x / across * kDegreesARadian, -90.0, 90.0);
    pose.up = normalThrough(place);
    return mapPose(pose);
}

}  // namespace

EarthPose movedOverEarth(const EarthPose& from, const EarthPose& wanted, const EarthGround& ground)
{
    EarthPose to = wanted;
    to.height = std::min(to.height, std::max(kMostEarthHeight, from.height));
    EarthPose at = aboveEarth(from, ground);
    const glm::dvec3 start = from.up;
    const double length = glm::distance(positionOf(from), positionOf(to)), rise = to.height - from.height;
    bool free = at.height == from.height;
    double done = length > 0 ? 0.0 : 1.0;
    for (int i = 0; i < kMostEarthSteps && done < 1; ++i)
    {
        const double part = std::min(1 - done, kEarthStepShare * heightAboveEarth(at, ground) / length);
        done = part < 1 - done ? done + part : 1.0;
        EarthPose next = carried(at, at.up, glm::normalize(glm::mix(start, to.up, done)));
        next.height = at.height + rise * part;
        at = stepOverEarth(at, next, ground);
        free = free && at.height == next.height;
    }
    if (free && done == 1) return aboveEarth(to, ground);
    // An obstacle changes the path of the camera, but not its viewing direction.
    const EarthPose turned = carried(to, to.up, at.up);
    at.right = turned.right;
    at.pitch = to.pitch;
    return at;
}

EarthPose zoomedOverEarth(const EarthPose& pose, const glm::dvec3& target, glm::dvec2 cursor, double notches,
                          double globe, glm::dvec2 viewport)
{
    const double factor = std::pow(kEarthZoomPerNotch, notches);
    const glm::dvec3 position = positionOf(pose);
    const double below = pose.height - geodeticOf(target).height;
    // The turn of the globe is ill-conditioned for a nearly level ray.
    const double share = globe * glm::smoothstep(0.02, 0.15, below / glm::distance(position, target));
    EarthPose zoomed = poseAt(target + (position - target) * factor, pose);
    if (share > 0)
    {
        EarthPose turned = pose;
        turned.height += below * (factor - 1);
        turned = heldUnder(turned, target, cursor, viewport);
        if (share == 1) return turned;
        const double height = std::lerp(zoomed.height, turned.height, share);
        zoomed = carried(pose, pose.up, glm::normalize(glm::mix(zoomed.up, turned.up, share)));
        zoomed.height = height;
    }
    return turnedTo(zoomed, target, cursor, viewport);
}

void EarthController::rest()
{
    drive_ = glm::dvec3(0.0);
    zoomLeft_ = 0;
    hold_.reset();
    flight_.reset();
}

Settings::View EarthController::moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                                      const ViewSurroundings& around)
{
    if (left_) left_->shift = view.shift;  // a panel that opens changes the shift; movements go on
    if (left_ && *left_ != view) rest();
    if (!input.holding) hold_.reset();
    if (input.idle() && !moving())
    {
        left_ = view;
        return view;
    }
    const bool map = view.mode == ViewMode::kMap;
    EarthPose pose = poseOf(cameraOf(view));
    if (map) pose = mapPose(pose);
    const double time = std::clamp(seconds, 0.0, kLongestFrame);
    begin(input, pose, map, cursor, around);
    if (flight_)
        fly(pose, time, around);
    else
    {
        map ? pullMap(pose, input, cursor, around) : drag(pose, input, cursor, around);
        zoom(pose, map, time, around);
        drive(pose, input, map, time, around);
    }
    if (map) pose = mapPose(pose);
    storeCamera(cameraOf(pose), view);
    left_ = view;
    return view;
}

// Starts and ends movements according to the input.
void EarthController::begin(const CameraInput& input, const EarthPose& pose, bool map, glm::dvec2 cursor,
                            const ViewSurroundings& around)
{
    if (!input.idle()) flight_.reset();
    pace_ = std::clamp(pace_ * std::pow(kPacePerNotch, input.pace), 1 / kMostPace, kMostPace);
    if (input.zoom != 0)
    {
        if (zoomLeft_ * input.zoom < 0) zoomLeft_ = 0;  // a reversed wheel acts at once
        if (zoomLeft_ == 0 || cursor != zoomTo_.cursor) zoomTo_ = zoomAt(pose, cursor, around);
        zoomLeft_ += input.zoom * paceOf(input);
    }
    if (!input.flyTo) return;
    const std::optional<glm::dvec3> spot = earthGroundUnder(cameraOf(pose), *input.flyTo, around);
    if (!spot) return;
    rest();
    beginFlight(pose, map ? mapCloseTo(*spot, pose) : earthCloseTo(*spot, pose), around);
}

EarthController::Zoom EarthController::zoomAt(const EarthPose& pose, glm::dvec2 cursor,
                                              const ViewSurroundings& around) const
{
    const double height = heightAboveEarth(pose, around.earthGround), globe = globeShare(height);
    const glm::dvec3 position = positionOf(pose), ray = glm::normalize(earthRay(pose, cursor, around.viewport));
    const std::optional<glm::dvec3> met = earthGroundAlong(position, ray, around.earthGround, around.terrain.maxHeight);
    if (!met && globe > 0.5) return {std::nullopt, cursor};
    const double reach = kEarthZoomReach * height;
    if (!met) return {position + ray * height, cursor};
    return {position + ray * std::min(glm::distance(*met, position), globe == 1 ? 1e9 : reach), cursor};
}

void EarthController::zoom(EarthPose& pose, bool map, double seconds, const ViewSurroundings& around)
{
    if (zoomLeft_ == 0) return;
    double now = zoomLeft_ * (1 - remaining(seconds, kZoomSeconds));
    if (seconds > 0 && std::abs(zoomLeft_ - now) < kLeastZoom) now = zoomLeft_;
    zoomLeft_ -= now;
    const double height = heightAboveEarth(pose, around.earthGround);
    EarthPose to = pose;
    if (map && zoomTo_.target)
    {
        to.height += (pose.height - geodeticOf(*zoomTo_.target).height) * (std::pow(kEarthZoomPerNotch, now) - 1);
        to = heldInMap(to, *zoomTo_.target, zoomTo_.cursor, around.viewport);
    }
    else if (zoomTo_.target)
        to = zoomedOverEarth(pose, *zoomTo_.target, zoomTo_.cursor, now, globeShare(height), around.viewport);
    else
        to.height += height * (std::pow(kEarthZoomPerNotch, now) - 1);
    if (to.height > kMostEarthHeight) zoomLeft_ = 0;  // limit reached
    pose = movedOverEarth(pose, to, around.earthGround);
}

// Returns the point that a drag holds: the ground under the cursor.  Without ground there, a high camera holds the
// nearest point of the globe's edge.  A low one holds a point as far ahead as the camera is high.  Near the ground the
// point is at most kHoldReach camera heights ahead.
EarthController::Hold EarthController::taken(const EarthPose& pose, glm::dvec2 cursor,
                                             const ViewSurroundings& around) const
{
    const double height = heightAboveEarth(pose, around.earthGround), globe = globeShare(height);
    const glm::dvec3 position = positionOf(pose), ray = earthRay(pose, cursor, around.viewport);
    std::optional<glm::dvec3> met = earthGroundAlong(position, ray, around.earthGround, around.terrain.maxHeight);
    if (!met && globe > 0.5) met = nearRaisedEllipsoid(position, ray, 0);
    const double reach = kHoldReach * height;
    double ahead = met ? glm::dot(*met - position, forwardOf(pose)) : height;
    if (globe == 0) ahead = std::min(ahead, reach);
    return {globe > 0 && met ? *met : position + ray * ahead, ahead};
}

void EarthController::drag(EarthPose& pose, const CameraInput& input, glm::dvec2 cursor, const ViewSurroundings& around)
{
    const glm::dvec2 left(input.turnX, input.turnY), other(input.panX, input.panY);
    if (left == glm::dvec2(0.0) && other == glm::dvec2(0.0)) return;
    const double globe = globeShare(heightAboveEarth(pose, around.earthGround)), plane = planeShare(globe);
    const EarthPose before = pose;
    if (left != glm::dvec2(0.0) && plane > 0)
    {
        const glm::dvec2 turn = plane * lookTurn(left, pose.pitch, pose.fov, around.viewport.y, input.inverted);
        pose = headed(pose, turn.x / kDegreesARadian);
        pose.pitch = std::clamp(pose.pitch + turn.y, -90.0, 90.0);
    }
    if (other != glm::dvec2(0.0) && globe > 0)
    {
        const glm::dvec3 spot = earthSpotLookedAt(cameraOf(pose), around), up = upThrough(spot);
        const glm::dvec3 way = spot - positionOf(pose);
        const double tilt = std::asin(std::clamp(glm::dot(glm::normalize(way), up), -1.0, 1.0)) * kDegreesARadian;
        const double asked = tilt - other.y * globe * kSwingDegrees;
        EarthPose there = headed(carried(pose, pose.up, up), other.x * globe * kSwingDegrees / kDegreesARadian);
        there.pitch = std::clamp(asked, kLeastSwing, std::max(kMostSwing, tilt));
        const glm::dvec3 ahead = forwardOf(there);
        pose = poseAt(spot - ahead * glm::length(way), there);
        pose.pitch = std::asin(std::clamp(glm::dot(ahead, pose.up), -1.0, 1.0)) * kDegreesARadian;
    }
    const glm::dvec2 pulled = left * globe + other * plane;
    if (pulled != glm::dvec2(0.0))
    {
        const glm::dvec2 from = cursor - pulled * glm::dvec2(2, -2) / around.viewport;
        const bool mixed = globe > 0 && globe < 1;  // looking around moves the point away from the cursor
        if (!hold_ || mixed) hold_ = taken(pose, from, around);
        pose = globe > 0 && left != glm::dvec2(0.0)
                   ? heldUnder(pose, hold_->point, cursor, around.viewport)
                   : poseAt(hold_->point - earthRay(pose, cursor, around.viewport) * hold_->ahead, pose);
    }
    pose = movedOverEarth(before, pose, around.earthGround);
}

void EarthController::pullMap(EarthPose& pose, const CameraInput& input, glm::dvec2 cursor,
                              const ViewSurroundings& around)
{
    const glm::dvec2 pulled(input.turnX + input.panX, input.turnY + input.panY);
    if (pulled == glm::dvec2(0.0)) return;
    if (!hold_) hold_ = taken(pose, cursor - pulled * glm::dvec2(2, -2) / around.viewport, around);
    pose = movedOverEarth(pose, heldInMap(pose, hold_->point, cursor, around.viewport), around.earthGround);
    if (!input.holding) hold_.reset();
}

void EarthController::drive(EarthPose& pose, const CameraInput& input, bool map, double seconds,
                            const ViewSurroundings& around)
{
    const glm::dvec3 wanted = glm::dvec3(input.forward, input.right, input.up) * (paceOf(input) * pace_);
    const glm::dvec3 none(0.0);
    if (wanted == none && drive_ == none) return;
    if (drive_ == none) height_ = heightAboveEarth(pose, around.earthGround);
    const int steps = int(std::ceil(seconds / kStep));
    for (int i = 0; i < steps; ++i)
        driveStep(pose, wanted, map, seconds / steps, around);
    if (wanted == none && glm::length(drive_) < kLeastDrive) drive_ = none;
}

void EarthController::driveStep(EarthPose& pose, const glm::dvec3& wanted, bool map, double seconds,
                                const ViewSurroundings& around)
{
    const double kept = remaining(seconds, kDriveSeconds);
    // Distance covered (in seconds at full speed) while the speed approaches `wanted`.
    const glm::dvec3 driven = wanted * seconds + (drive_ - wanted) * (kDriveSeconds * (1 - kept));
    drive_ = wanted + (drive_ - wanted) * kept;
    const double height = heightAboveEarth(pose, around.earthGround);
    height_ = height * std::pow(height_ / height, remaining(seconds, kHeightSeconds));
    if (map)
    {
        EarthPose to = scrolledMap(pose, glm::dvec2(driven.y, driven.x) * height_);
        to.height += height * (std::exp(kMapZoomPerSecond * driven.z) - 1);
        pose = mapPose(movedOverEarth(pose, to, around.earthGround));
        return;
    }
    const double plane = planeShare(globeShare(height));
    const double c = std::cos(pose.pitch / kDegreesARadian), s = std::sin(pose.pitch / kDegreesARadian);
    const double ahead = driven.x * std::lerp(1.0, c, plane), rise = driven.x * s * plane + driven.z;
    const glm::dvec3 across = (glm::cross(pose.up, pose.right) * ahead + pose.right * driven.y) * height_;
    const double radius = glm::length(positionOf(pose));
    const double length = glm::length(across), angle = length / radius;
    EarthPose to = pose;
    if (length > 0)
        to = carried(pose, pose.up, glm::normalize(pose.up * std::cos(angle) + across * (std::sin(angle) / length)));
    to.height += rise * height_;
    pose = movedOverEarth(pose, to, around.earthGround);
}

void EarthController::beginFlight(const EarthPose& pose, const EarthPose& end, const ViewSurroundings& around)
{
    const EarthPose to = aboveEarth(end, around.earthGround);
    const EarthPose brought = carried(pose, pose.up, to.up);
    const double angle = std::atan2(glm::length(glm::cross(pose.up, to.up)), glm::dot(pose.up, to.up));
    Flight flight{.from = pose, .to = to};
    flight.turn = std::atan2(-glm::dot(to.right, glm::cross(to.up, brought.right)), glm::dot(to.right, brought.right));
    flight.over = std::max(kArc * angle * kEarthEquatorRadius - 0.5 * (pose.height + to.height), 0.0);
    flight.length = std::lerp(kShortFlight, kLongFlight, angle / std::numbers::pi);
    flight_ = flight;
}

// Flies along the great circle.  The logarithm of the height changes evenly, which slows the flight near the ground.
void EarthController::fly(EarthPose& pose, double seconds, const ViewSurroundings& around)
{
    flight_->seconds += seconds;
    const EarthPose &from = flight_->from, &to = flight_->to;
    const double part = eased(std::min(flight_->seconds / flight_->length, 1.0));
    const double c = std::clamp(glm::dot(from.up, to.up), -1.0, 1.0), angle = std::acos(c);
    glm::dvec3 up = glm::mix(from.up, to.up, part);
    if (angle > 1e-4) up = (from.up * std::sin((1 - part) * angle) + to.up * std::sin(part * angle)) / std::sin(angle);
    EarthPose at = headed(carried(from, from.up, glm::normalize(up)), part * flight_->turn);
    const double base = std::min(from.height, to.height) - 100;  // metres; keeps the logarithms' arguments positive
    at.height = base + std::exp(std::lerp(std::log(from.height - base), std::log(to.height - base), part)) +
                flight_->over * 4 * part * (1 - part);
    at.pitch = std::lerp(from.pitch, to.pitch, part);
    pose = movedOverEarth(pose, part < 1 ? at : to, around.earthGround);
    if (flight_->seconds >= flight_->length) flight_.reset();
}

Settings::View EarthController::switched(Settings::View view, ViewMode to, const ViewSurroundings& around)
{
    if (view.mode == to) return view;
    view.mode = to;
    const Camera before = cameraOf(view);
    const glm::dvec3 spot = earthSpotLookedAt(before, around), up = upThrough(spot);
    // The distance from the spot is 0 if the camera is below the ground.
    const double distance = std::max(glm::distance(before.position, spot), kEyeHeight);
    const EarthPose pose = poseOf(before);
    EarthPose there = carried(pose, pose.up, up);
    if (to == ViewMode::kMap)
    {
        const double sine = glm::dot(spot - before.position, up) / distance;
        flyPitch_ = std::asin(std::clamp(sine, -1.0, 1.0)) * kDegreesARadian;
        there.height = 0;
        flyYaw_ = cameraOf(there).yaw;
        there.height = std::min(geodeticOf(spot).height + distance, kMostEarthHeight);
        there = mapPose(there);
    }
    else
    {
        there = headed(mapPose(there), flyYaw_ / kDegreesARadian);
        there.pitch = flyPitch_;
        there = lookingAt(spot, there, distance);
    }
    storeCamera(cameraOf(aboveEarth(there, around.earthGround)), view);
    return view;
}

}  // namespace orogen
