#include "app/render/earth_world.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>
#include <utility>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "app/render/tree_inspector.h"
#include "core/planet/cube_lattice.h"
#include "core/planet/sky.h"

namespace orogen::app {
namespace {

constexpr double kFlatness = kEarthEquatorRadius / kEarthPoleRadius;
constexpr double kLowCamera = 2000;  // metres; lower cameras count as this high for view length and jumps
constexpr double kJump = 0.5;        // a motion longer than this fraction of the camera's height is a jump

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

// Convert to and from the space where the ellipsoid is a sphere of the equator's radius (z stretched).
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

// Returns the point of the ellipsoid to which the sun's azimuth and elevation refer: the place in sight, moved to at
// most the camera's height from the point below the camera.
glm::dvec3 sunsPlace(const Camera& camera)
{
    const LocalAxes axes = axesAt(camera.position);
    const glm::dvec3 seen = scaledDirectionUnder(placeInSight(camera, axes));
    const glm::dvec3 below = scaledDirectionUnder(camera.position);
    const double height = std::max(geodeticOf(camera.position).height, 0.0);
    const double angle = std::acos(std::clamp(glm::dot(seen, below), -1.0, 1.0)), most = height / kEarthEquatorRadius;
    if (angle <= most) return onEllipsoid(seen);
    const double share = most / angle;  // fraction of the great circle between the two points
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

// Converts a plane from the local axes and position of camera `of` to those of camera `from`.
glm::vec4 seenFrom(const glm::vec4& plane, const Camera& of, const Camera& from)
{
    const glm::dvec3 normal = axesAt(of.position).toEarthFixed(glm::dvec3(plane));
    return {glm::vec3(axesAt(from.position).toLocal(normal)),
            float(double(plane.w) + glm::dot(normal, from.position - of.position))};
}

// Returns the unit vector towards the sun, earth-fixed.  Refraction, or azimuth and elevation, refer to sunsPlace().
// So the sun stands still for a viewer who looks around on the ground.  The result is a continuous function of the
// camera.
glm::dvec3 sunOf(const Settings::Render& render, const Camera& camera)
{
    const LocalAxes axes = axesAt(sunsPlace(camera));
    if (!render.time) return axes.toEarthFixed(directionOf({double(render.sunAzimuth), double(render.sunElevation)}));
    const double height = std::max(geodeticOf(camera.position).height, 0.0);
    return refracted(sunDirection(*render.time), axes.up, std::exp(-height / double(gpu::kAirHeight)));
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

std::vector<ShaderDefine> choiceOf(const HeightChoice& heights, bool detail)
{
    std::vector<ShaderDefine> choice = {{"@world", "earth"}, {"@heights", heights.shaders}, {"OROGEN_POOL", "1"}};
    if (detail) choice.push_back({"OROGEN_DETAIL", "1"});
    if (detail && heights.models) choice.push_back({"OROGEN_MODELS", "1"});
    return choice;
}

}  // namespace

EarthWorld::EarthWorld(const std::filesystem::path& dataRoot, ShaderDialect dialect, const ContextInfo& info)
    : RenderWorld(dataRoot, dialect, info, World::kEarth, poolTree, choiceOf({.shaders = "tiles"}, false)),
      regionPrograms_(library_)
{
}

Result<std::unique_ptr<EarthWorld>> EarthWorld::create(const std::filesystem::path& dataRoot, ShaderDialect dialect,
                                                       const ContextInfo& info)
{
    const gpu::EarthUniforms earth{};  // defined values for passes before the first frame
    Result<Buffer> uniforms = makeBuffer("earth uniforms", sizeof earth, GL_DYNAMIC_STORAGE_BIT, &earth);
    if (!uniforms) return uniforms.error();
    std::unique_ptr<EarthWorld> world(new EarthWorld(dataRoot, dialect, info));
    world->earth_ = std::move(*uniforms);
    return world;
}

Result<TerrainGpu> EarthWorld::makeTerrain(const Limits& limits, std::shared_ptr<TileCache> tiles) const
{
    Result<TerrainGpu> terrain = TerrainGpu::createOnEarth(limits, std::move(tiles));
    if (!terrain) return terrain;
    Result<ShadowRegion> region = ShadowRegion::create(library_, regionPrograms_);
    if (!region) return region.error();
    terrain->setRegion(std::move(*region));
    return terrain;
}

// Writes the frozen frustum, the cameras' heights above the ellipsoid, and the sun.  EarthUniforms has the rest of the
// cameras' positions.
void EarthWorld::describe(const FrameView& view, const Settings& settings, const TerrainGpu&,
                          gpu::FrameUniforms& u) const
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
    const glm::dvec3 sun = sunOf(settings.render, view.camera);
    u.sunDirection = glm::vec4(glm::vec3(axesAt(view.camera.position).toLocal(sun)), 0.0f);
}

std::vector<ShaderDefine> EarthWorld::choice(const HeightChoice& heights, bool detail) const
{
    return choiceOf(heights, detail);
}

AirView EarthWorld::airView(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const
{
    const Camera& camera = view.camera;
    const LocalAxes axes = orogen::axesAt(camera.position);
    const glm::dvec3 sun = glm::normalize(roundOf(sunOf(settings.render, camera)));
    const glm::dvec3 place = glm::normalize(roundOf(placeInSight(camera, axes)));
    const glm::dvec3 moon = skyOver(view, settings, terrain).moon;
    return {.axes = {roundOf(axes.east), roundOf(axes.north), roundOf(axes.up)},
            .eye = roundOf(camera.position),
            .sun = sun,
            .sunSine = glm::dot(sun, place),
            .groundHeight = 0.0,
            .moon = moon,
            .moonSine = glm::dot(axes.toEarthFixed(moon), place),
            .moonCasts = !sunRules(glm::dot(sunOf(settings.render, camera), axes.up)),
            .globe = true};
}

SkyView EarthWorld::skyOver(const FrameView& view, const Settings& settings, const TerrainGpu&) const
{
    const glm::dvec3& eye = view.camera.position;
    const LocalAxes axes = orogen::axesAt(eye);
    return skyView(settings.render.time, axes, eye, axes.toLocal(sunOf(settings.render, view.camera)),
                   geodeticOf(eye).height);
}

std::uint64_t EarthWorld::begin(const FrameView& view, const Settings& settings, TerrainGpu& terrain)
{
    const HeightStore& heights = terrain.heights();
    const LocalAxes axes = orogen::axesAt(view.camera.position);
    glm::dvec3 light = sunOf(settings.render, view.camera);
    if (!sunRules(glm::dot(light, axes.up))) light = axes.toEarthFixed(skyOver(view, settings, terrain).moon);
    terrain.region()->look({view.camera.position, light, double(settings.terrain.heightScale), heights.stats()->loaded,
                            heights.rests(), settings.render.shadows && settings.render.shading == Shading::kLit});
    const gpu::EarthUniforms earth = earthUniforms(view, settings);
    glNamedBufferSubData(earth_.id(), 0, sizeof earth, &earth);
    return sizeof earth;
}

void EarthWorld::bind() const { glBindBufferBase(GL_UNIFORM_BUFFER, gpu::kEarthBinding, earth_.id()); }

// Returns the length of the finest legs (metres).  A bisection shortens the legs by sqrt(2).  Depth 0 has the halves of
// a face of the cube.  No leg is shorter than a unit of the lattice of possible vertices.
float EarthWorld::finestLeg(const Settings& settings, const TerrainGpu& terrain) const
{
    const double halvings = std::min(0.5 * settings.earth.depth + settings.patch.level, double(kCubeBits));
    return float(terrain.squareSide() * std::exp2(-halvings));
}

double EarthWorld::viewLength(const glm::dvec3& position, const TerrainGpu&) const
{
    return std::max(geodeticOf(position).height, kLowCamera);
}

double EarthWorld::leastJump(const glm::dvec3& position, const TerrainGpu& terrain) const
{
    return kJump * viewLength(position, terrain);
}

void EarthWorld::askLeaf(LeafPick& pick, const DrawnFrame& frame, const glm::dvec3& place, std::uint64_t question) const
{
    const FacePlace point = facePlaceOf(scaledDirectionUnder(place));
    const auto whole = [](double value) { return std::clamp(std::int32_t(std::floor(value)), 0, kCubeSide); };
    pick.ask(frame.tree, CubePlace{point.face, whole(point.at.x), whole(point.at.y)}, question);
}

std::unique_ptr<TopView> EarthWorld::makeTopView(ShaderLibrary& library) const { return topViewOfEarth(library); }

}  // namespace orogen::app
