#include "app/render/world.h"

#include <algorithm>

namespace orogen::app {

namespace {

constexpr double kFramesPerSecond = 30;  // assumed when estimating the camera's velocity

}  // namespace

RenderWorld::RenderWorld(const std::filesystem::path& dataRoot, ShaderDialect dialect, const ContextInfo& info,
                         World kind, TreeFactory& tree, const std::vector<ShaderDefine>& choice)
    : library_(dataRoot, dialect), picture_(dataRoot, dialect, kind, info.shadesByCompute)
{
    library_.choose(choice);
    makeTree_ = tree(library_, info);
    picture_.choose(choice);
}

Status RenderWorld::choose(const std::vector<ShaderDefine>& choice)
{
    library_.choose(choice);
    picture_.choose(choice);
    return library_.finish();
}

void RenderWorld::compileAhead(const Settings& settings)
{
    const std::vector<ShaderDefine> likely = choice(HeightChoice(), settings.detailShown());
    library_.choose(likely);
    picture_.choose(likely);
    library_.begin();
    picture_.compileAhead(settings);
}

ReloadReport RenderWorld::reloadShaders()
{
    ReloadReport report = library_.reload();
    const ReloadReport picture = picture_.reloadShaders();
    report.replaced += picture.replaced;
    report.failed += picture.failed;
    report.log += picture.log;
    return report;
}

Result<std::unique_ptr<Triangulation>> RenderWorld::makeTree(const Limits& limits, const Settings& settings) const
{
    return makeTree_(limits, depth(settings), settings.cbt.leafCapacity);
}

// Estimates the camera's velocity with an assumed frame rate, since the requested tiles must not depend on time.
TileView RenderWorld::tileView(const FrameView& view, const std::optional<glm::dvec3>& before, float heightScale) const
{
    const Projection projection = project(view.camera, view.width, view.height, FrameView::kNearPlane, view.seen);
    const glm::dvec3& position = view.camera.position;
    const LocalAxes axes = axesAt(position);
    TileView tiles;
    tiles.position = position;
    if (before) tiles.velocity = (position - *before) * kFramesPerSecond;
    // Tile requests need planes along earth-fixed axes (on a plane: the plane's axes), relative to the camera.
    std::ranges::transform(projection.planes, tiles.planes.begin(), [&](const glm::vec4& plane) {
        return glm::vec4(glm::vec3(axes.toEarthFixed(glm::dvec3(plane))), plane.w);
    });
    tiles.pixelsPerRadian = double(projection.pixelsPerRadian);
    tiles.heightScale = double(heightScale);
    return tiles;
}

}  // namespace orogen::app
