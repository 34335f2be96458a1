#include "app/render/plane_world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <glm/geometric.hpp>

#include "app/render/lod_tree.h"
#include "app/render/tree_inspector.h"
#include "core/planet/sky.h"

namespace orogen::app {
namespace {

constexpr double kDetailPeriod = 20480.0;  // metres; FrameUniforms::detailEast and detailNorth are modulo this
constexpr double kJump = 0.02;             // least motion that counts as a jump (share of the square's side)

// Returns the unit vector towards the sun, as seen from the terrain's centre at the time of the settings.  Without a
// time, azimuth and elevation of the settings apply.
glm::dvec3 sunOf(const Settings::Render& render, const TerrainGpu& terrain)
{
    if (!render.time) return directionOf({double(render.sunAzimuth), double(render.sunElevation)});
    const LocalAxes& axes = terrain.onGlobe();
    return axes.toLocal(refracted(sunDirection(*render.time), axes.up));
}

}  // namespace

PlaneWorld::PlaneWorld(const std::filesystem::path& dataRoot, ShaderDialect dialect, const ContextInfo& info)
    : RenderWorld(dataRoot, dialect, info, World::kPlane, implicitTree, {}), terrainPrograms_(library_)
{
}

std::vector<ShaderDefine> PlaneWorld::choice(const HeightChoice& heights, bool detail) const
{
    std::vector<ShaderDefine> choice = {{"@world", "plane"}, {"@heights", heights.shaders}};
    if (detail) choice.push_back({"OROGEN_DETAIL", "1"});
    return choice;
}

Status PlaneWorld::checkDepth(const Limits& limits, int depth) const { return app::checkDepth(limits, depth); }

std::optional<int> PlaneWorld::depthForSamples(const Limits& limits, const TerrainGpu& terrain, double spacing) const
{
    return orogen::depthForSamples(terrain.squareSide(), spacing, largestDepth(limits));
}

void PlaneWorld::describe(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                          gpu::FrameUniforms& u) const
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
    u.sunDirection = glm::vec4(glm::vec3(sunOf(settings.render, terrain)), 0.0f);
    const auto detail = [](double metres) {
        return float(metres - std::floor(metres / kDetailPeriod) * kDetailPeriod);
    };
    u.detailEast = detail(view.camera.position.x);
    u.detailNorth = detail(view.camera.position.y);
}

// Returns the camera in the air of a sphere that the plane touches below the camera.  The sphere's surface is as high
// as the terrain's lowest ground.
AirView PlaneWorld::airView(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const
{
    const glm::vec4& heights = terrain.uniforms().heights;
    const double height = std::max(view.camera.position.z - double(heights.z), 0.0);
    const glm::dvec3 sun = sunOf(settings.render, terrain);
    const glm::dvec3 moon = skyOver(view, settings, terrain).moon;
    return {.axes = {},
            .eye = {0, 0, double(gpu::kAirRadius) + height},
            .sun = sun,
            .sunSine = sun.z,
            .groundHeight = 0.5 * (double(heights.w) - double(heights.z)),
            .moon = moon,
            .moonSine = moon.z};
}

SkyView PlaneWorld::skyOver(const FrameView& view, const Settings& settings, const TerrainGpu& terrain) const
{
    const LocalAxes& axes = terrain.onGlobe();
    const double height = view.camera.position.z;
    return skyView(settings.render.time, axes, axes.up * (kEarthEquatorRadius + height),
                   sunOf(settings.render, terrain), height);
}

std::uint64_t PlaneWorld::begin(const FrameView& view, const Settings& settings, TerrainGpu& terrain)
{
    const glm::dvec3 sun = sunOf(settings.render, terrain);
    const glm::dvec3 light = sunRules(sun.z) ? sun : skyOver(view, settings, terrain).moon;
    terrain.setLight(glm::vec3(light), settings.render.shadows);
    return 0;
}

// Returns the leg length of the smallest triangle that the settings allow (metres).  A bisection shortens the legs by
// sqrt(2), a patch level by 2.  The halves of the square have depth 1.
float PlaneWorld::finestLeg(const Settings& settings, const TerrainGpu& terrain) const
{
    return float(terrain.squareSide() * std::exp2(-(0.5 * (settings.cbt.depth - 1) + settings.patch.level)));
}

double PlaneWorld::viewLength(const glm::dvec3&, const TerrainGpu& terrain) const { return terrain.squareSide(); }

double PlaneWorld::leastJump(const glm::dvec3&, const TerrainGpu& terrain) const
{
    return kJump * terrain.squareSide();
}

void PlaneWorld::askLeaf(LeafPick& pick, const DrawnFrame& frame, const glm::dvec3& place, std::uint64_t question) const
{
    const glm::dvec2 point = frame.view.terrain.onDrawLattice(place);
    const auto whole = [](double value) {
        return std::clamp(int(std::floor(value)), 0, TerrainGpu::kDrawLatticeSide - 1);
    };
    pick.ask(frame.tree, glm::ivec2(whole(point.x), whole(point.y)), question);
}

std::unique_ptr<TopView> PlaneWorld::makeTopView(ShaderLibrary& library) const { return topViewOfPlane(library); }

}  // namespace orogen::app
