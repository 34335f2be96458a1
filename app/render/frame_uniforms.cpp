#include "app/render/frame_uniforms.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "core/planet/cube_lattice.h"
#include "core/planet/ellipsoid.h"

namespace orogen::app {
namespace {

constexpr double kFlatness = kEarthEquatorRadius / kEarthPoleRadius;
constexpr double kHazeScaleHeight = 1900.0;
constexpr double kDetailPeriod = 20480.0;   // metres; FrameUniforms::detailEast is modulo it
constexpr double kKoschmieder = 3.912;      // optical depth at the visibility distance: 2 % contrast remains
constexpr double kClearAirGreen = 1.36e-5;  // extinction of haze-free air at sea level, green (1/metre)
constexpr double kThinnestHaze = 2.0e-6;    // 1/metre

std::pair<std::uint32_t, std::uint32_t> wordsOf(double value)
{
    const auto bits = std::bit_cast<std::uint64_t>(value);
    return {std::uint32_t(bits), std::uint32_t(bits >> 32)};
}

void storePoint(const glm::dvec3& point, glm::uvec4& xy, glm::uvec4& z)
{
    const auto [x0, x1] = wordsOf(point.x);
    const auto [y0, y1] = wordsOf(point.y);
    const auto [z0, z1] = wordsOf(point.z);
    xy = {x0, x1, y0, y1};
    z = {z0, z1, 0, 0};
}

glm::vec4 row(const glm::dvec3& v) { return {glm::vec3(v), 0.0f}; }

// Conversions to and from the space where the ellipsoid is a sphere of the equator's radius (z stretched).
glm::dvec3 roundOf(const glm::dvec3& earthFixed) { return {earthFixed.x, earthFixed.y, earthFixed.z * kFlatness}; }
glm::dvec3 flatOf(const glm::dvec3& round) { return {round.x, round.y, round.z / kFlatness}; }

// Returns where the line of sight meets the ellipsoid or, if it misses, comes closest (in front of the camera).
glm::dvec3 placeInSight(const Camera& camera, const LocalAxes& axes)
{
    const glm::dvec3 eye = roundOf(camera.position), way = roundOf(axes.toEarthFixed(forward(camera)));
    const double squared = glm::dot(way, way), along = -glm::dot(eye, way) / squared;
    const double over = glm::dot(eye, eye) - kEarthEquatorRadius * kEarthEquatorRadius;
    const double inside = along * along - over / squared;
    const double distance = along - (inside > 0 ? std::sqrt(inside) : 0.0);
    return flatOf(eye + way * std::max(along > 0 ? distance : 0.0, 0.0));
}

// Returns the ellipsoid point whose normal the sun's azimuth and elevation refer to.
glm::dvec3 sunsPlace(const Camera& camera)
{
    const LocalAxes axes = axesAt(camera.position);
    const glm::dvec3 seen = scaledDirectionUnder(placeInSight(camera, axes));
    const glm::dvec3 below = scaledDirectionUnder(camera.position);
    const double height = std::max(geodeticOf(camera.position).height, 0.0);
    const double angle = std::acos(std::clamp(glm::dot(seen, below), -1.0, 1.0)), most = height / kEarthEquatorRadius;
    if (angle <= most) return onEllipsoid(seen);
    const double share = most / angle;  // along the great circle
    const double s = std::sin(angle);
    return onEllipsoid(seen * (std::sin(share * angle) / s) + below * (std::sin((1.0 - share) * angle) / s));
}

// Returns the cosine of the angle between the line of sight and the farthest corner of the picture.
double cornerCosine(const Camera& camera, int width, int height)
{
    const double up = std::tan(glm::radians(camera.fov) / 2.0), across = up * double(width) / double(height);
    const glm::dvec2 far = glm::dvec2(across, up) * (glm::abs(camera.shift) + 1.0);
    return 1.0 / std::sqrt(1.0 + glm::dot(far, far));
}

// Returns the shown share of the air's light.  It falls with the camera's height: from space the full amount would veil
// the ground, and photographs from there are processed for more contrast.
float airShown(double height)
{
    const double up = std::clamp(std::log(std::max(height, 1.0) / 3000.0) / std::log(200'000.0 / 3000.0), 0.0, 1.0);
    return float(1.0 - 0.62 * up * up * (3.0 - 2.0 * up));
}

// Returns the split and merge thresholds as the shaders compare them: with a leaf's base edge, or with an error.
glm::vec2 thresholds(const Settings& settings)
{
    const Settings::Lod& lod = settings.lod;
    if (lod.criterion == LodCriterion::kError)
        return {lod.errorPixels, lod.errorPixels * lod.mergePixels / lod.splitPixels};
    return glm::vec2(lod.splitPixels, lod.mergePixels) * float(1 << settings.patch.level);
}

// Converts a plane from the local axes and position of camera `of` to those of camera `from`.
glm::vec4 seenFrom(const glm::vec4& plane, const Camera& of, const Camera& from)
{
    const glm::dvec3 normal = axesAt(of.position).toEarthFixed(glm::dvec3(plane));
    return {glm::vec3(axesAt(from.position).toLocal(normal)),
            float(double(plane.w) + glm::dot(normal, from.position - of.position))};
}

void describeOnPlane(const FrameView& view, const Settings& settings, const TerrainGpu& terrain, gpu::FrameUniforms& u)
{
    if (view.frozen)
    {
        const Projection then = project(*view.frozen, view.width, view.height, FrameView::kNearPlane);
        const glm::vec3 shift(view.camera.position - view.frozen->position);
        for (std::size_t i = 0; i < then.planes.size(); ++i)
            u.frozenFrustum[i] = then.planes[i] + glm::vec4(0, 0, 0, glm::dot(glm::vec3(then.planes[i]), shift));
    }
    const LatticePoint place = terrain.place(view.camera.position);
    u.cameraCell = place.cell;
    u.cameraFraction = place.fraction;
    const LatticePoint lodPlace = view.frozen ? terrain.place(view.frozen->position) : place;
    u.lodCell = lodPlace.cell;
    u.lodFraction = lodPlace.fraction;
    u.sunDirection = glm::vec4(sunOnPlane(settings.render), 0.0f);
    const auto detail = [](double metres) {
        return float(metres - std::floor(metres / kDetailPeriod) * kDetailPeriod);
    };
    u.detailEast = detail(view.camera.position.x);
    u.detailNorth = detail(view.camera.position.y);
}

// The camera position is in EarthUniforms; only its height above the ellipsoid goes here.
void describeOnEarth(const FrameView& view, const Settings& settings, gpu::FrameUniforms& u)
{
    if (view.frozen)
    {
        const Projection then = project(*view.frozen, view.width, view.height, FrameView::kNearPlane);
        for (std::size_t i = 0; i < then.planes.size(); ++i)
            u.frozenFrustum[i] = seenFrom(then.planes[i], *view.frozen, view.camera);
    }
    const auto height = [](const Camera& of) {
        const double metres = geodeticOf(of.position).height;
        const float whole = float(std::floor(metres));
        return std::pair(whole, float(metres - double(whole)));
    };
    std::tie(u.cameraCell.z, u.cameraFraction.z) = height(view.camera);
    std::tie(u.lodCell.z, u.lodFraction.z) = height(view.frozen ? *view.frozen : view.camera);
    const glm::dvec3 sun = sunOnEarth(settings.render, view.camera);
    u.sunDirection = glm::vec4(glm::vec3(axesAt(view.camera.position).toLocal(sun)), 0.0f);
}

}  // namespace

// A bisection shortens the legs by sqrt(2).  On planar terrain, the halves of the square have depth 1.  On the Earth,
// the square is a face of the cube and its halves have depth 0; there the lattice unit is the lower limit.
float finestLeg(const Settings& settings, const TerrainGpu& terrain)
{
    const bool onEarth = terrain.onEarth();
    const double depth = onEarth ? settings.earth.depth : settings.cbt.depth - 1;
    const double halvings = 0.5 * depth + settings.patch.level;
    return float(terrain.squareSide() * std::exp2(-(onEarth ? std::min(halvings, double(kCubeBits)) : halvings)));
}

gpu::FrameUniforms frameUniforms(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                                 std::uint32_t leafCapacity, float triangleBudget)
{
    const Projection projection = project(view.camera, view.width, view.height, FrameView::kNearPlane);
    gpu::FrameUniforms u{};
    u.clipFromRelative = projection.clipFromRelative;
    u.relativeFromClip = projection.relativeFromClip;
    std::copy(projection.planes.begin(), projection.planes.end(), u.frustum);
    terrain.onEarth() ? describeOnEarth(view, settings, u) : describeOnPlane(view, settings, terrain, u);
    u.cameraCell.w = finestLeg(settings, terrain);
    u.viewport = glm::vec4(float(view.width), float(view.height), 1.0f / float(view.width), 1.0f / float(view.height));
    u.pixelsPerRadian = projection.pixelsPerRadian;
    const glm::vec2 limits = thresholds(settings);
    u.splitPixels = limits.x;
    u.mergePixels = limits.y;
    u.criterion = settings.lod.criterion == LodCriterion::kError ? gpu::kCriterionError : gpu::kCriterionEdge;
    u.shading = gpu::uint(settings.render.shading);
    u.wireframe = settings.render.wireframe;
    u.frozen = view.frozen.has_value();
    u.patchLevel = gpu::uint(settings.patch.level);
    u.leafCapacity = leafCapacity;
    u.hazePerMetre = float(kKoschmieder / (1000.0 * double(settings.render.visibility)));
    u.hazeScaleHeight = float(kHazeScaleHeight);
    u.triangleBudget = triangleBudget;
    u.geomorph = settings.lod.geomorph;
    const Camera& lodCamera = view.frozen ? *view.frozen : view.camera;
    u.lodFraction.w = project(lodCamera, view.width, view.height, FrameView::kNearPlane).pixelsPerRadian;
    return u;
}

FrustumCorners frozenFrustum(const FrameView& view, const TerrainGpu& terrain)
{
    const Projection then = project(*view.frozen, view.width, view.height, FrameView::kNearPlane);
    const LocalAxes axes = terrain.onEarth() ? axesAt(view.frozen->position) : LocalAxes(),
                    now = terrain.onEarth() ? axesAt(view.camera.position) : LocalAxes();
    const auto seen = [&](const glm::dvec3& offset) { return glm::vec3(now.toLocal(offset)); };
    const glm::vec3 eye = seen(view.frozen->position - view.camera.position);
    const double reach = 0.3 * (terrain.onEarth() ? std::max(geodeticOf(view.frozen->position).height, kLowCamera)
                                                  : terrain.squareSide());
    const glm::vec2 ndc[4] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    FrustumCorners corners = {eye};
    for (std::size_t i = 0; i < 4; ++i)
    {
        const glm::vec4 p = then.relativeFromClip * glm::vec4(ndc[i], 1.0f, 1.0f);
        corners[i + 1] = eye + seen(axes.toEarthFixed(glm::normalize(glm::dvec3(p) / double(p.w)) * reach));
    }
    return corners;
}

glm::vec3 sunOnPlane(const Settings::Render& render)
{
    const float azimuth = glm::radians(render.sunAzimuth), elevation = glm::radians(render.sunElevation);
    return {std::sin(azimuth) * std::cos(elevation), std::cos(azimuth) * std::cos(elevation), std::sin(elevation)};
}

glm::dvec3 sunOnEarth(const Settings::Render& render, const Camera& camera)
{
    const double azimuth = glm::radians(double(render.sunAzimuth));
    const double elevation = glm::radians(double(render.sunElevation));
    return axesAt(sunsPlace(camera))
        .toEarthFixed(
            {std::sin(azimuth) * std::cos(elevation), std::cos(azimuth) * std::cos(elevation), std::sin(elevation)});
}

gpu::EarthUniforms earthUniforms(const FrameView& view, const Settings& settings)
{
    const double scale = double(settings.terrain.heightScale);
    const Camera& lod = view.frozen ? *view.frozen : view.camera;
    const LocalAxes axes = axesAt(view.camera.position), lodAxes = axesAt(lod.position);
    const Geodetic place = geodeticOf(view.camera.position);
    gpu::EarthUniforms u{};
    storePoint(view.camera.position, u.cameraXY, u.cameraZ);
    storePoint(earthFixed({place.latitude, place.longitude, 0.0}), u.footXY, u.footZ);
    u.east = row(axes.east);
    u.north = row(axes.north);
    u.up = row(axes.up);
    storePoint(lod.position, u.lodCameraXY, u.lodCameraZ);
    u.lodEast = row(lodAxes.east);
    u.lodNorth = row(lodAxes.north);
    u.lodUp = row(lodAxes.up);
    u.lodView =
        glm::vec4(glm::vec3(lodAxes.toEarthFixed(forward(lod))), float(cornerCosine(lod, view.width, view.height)));
    const double raise = kHighestGround * scale;
    const glm::dvec3 scaled(lod.position.x / (kEarthEquatorRadius + raise),
                            lod.position.y / (kEarthEquatorRadius + raise),
                            lod.position.z / (kEarthPoleRadius + raise));
    u.lodScaled = glm::vec4(glm::vec3(scaled), float(glm::dot(scaled, scaled) - 1.0));
    if (settings.terrain.waterLevel) u.sea = glm::vec4(float(*settings.terrain.waterLevel * scale), 1.0f, 0.0f, 0.0f);
    u.figure = glm::vec4(float(metresOfCubeUnit()), float(place.height), float(kLowestGround * scale), float(raise));
    return u;
}

gpu::AirUniforms airUniforms(const Camera& camera, const Settings& settings)
{
    const LocalAxes axes = axesAt(camera.position);
    const glm::dvec3 eye = roundOf(camera.position);
    const double fromCentre = glm::length(eye);
    gpu::AirUniforms u{};
    u.east = glm::vec4(glm::vec3(roundOf(axes.east)), airShown(fromCentre - kEarthEquatorRadius));
    u.north = row(roundOf(axes.north));
    u.up = row(roundOf(axes.up));
    u.camera = glm::vec4(glm::vec3(eye / fromCentre), float(fromCentre - kEarthEquatorRadius));
    const double haze = kKoschmieder / (1000.0 * double(settings.render.visibility)) - kClearAirGreen;
    u.sun = glm::vec4(glm::vec3(glm::normalize(roundOf(sunOnEarth(settings.render, camera)))),
                      float(std::max(haze, kThinnestHaze)) * u.east.w);
    return u;
}

glm::vec4 inEarthAxes(const glm::vec4& plane, const Camera& camera)
{
    return {glm::vec3(axesAt(camera.position).toEarthFixed(glm::dvec3(plane))), plane.w};
}

Result<EarthBlocks> EarthBlocks::create()
{
    EarthBlocks blocks;
    const gpu::EarthUniforms earth{};  // defined values for passes before the first frame
    const gpu::AirUniforms air{};
    Result<Buffer> first = makeBuffer("earth uniforms", sizeof earth, GL_DYNAMIC_STORAGE_BIT, &earth);
    if (!first) return first.error();
    blocks.earth_ = std::move(*first);
    Result<Buffer> second = makeBuffer("air uniforms", sizeof air, GL_DYNAMIC_STORAGE_BIT, &air);
    if (!second) return second.error();
    blocks.air_ = std::move(*second);
    return blocks;
}

void EarthBlocks::write(const gpu::EarthUniforms& earth, const gpu::AirUniforms& air) const
{
    glNamedBufferSubData(earth_.id(), 0, sizeof earth, &earth);
    glNamedBufferSubData(air_.id(), 0, sizeof air, &air);
}

void EarthBlocks::bind() const
{
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kEarthBinding, earth_.id());
    glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kAirBinding, air_.id());
}

}  // namespace orogen::app
