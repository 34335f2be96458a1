#include "core/view/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace orogen {

namespace {

constexpr double kHomeMargin = 1.05;  // factor on the distance of homeMap(), for a margin around the terrain
constexpr double kLeastFree = 0.3;    // smallest free part for homeMap(), as a share of each side of the picture

double radians(double degrees) { return degrees * (std::numbers::pi / 180.0); }
double tanHalf(double fov) { return std::tan(radians(0.5 * fov)); }

double largerSide(const TerrainExtent& terrain) { return std::max(terrain.size.x, terrain.size.y); }

}  // namespace

Camera cameraOf(const Settings::View& view) { return {view.position, view.yaw, view.pitch, view.fov, view.shift}; }

double wrappedYaw(double degrees)
{
    const double turn = std::fmod(degrees, 360.0);
    const double positive = turn < 0 ? turn + 360.0 : turn;
    return positive < 360.0 ? positive : 0.0;  // -1e-20 + 360 rounds to 360
}

void storeCamera(const Camera& camera, Settings::View& view)
{
    view.position = camera.position;
    view.yaw = wrappedYaw(camera.yaw);
    view.pitch = camera.pitch;
    view.fov = camera.fov;
}

glm::dvec3 forward(const Camera& camera)
{
    const double yaw = radians(camera.yaw), pitch = radians(camera.pitch);
    return {std::sin(yaw) * std::cos(pitch), std::cos(yaw) * std::cos(pitch), std::sin(pitch)};
}

glm::dvec3 right(const Camera& camera)
{
    const double yaw = radians(camera.yaw);
    return {std::cos(yaw), -std::sin(yaw), 0.0};
}

glm::dvec3 up(const Camera& camera) { return glm::cross(right(camera), forward(camera)); }

Projection project(const Camera& camera, int width, int height, double nearPlane, const PicturePart& part)
{
    const glm::dvec3 r = right(camera), u = up(camera), f = forward(camera);
    const double tanY = tanHalf(camera.fov);
    const double tanX = tanY * std::max(width, 1) / std::max(height, 1);

    // Rows of the matrix.  Clip w is the distance along the view and clip z the near plane's distance, so that z / w is
    // reversed depth, precise up to infinity.
    const glm::dvec2 shift = camera.shift;
    const std::array<glm::dvec4, 4> rows = {glm::dvec4(r / tanX + f * shift.x, 0),
                                            glm::dvec4(u / tanY + f * shift.y, 0), glm::dvec4(0, 0, 0, nearPlane),
                                            glm::dvec4(f, 0)};
    // Inverse matrix by columns: each clip coordinate's contribution to a relative position.
    const glm::dmat4 inverse(glm::dvec4(r * tanX, 0), glm::dvec4(u * tanY, 0), glm::dvec4(0, 0, 0, 1 / nearPlane),
                             glm::dvec4(f - r * (tanX * shift.x) - u * (tanY * shift.y), 0));
    Projection projection;
    projection.clipFromRelative = glm::mat4(glm::transpose(glm::dmat4(rows[0], rows[1], rows[2], rows[3])));
    projection.relativeFromClip = glm::mat4(inverse);
    projection.pixelsPerRadian = float(std::max(height, 1) / (2 * tanY));

    const auto side = [](const glm::dvec3& normal) { return glm::vec4(glm::dvec4(glm::normalize(normal), 0)); };
    const glm::dvec2 low(2 * part.left - 1, 2 * part.bottom - 1), high(2 * part.right - 1, 2 * part.top - 1);
    projection.planes = {side(f * (tanX * (shift.x - low.x)) + r), side(f * (tanX * (high.x - shift.x)) - r),
                         side(f * (tanY * (shift.y - low.y)) + u), side(f * (tanY * (high.y - shift.y)) - u),
                         glm::vec4(glm::dvec4(f, -nearPlane))};
    return projection;
}

Camera homeMap(const TerrainExtent& terrain, double aspect, double fov, const PicturePart& free)
{
    const glm::dvec2 tangent = glm::dvec2(aspect, 1.0) * tanHalf(fov);
    // Centre and half sides of the free part.
    const glm::dvec2 middle(free.left + free.right - 1, free.bottom + free.top - 1);  // in [-1, 1]², y up
    const glm::dvec2 room = glm::max(glm::dvec2(free.right - free.left, free.top - free.bottom), kLeastFree);
    const glm::dvec2 half = 0.5 * terrain.size;
    const double halfHeight = 0.5 * (terrain.maxHeight - terrain.minHeight);
    // Distance from the box's centre at which all corners lie in the free part.  Upper corners are nearer, and so seen
    // furthest from the picture's middle; the side of the free part that is further out decides.
    const glm::dvec2 needed = (half / tangent + (glm::abs(middle) + room) * halfHeight) / room;
    const double distance = std::max({needed.x, needed.y, kEyeHeight}) * kHomeMargin;
    const glm::dvec2 at = glm::dvec2(0.0) - middle * tangent * distance;
    return {
        .position = {at, 0.5 * (terrain.minHeight + terrain.maxHeight) + distance}, .yaw = 0, .pitch = -90, .fov = fov};
}

glm::dvec3 spotLookedAt(const Camera& camera, const GroundHeight& ground, const TerrainExtent& terrain)
{
    const glm::dvec3 direction = forward(camera);
    const auto at = [&](double distance) { return camera.position + direction * distance; };
    const auto below = [&](const glm::dvec3& point) { return point.z <= ground(point.x, point.y); };
    const double centreDistance = std::max(glm::length(camera.position), kEyeHeight);
    const double furthest = centreDistance + 2 * largerSide(terrain);

    // Steps grow with the distance: the accuracy is relative.
    double before = 0;
    for (double distance = kEyeHeight; distance < furthest; distance *= 1.02)
    {
        if (below(at(distance)))
        {
            for (int halving = 0; halving < 12; ++halving)
            {
                const double middle = 0.5 * (before + distance);
                (below(at(middle)) ? distance : before) = middle;
            }
            return at(distance);
        }
        before = distance;
    }
    return at(centreDistance);
}

Camera toMap(const Camera& fly, const glm::dvec3& spot)
{
    Camera map = fly;
    map.yaw = 0;
    map.pitch = -90;
    map.position = spot + glm::dvec3(0, 0, glm::distance(fly.position, spot));
    return map;
}

Camera toFly(const Camera& map, const Camera& last, const glm::dvec3& spot)
{
    Camera fly = map;
    fly.yaw = last.yaw;
    fly.pitch = last.pitch;
    fly.position = spot - forward(fly) * glm::distance(map.position, spot);
    return fly;
}

}  // namespace orogen
