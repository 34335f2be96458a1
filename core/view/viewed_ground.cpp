#include "core/view/viewed_ground.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <glm/geometric.hpp>

#include "core/view/earth_view.h"

namespace orogen {
namespace {

constexpr int kLineColumns = 12, kLineRows = 7;
constexpr int kLevelSteps = 3;       // towards the height of the ground that a line meets
constexpr double kSlopePixels = 12;  // distance of the heights that a slope is taken from

// Returns where a line of sight meets a surface `height` metres above the sea.
std::optional<glm::dvec3> atLevel(const Camera& camera, const glm::dvec3& ray, double height, bool earth)
{
    if (earth) return onRaisedEllipsoid(camera.position, ray, height);
    const double t = (height - camera.position.z) / ray.z;
    if (!(t > 0)) return std::nullopt;
    return camera.position + t * ray;
}

}  // namespace

std::optional<ViewedGround> viewedGround(const Camera& camera, const ViewSurroundings& around, const DataHeight& height,
                                         double scale)
{
    const bool earth = around.onEarth();
    const glm::dvec2 half = 0.5 * around.terrain.size;
    const double pixels = around.viewport.y / (2 * std::tan(camera.fov * std::numbers::pi / 360));  // a radian
    ViewedGround seen{.low = 1e9, .high = -1e9};
    double slopes = 0;
    std::vector<double> footprints;
    for (int i = 0; i < kLineColumns * kLineRows; ++i)
    {
        const glm::dvec2 cursor(2 * (i % kLineColumns + 0.5) / kLineColumns - 1,
                                2 * (i / kLineColumns + 0.5) / kLineRows - 1);
        const glm::dvec3 ray =
            earth ? earthRay(poseOf(camera), cursor, around.viewport) : rayAt(camera, cursor, around.viewport);
        std::optional<glm::dvec3> place;
        double metres = earth ? 0 : around.terrain.minHeight / std::max(scale, 1e-3);
        for (int step = 0; step < kLevelSteps; ++step)
        {
            const std::optional<glm::dvec3> next = atLevel(camera, ray, metres * scale, earth);
            if (!next) break;
            place = next;
            metres = height(*next);
        }
        if (!place || (!earth && (std::abs(place->x) > half.x || std::abs(place->y) > half.y))) continue;
        seen.low = std::min(seen.low, metres);
        seen.high = std::max(seen.high, metres);
        const double footprint = glm::distance(*place, camera.position) / pixels;
        const glm::dvec3 up = upIn(around, *place);
        const glm::dvec3 across = std::abs(up.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
        const glm::dvec3 a = glm::normalize(glm::cross(up, across)), b = glm::cross(up, a);
        const double apart = kSlopePixels * footprint;
        slopes += std::hypot(height(*place + apart * a) - metres, height(*place + apart * b) - metres) / apart;
        footprints.push_back(footprint);
    }
    if (footprints.empty()) return std::nullopt;
    const auto middle = footprints.begin() + std::ptrdiff_t(footprints.size() / 2);
    std::nth_element(footprints.begin(), middle, footprints.end());
    seen.metresPerPixel = *middle;
    seen.slope = slopes / double(footprints.size());
    return seen;
}

}  // namespace orogen
