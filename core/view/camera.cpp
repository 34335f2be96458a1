#include "core/view/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace orogen {

namespace {

constexpr double kHomeMargin = 1.05;  // factor on the distance of homeMap(), for a margin around the terrain

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

namespace {

// Moves `camera`, without turning it, so that it looks at the centre of the terrain's box and sees all of the box.
Camera backedOff(Camera camera, const TerrainExtent& terrain, double aspect)
{
    const glm::dvec3 centre(0, 0, 0.5 * (terrain.minHeight + terrain.maxHeight));
    const glm::dvec3 half(0.5 * terrain.size, 0.5 * (terrain.maxHeight - terrain.minHeight));
    const double tanY = tanHalf(camera.fov), tanX = tanY * aspect;
    double distance = kEyeHeight;
    for (int corner = 0; corner < 8; ++corner)
    {
        const glm::dvec3 offset = half * glm::dvec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1);
        const double across =
            std::max(std::abs(glm::dot(offset, right(camera))) / tanX, std::abs(glm::dot(offset, up(camera))) / tanY);
        distance = std::max(distance, across - glm::dot(offset, forward(camera)));
    }
    camera.position = centre - forward(camera) * (distance * kHomeMargin);
    return camera;
}

}  // namespace

Camera homeMap(const TerrainExtent& terrain, double aspect, double fov)
{
    return backedOff({.position = {}, .yaw = 0, .pitch = -90, .fov = fov}, terrain, aspect);
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
