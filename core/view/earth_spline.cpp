#include "core/view/earth_spline.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

#include "core/view/earth_view.h"

namespace orogen {

namespace {

constexpr double kMeasureScale = 100;  // metres: below it heights are interpolated linearly, above logarithmically
constexpr double kWidestSpan = 30 * std::numbers::pi / 180;  // radians, between two knots

double measureOf(double height) { return std::copysign(std::log1p(std::abs(height) / kMeasureScale), height); }
double heightOfMeasure(double measure) { return std::copysign(std::expm1(std::abs(measure)) * kMeasureScale, measure); }

EarthPose poseOfKey(const PathKey& key) { return poseOf(Camera{key.position, key.yaw, key.pitch, key.fov}); }

double angleBetween(const glm::dvec3& a, const glm::dvec3& b)
{
    return std::atan2(glm::length(glm::cross(a, b)), glm::dot(a, b));
}

// Interpolates on the great circle; for opposite points via some point a quarter away from both.
glm::dvec3 between(const glm::dvec3& a, const glm::dvec3& b, double angle, double part)
{
    if (angle < 1e-6) return glm::normalize(a + (b - a) * part);
    if (angle < std::numbers::pi - 1e-6)
        return glm::normalize(a * std::sin((1 - part) * angle) + b * std::sin(part * angle));
    const glm::dvec3 other = std::abs(a.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
    const glm::dvec3 side = glm::normalize(other - a * glm::dot(other, a));
    return a * std::cos(part * angle) + side * std::sin(part * angle);
}

}  // namespace

// Returns the keys, with enough knots in between to limit the turn of normal and right vector per span.
EarthSpline::Knots EarthSpline::knotsOf(const std::vector<PathKey>& keys, double loopSeconds)
{
    Knots knots;
    const auto add = [&](double time, const EarthPose& pose, double measure) {
        knots.place.push_back({time, pose.up, 0, pose.pitch, pose.fov});
        knots.look.push_back({time, pose.right, 0, measure, 60});
    };
    for (std::size_t i = 0; i < keys.size(); ++i)
    {
        const bool last = i + 1 == keys.size();
        const EarthPose from = poseOfKey(keys[i]);
        add(keys[i].time, from, measureOf(from.height));
        if (last && loopSeconds <= 0) break;
        const EarthPose to = poseOfKey(keys[last ? 0 : i + 1]);
        const double ends = last ? loopSeconds : keys[i + 1].time, angle = angleBetween(from.up, to.up);
        EarthPose brought = from;
        for (const double part : {0.5, 1.0})
            brought = carried(brought, brought.up, between(from.up, to.up, angle, part));
        const double turn =
            std::atan2(-glm::dot(to.right, glm::cross(to.up, brought.right)), glm::dot(to.right, brought.right));
        const int spans = int(std::ceil(std::max({angle, std::abs(turn), kWidestSpan}) / kWidestSpan));
        EarthPose at = from;
        for (int k = 1; k < spans; ++k)
        {
            const double part = double(k) / spans, step = turn / spans;
            at = carried(at, at.up, between(from.up, to.up, angle, part));
            at.right = at.right * std::cos(step) - glm::cross(at.up, at.right) * std::sin(step);
            at.pitch = std::lerp(from.pitch, to.pitch, part);
            at.fov = std::lerp(from.fov, to.fov, part);
            add(std::lerp(keys[i].time, ends, part), at, std::lerp(measureOf(from.height), measureOf(to.height), part));
        }
    }
    return knots;
}

EarthSpline::EarthSpline(const Knots& knots, double loopSeconds)
    : place_(knots.place, loopSeconds), look_(knots.look, loopSeconds)
{
}

EarthSpline::EarthSpline(const std::vector<PathKey>& keys, double loopSeconds)
    : EarthSpline(knotsOf(keys, loopSeconds), loopSeconds)
{
}

PathKey EarthSpline::at(double seconds) const
{
    const PathKey place = place_.at(seconds), look = look_.at(seconds);
    EarthPose pose{.up = glm::normalize(place.position), .height = heightOfMeasure(look.pitch)};
    pose.right = glm::normalize(look.position - pose.up * glm::dot(look.position, pose.up));
    pose.pitch = std::clamp(place.pitch, -90.0, 90.0);
    const Camera camera = cameraOf(pose);
    return {place.time, camera.position, camera.yaw, pose.pitch, place.fov};
}

}  // namespace orogen
