#include "core/view/view_controller.h"

#include <algorithm>
#include <cmath>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "core/view/navigation.h"

namespace orogen {

namespace {

using namespace motion;

constexpr double kFlightSeconds = 0.9;

double groundBelow(const Camera& camera, const ViewSurroundings& around)
{
    return around.ground(camera.position.x, camera.position.y);
}

Settings::View withCamera(Settings::View view, const Camera& camera)
{
    storeCamera(camera, view);
    return view;
}

}  // namespace

void ViewController::rest()
{
    drive_ = glm::dvec3(0.0);
    zoomLeft_ = 0;
    hold_.reset();
    flight_.reset();
}

double ViewController::speed(const Camera& camera, double groundHeight) const
{
    return flySpeed(camera, groundHeight, {}) * pace_;
}

Settings::View ViewController::moved(Settings::View view, const CameraInput& input, double seconds, glm::dvec2 cursor,
                                     const ViewSurroundings& around)
{
    if (left_ && *left_ != view) rest();
    if (!input.holding) hold_.reset();
    if (input.idle() && !moving())
    {
        left_ = view;
        return view;
    }
    const bool map = view.mode == ViewMode::kMap;
    Camera camera = cameraOf(view);
    if (map)
    {
        camera.yaw = 0;
        camera.pitch = -90;
    }
    const double time = std::clamp(seconds, 0.0, kLongestFrame);
    begin(input, camera, map, cursor, around);
    if (flight_)
        fly(camera, time, around);
    else
    {
        drag(camera, input, map, cursor, around);
        zoom(camera, time, around);
        drive(camera, input, map, time, around);
    }
    left_ = withCamera(view, camera);
    return *left_;
}

// Starts and ends movements according to the input.
void ViewController::begin(const CameraInput& input, const Camera& camera, bool map, glm::dvec2 cursor,
                           const ViewSurroundings& around)
{
    if (!input.idle()) flight_.reset();
    pace_ = std::clamp(pace_ * std::pow(kPacePerNotch, input.pace), 1 / kMostPace, kMostPace);
    if (input.zoom != 0)
    {
        if (zoomLeft_ * input.zoom < 0) zoomLeft_ = 0;  // a reversed wheel acts at once
        zoomLeft_ += input.zoom * paceOf(input);
        zoomTo_ = zoomTarget(camera, cursor, around);
    }
    if (!input.flyTo) return;
    const std::optional<glm::dvec3> spot = groundUnder(camera, *input.flyTo, around);
    if (!spot) return;
    rest();
    const Camera there = closeTo(*spot, camera, map);
    flight_ = Flight{camera, aboveGround(there, groundBelow(there, around)), 0};
}

void ViewController::drag(Camera& camera, const CameraInput& input, bool map, glm::dvec2 cursor,
                          const ViewSurroundings& around)
{
    if (!map)
    {
        const glm::dvec2 turn =
            lookTurn({input.turnX, input.turnY}, camera.pitch, camera.fov, around.viewport.y, input.inverted);
        camera.yaw = wrappedYaw(camera.yaw + turn.x);
        camera.pitch = std::clamp(camera.pitch + turn.y, -90.0, 90.0);
    }
    const glm::dvec2 moved =
        glm::dvec2(input.panX, input.panY) + (map ? glm::dvec2(input.turnX, input.turnY) : glm::dvec2(0.0));
    if (moved == glm::dvec2(0.0)) return;
    if (!hold_)
    {
        const glm::dvec2 before = cursor - moved * glm::dvec2(2, -2) / around.viewport;
        const double reach = kHoldReach * heightAbove(camera, groundBelow(camera, around));
        const glm::dvec3 ray = rayAt(camera, before, around.viewport);
        const std::optional<glm::dvec3> met = groundUnder(camera, before, around);
        const double ahead =
            met ? std::min(glm::dot(*met - camera.position, forward(camera)), reach) : reach / kHoldReach;
        hold_ = Hold{camera.position + ray * ahead, ahead};
    }
    const glm::dvec3 ray = rayAt(camera, cursor, around.viewport);
    // A drag keeps the camera's height in map mode, and in fly mode the distance along the view.
    const double ahead = map ? camera.position.z - hold_->point.z : hold_->ahead;
    camera.position = movedOverGround(camera.position, hold_->point - ray * ahead, around);
    if (!input.holding) hold_.reset();
}

void ViewController::zoom(Camera& camera, double seconds, const ViewSurroundings& around)
{
    if (zoomLeft_ == 0) return;
    double now = zoomLeft_ * (1 - remaining(seconds, kZoomSeconds));
    if (seconds > 0 && std::abs(zoomLeft_ - now) < kLeastZoom) now = zoomLeft_;
    zoomLeft_ -= now;
    glm::dvec3 to = zoomed(camera.position, zoomTo_, now);
    const double highest = std::max(ceilingOver(around.terrain), camera.position.z);
    if (to.z > highest)  // stop at the ceiling, on the same line
    {
        to = glm::mix(camera.position, to, (highest - camera.position.z) / (to.z - camera.position.z));
        zoomLeft_ = 0;
    }
    camera.position = movedOverGround(camera.position, to, around);
}

void ViewController::drive(Camera& camera, const CameraInput& input, bool map, double seconds,
                           const ViewSurroundings& around)
{
    const glm::dvec3 wanted = glm::dvec3(input.forward, input.right, input.up) * (paceOf(input) * pace_);
    const glm::dvec3 none(0.0);
    if (wanted == none && drive_ == none) return;
    if (drive_ == none) height_ = heightAbove(camera, groundBelow(camera, around));
    const int steps = int(std::ceil(seconds / kStep));
    for (int i = 0; i < steps; ++i)
        driveStep(camera, wanted, map, seconds / steps, around);
    if (wanted == none && glm::length(drive_) < kLeastDrive) drive_ = none;
}

void ViewController::driveStep(Camera& camera, const glm::dvec3& wanted, bool map, double seconds,
                               const ViewSurroundings& around)
{
    const double kept = remaining(seconds, kDriveSeconds);
    // Distance covered (in seconds at full speed) while the velocity approaches `wanted` exponentially.
    const glm::dvec3 driven = wanted * seconds + (drive_ - wanted) * (kDriveSeconds * (1 - kept));
    drive_ = wanted + (drive_ - wanted) * kept;
    const double ground = groundBelow(camera, around), height = heightAbove(camera, ground);
    height_ = height * std::pow(height_ / height, remaining(seconds, kHeightSeconds));
    const glm::dvec3 ahead = map ? up(camera) : forward(camera);
    glm::dvec3 to = camera.position + (ahead * driven.x + right(camera) * driven.y) * height_;
    to.z = map ? ground + height * std::exp(kMapZoomPerSecond * driven.z) : to.z + driven.z * height_;
    camera.position = movedOverGround(camera.position, to, around);
}

void ViewController::fly(Camera& camera, double seconds, const ViewSurroundings& around)
{
    flight_->seconds += seconds;
    const Camera &from = flight_->from, &to = flight_->to;
    const double part = eased(std::min(flight_->seconds / kFlightSeconds, 1.0));
    const glm::dvec3 place = glm::mix(from.position, to.position, part);
    camera.position = movedOverGround(camera.position, place, around);
    camera.yaw = wrappedYaw(from.yaw + part * std::remainder(to.yaw - from.yaw, 360.0));
    camera.pitch = std::lerp(from.pitch, to.pitch, part);  // std::lerp is exact for equal values
    if (flight_->seconds >= kFlightSeconds) flight_.reset();
}

Settings::View ViewController::switched(Settings::View view, ViewMode to, const ViewSurroundings& around)
{
    if (view.mode == to)
    {
        return view;
    }
    view.mode = to;
    const Camera before = cameraOf(view);
    const glm::dvec3 spot = spotLookedAt(before, around.ground, around.terrain);
    if (to == ViewMode::kMap)
    {
        lastFly_ = before;
        return withCamera(view, toMap(before, spot));
    }
    const Camera after = toFly(before, lastFly_, spot);
    return withCamera(view, aboveGround(after, groundBelow(after, around)));
}

Settings::View ViewController::home(Settings::View view, const ViewSurroundings& around)
{
    const double aspect = around.viewport.x / std::max(around.viewport.y, 1.0);
    const PicturePart free{around.freeLow.x, 1 - around.freeHigh.y, around.freeHigh.x, 1 - around.freeLow.y};
    const bool fly = view.mode == ViewMode::kFly;
    return withCamera(view, fly ? homeView(around, view.fov) : homeMap(around.terrain, aspect, view.fov, free));
}

}  // namespace orogen
