#include "app/render/frame_uniforms.h"

#include <algorithm>

#include <glm/geometric.hpp>

#include "app/render/world.h"

namespace orogen::app {
namespace {

constexpr double kWind = 5;            // wind over the sea (metres per second)
constexpr double kFrustumShare = 0.3;  // length of a frozen camera's frustum, as a share of viewLength()
constexpr float kUnlimited = 1e30f;

// Returns the split and the merge threshold of a leaf (pixels).  The criterion `error` compares them with the leaf's
// error, the criterion `edge` with the length of its base edge: 2^patch.level edges of drawn triangles.
glm::vec2 thresholds(const Settings& settings)
{
    const Settings::Lod& lod = settings.lod;
    if (lod.criterion == LodCriterion::kError) return {lod.errorPixels, lod.errorPixels * kTightMerge};
    return glm::vec2(lod.splitPixels, lod.mergePixels) * float(1 << settings.patch.level);
}

// Returns the variance of the sea's slopes along one axis: half of the variance over both axes by Cox and Munk
// ("Measurement of the Roughness of the Sea Surface from Photographs of the Sun's Glitter", 1954).  `wind`: metres per
// second.
double waveVariance(double wind) { return 0.5 * (0.003 + 0.00512 * wind); }

}  // namespace

gpu::FrameUniforms frameUniforms(const FrameView& view, const Settings& settings, const TerrainGpu& terrain,
                                 std::uint32_t leafCapacity, float triangleBudget)
{
    const Projection projection = project(view.camera, view.width, view.height, FrameView::kNearPlane, view.seen);
    gpu::FrameUniforms u{};
    u.clipFromRelative = projection.clipFromRelative;
    u.relativeFromClip = projection.relativeFromClip;
    std::copy(projection.planes.begin(), projection.planes.end(), u.frustum);
    view.world.describe(view, settings, terrain, u);
    u.cameraCell.w = view.world.finestLeg(settings, terrain);
    u.viewport = glm::vec4(float(view.width), float(view.height), 1.0f / float(view.width), 1.0f / float(view.height));
    u.pixelsPerRadian = projection.pixelsPerRadian;
    const glm::vec2 limits = thresholds(settings);
    u.splitPixels = limits.x;
    u.mergePixels = limits.y;
    u.criterion = settings.lod.criterion == LodCriterion::kError ? gpu::kCriterionError : gpu::kCriterionEdge;
    u.patchLevel = gpu::uint(settings.patch.level);
    u.leafCapacity = leafCapacity;
    u.waveVariance = float(waveVariance(kWind));
    u.triangleBudget = triangleBudget;
    u.geomorph = settings.lod.geomorph;
    u.detailPerEdge = kUnlimited;
    const Camera& lodCamera = view.frozen ? *view.frozen : view.camera;
    u.lodFraction.w = project(lodCamera, view.width, view.height, FrameView::kNearPlane).pixelsPerRadian;
    return u;
}

FrustumCorners frozenFrustum(const FrameView& view, const TerrainGpu& terrain)
{
    const Projection then = project(*view.frozen, view.width, view.height, FrameView::kNearPlane);
    const LocalAxes axes = view.world.axesAt(view.frozen->position), now = view.world.axesAt(view.camera.position);
    const auto seen = [&](const glm::dvec3& offset) { return glm::vec3(now.toLocal(offset)); };
    const glm::vec3 eye = seen(view.frozen->position - view.camera.position);
    const double reach = kFrustumShare * view.world.viewLength(view.frozen->position, terrain);
    const glm::vec2 ndc[4] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    FrustumCorners corners = {eye};
    for (std::size_t i = 0; i < 4; ++i)
    {
        const glm::vec4 p = then.relativeFromClip * glm::vec4(ndc[i], 1.0f, 1.0f);
        corners[i + 1] = eye + seen(axes.toEarthFixed(glm::normalize(glm::dvec3(p) / double(p.w)) * reach));
    }
    return corners;
}

}  // namespace orogen::app
