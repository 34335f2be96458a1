#include "core/view/viewed_ground.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <glm/geometric.hpp>

#include "core/view/earth_view.h"

namespace orogen {
namespace {

constexpr int kLineColumns = 20, kLineRows = 11;
constexpr int kSlopeLines = 3;         // every third line of sight gives a slope
constexpr double kExtremes = 0.04;     // the lowest (highest) height is a mean over this share of the total weight
constexpr double kBorderShare = 0.05;  // width of the border with less weight, as a share of half the terrain's side
constexpr double kReached = 0.002;     // share of the wanted range: a smaller difference is covered at once
constexpr double kGrazing = 0.15;      // sine of the angle with the ground below which lines of sight count less
constexpr int kLevelSteps = 3;         // iterations for the height of the ground that a line meets
constexpr double kSlopePixels = 12;    // distance between the heights that give a slope

// Returns where a line of sight meets a surface `height` metres above the sea.
std::optional<glm::dvec3> atLevel(const Camera& camera, const glm::dvec3& ray, double height, bool earth)
{
    if (earth) return onRaisedEllipsoid(camera.position, ray, height);
    const double t = (height - camera.position.z) / ray.z;
    if (!(t > 0)) return std::nullopt;
    return camera.position + t * ray;
}

}  // namespace

namespace {

struct Line
{
    double metres = 0, weight = 0;
};

// Returns the mean height (metres) of the first lines, up to a total weight of `weight`.  This mean is continuous in
// heights and weights.  The first height alone would jump as lines come and go.
double meanOfFirst(const std::vector<Line>& lines, double weight)
{
    double left = weight, sum = 0;
    for (const Line& line : lines)
    {
        const double taken = std::min(left, line.weight);
        sum += taken * line.metres;
        left -= taken;
        if (left <= 0) break;
    }
    return sum / (weight - std::max(left, 0.0));
}

// Returns how much a line of sight counts: less where it meets the ground at a grazing angle, or near the terrain's
// border.
double weightOf(const ViewSurroundings& around, const glm::dvec3& ray, const glm::dvec3& place)
{
    double weight = std::clamp(-glm::dot(ray, upIn(around, place)) / kGrazing, 0.0, 1.0);
    if (around.onEarth()) return weight;
    const glm::dvec2 half = 0.5 * around.terrain.size;
    const glm::dvec2 inside = (half - glm::abs(glm::dvec2(place))) / (kBorderShare * half);
    return weight * std::clamp(inside.x, 0.0, 1.0) * std::clamp(inside.y, 0.0, 1.0);
}

}  // namespace

std::optional<ViewedGround> viewedGround(const Camera& camera, const ViewSurroundings& around, const DataHeight& height,
                                         double scale)
{
    const bool earth = around.onEarth();
    const double pixels = around.viewport.y / (2 * std::tan(camera.fov * std::numbers::pi / 360));  // pixels per radian
    std::vector<Line> lines;
    double slopes = 0, weights = 0;
    int steep = 0;
    std::vector<double> footprints;
    for (int i = 0; i < kLineColumns * kLineRows; ++i)
    {
        const glm::dvec2 cursor(2 * (i % kLineColumns + 0.5) / kLineColumns - 1,
                                2 * (i / kLineColumns + 0.5) / kLineRows - 1);
        const glm::dvec3 ray = rayIn(around, camera, cursor, around.viewport);
        std::optional<glm::dvec3> place;
        double metres = earth ? 0 : around.terrain.minHeight / std::max(scale, 1e-3);
        for (int step = 0; step < kLevelSteps; ++step)
        {
            const std::optional<glm::dvec3> next = atLevel(camera, ray, metres * scale, earth);
            if (!next) break;
            place = next;
            metres = height(*next);
        }
        const double weight = place ? weightOf(around, ray, *place) : 0;
        if (weight <= 0) continue;
        lines.push_back({metres, weight});
        weights += weight;
        const double footprint = glm::distance(*place, camera.position) / pixels;
        footprints.push_back(footprint);
        if (i % kSlopeLines != 0) continue;
        const glm::dvec3 up = upIn(around, *place);
        const glm::dvec3 across = std::abs(up.z) < 0.9 ? glm::dvec3(0, 0, 1) : glm::dvec3(1, 0, 0);
        const glm::dvec3 a = glm::normalize(glm::cross(up, across)), b = glm::cross(up, a);
        const double apart = kSlopePixels * footprint;
        slopes += std::hypot(height(*place + apart * a) - metres, height(*place + apart * b) - metres) / apart;
        ++steep;
    }
    if (lines.empty()) return std::nullopt;
    ViewedGround seen;
    std::ranges::sort(lines, {}, &Line::metres);
    seen.low = meanOfFirst(lines, kExtremes * weights);
    std::ranges::reverse(lines);
    seen.high = meanOfFirst(lines, kExtremes * weights);
    const auto middle = footprints.begin() + std::ptrdiff_t(footprints.size() / 2);
    std::nth_element(footprints.begin(), middle, footprints.end());
    seen.metresPerPixel = *middle;
    seen.slope = steep > 0 ? slopes / double(steep) : 0;
    return seen;
}

glm::dvec2 FollowedHeights::follow(const glm::dvec2& wanted, double share)
{
    if (!shown_) shown_ = wanted;
    *shown_ += (wanted - *shown_) * share;
    const glm::dvec2 left = glm::abs(wanted - *shown_);
    if (std::max(left.x, left.y) < kReached * (wanted.y - wanted.x)) shown_ = wanted;
    return *shown_;
}

}  // namespace orogen
