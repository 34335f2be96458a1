#include "core/view/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <glm/geometric.hpp>

namespace orogen {

namespace {

constexpr double kLookDegreesPerPixel = 0.15;  // at 60 degrees of view; narrower views turn more slowly
constexpr double kDollyPerNotch = 0.15;        // of the height above ground
constexpr double kShiftPerPixel = 0.002;       // of the height above ground
constexpr double kZoomPerNotch = 0.85;         // factor on the height above ground
constexpr double kZoomPerSecond = 0.4;
constexpr double kFast = 5.0, kSlow = 0.2;
constexpr double kLongestStep = 0.1;  // seconds: a hitch must not become a leap
constexpr double kFurthest = 4.0;     // of the terrain's larger side: from there it is a few degrees wide
constexpr double kHomePitch = -28.0;
constexpr double kHomeMargin = 1.05;

double radians(double degrees) { return degrees * (std::numbers::pi / 180.0); }
double tanHalf(double fov) { return std::tan(radians(0.5 * fov)); }

double largerSide(const TerrainExtent& terrain) { return std::max(terrain.size.x, terrain.size.y); }

double heightAbove(const Camera& camera, double groundHeight)
{
    return std::max(camera.position.z - groundHeight, kEyeHeight);
}

double pace(const CameraInput& input) { return (input.fast ? kFast : 1.0) * (input.slow ? kSlow : 1.0); }

// `to`, unless that leads out of [-limit, limit] further than `from` already is.
double confined(double to, double from, double limit)
{
    const double bound = std::max(limit, std::abs(from));
    return std::clamp(to, -bound, bound);
}

Camera confined(Camera camera, const glm::dvec3& from, double groundHeight, const TerrainExtent& terrain)
{
    const double limit = kFurthest * largerSide(terrain);
    camera.position.x = confined(camera.position.x, from.x, limit);
    camera.position.y = confined(camera.position.y, from.y, limit);
    camera.position.z = std::min(camera.position.z, std::max(from.z, terrain.maxHeight + limit));
    return aboveGround(camera, groundHeight);
}

}  // namespace

Camera cameraOf(const Settings::View& view) { return {view.position, view.yaw, view.pitch, view.fov}; }

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

Projection project(const Camera& camera, int width, int height, double nearPlane)
{
    const glm::dvec3 r = right(camera), u = up(camera), f = forward(camera);
    const double tanY = tanHalf(camera.fov);
    const double tanX = tanY * std::max(width, 1) / std::max(height, 1);

    // Rows of the matrix; clip w is the distance along the view, clip z the near plane's, so that their quotient is the
    // reversed depth and nothing is lost between the camera and infinity.
    const std::array<glm::dvec4, 4> rows = {glm::dvec4(r / tanX, 0), glm::dvec4(u / tanY, 0),
                                            glm::dvec4(0, 0, 0, nearPlane), glm::dvec4(f, 0)};
    // Its inverse, column by column: what each clip coordinate adds to a relative position.
    const glm::dmat4 inverse(glm::dvec4(r * tanX, 0), glm::dvec4(u * tanY, 0), glm::dvec4(0, 0, 0, 1 / nearPlane),
                             glm::dvec4(f, 0));
    Projection projection;
    projection.clipFromRelative = glm::mat4(glm::transpose(glm::dmat4(rows[0], rows[1], rows[2], rows[3])));
    projection.relativeFromClip = glm::mat4(inverse);
    projection.pixelsPerRadian = float(std::max(height, 1) / (2 * tanY));

    const auto side = [](const glm::dvec3& normal) { return glm::vec4(glm::dvec4(glm::normalize(normal), 0)); };
    projection.planes = {side(f * tanX + r), side(f * tanX - r), side(f * tanY + u), side(f * tanY - u),
                         glm::vec4(glm::dvec4(f, -nearPlane))};
    return projection;
}

bool CameraInput::idle() const
{
    const std::array<double, 8> motions = {forward, right, up, turnX, turnY, panX, panY, zoom};
    return std::ranges::all_of(motions, [](double motion) { return motion == 0; });
}

double flySpeed(const Camera& camera, double groundHeight, const CameraInput& input)
{
    return heightAbove(camera, groundHeight) * pace(input);
}

Camera flown(Camera camera, const CameraInput& input, double seconds, double groundHeight, const TerrainExtent& terrain)
{
    if (input.idle())
    {
        return camera;
    }
    const glm::dvec3 start = camera.position;
    const double degrees = kLookDegreesPerPixel * camera.fov / 60.0;
    camera.yaw = wrappedYaw(camera.yaw + input.turnX * degrees);
    camera.pitch = std::clamp(camera.pitch - input.turnY * degrees, -90.0, 90.0);

    const double height = heightAbove(camera, groundHeight);
    const double step = flySpeed(camera, groundHeight, input) * std::clamp(seconds, 0.0, kLongestStep);
    const double shift = height * kShiftPerPixel;
    camera.position += forward(camera) * (input.forward * step + input.zoom * kDollyPerNotch * height * pace(input));
    camera.position += right(camera) * (input.right * step - input.panX * shift);
    camera.position += up(camera) * (input.panY * shift);
    camera.position.z += input.up * step;
    return confined(camera, start, groundHeight, terrain);
}

Camera mapped(Camera camera, const CameraInput& input, double seconds, double groundHeight,
              const TerrainExtent& terrain, glm::dvec2 cursor, glm::dvec2 viewport)
{
    if (input.idle())
    {
        return camera;
    }
    const glm::dvec3 start = camera.position;
    const double time = std::clamp(seconds, 0.0, kLongestStep);
    const double tanY = tanHalf(camera.fov);
    const double height = heightAbove(camera, groundHeight);
    camera.yaw = 0;
    camera.pitch = -90;

    const double metresPerPixel = 2 * height * tanY / std::max(viewport.y, 1.0);
    const glm::dvec2 drag{input.turnX + input.panX, input.turnY + input.panY};
    const double scroll = flySpeed(camera, groundHeight, input) * time;
    camera.position.x += input.right * scroll - drag.x * metresPerPixel;
    camera.position.y += input.forward * scroll + drag.y * metresPerPixel;

    const double wheel = std::pow(kZoomPerNotch, input.zoom * pace(input));
    const double keys = std::pow(kZoomPerSecond, -input.up * time * pace(input));
    const double highest = std::max(start.z, terrain.maxHeight + kFurthest * largerSide(terrain));
    const double lowered = std::clamp(height * wheel, kEyeHeight, std::max(highest - groundHeight, kEyeHeight));
    // The point under the cursor is `reach` times the height away from the one beneath the camera, before and after.
    const glm::dvec2 reach = cursor * glm::dvec2(tanY * viewport.x / std::max(viewport.y, 1.0), tanY);
    camera.position += glm::dvec3(reach * (height - lowered), 0);
    camera.position.z = groundHeight + lowered * keys;
    return confined(camera, start, groundHeight, terrain);
}

Camera aboveGround(Camera camera, double groundHeight)
{
    camera.position.z = std::max(camera.position.z, groundHeight + kEyeHeight);
    return camera;
}

namespace {

// `camera` moved back along its view until the terrain's box is in the picture, centred on the box.
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

Camera homeView(const TerrainExtent& terrain, double aspect, double fov)
{
    const Camera view{.position = {}, .yaw = 0, .pitch = kHomePitch, .fov = fov};
    return aboveGround(backedOff(view, terrain, aspect), terrain.maxHeight);
}

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

    // Steps grow with the distance: what is further away need not be found as closely.
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
