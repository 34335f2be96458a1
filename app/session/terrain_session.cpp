#include "app/session/terrain_session.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "app/render/renderer.h"

namespace orogen::app {

Status TerrainSession::open(const std::string& dem, const SourceOverrides& overrides)
{
    cancelOpening();
    Result<std::unique_ptr<TerrainLoading>> loading = startLoading(dem, overrides);
    if (!loading) return loading.error();
    loading_ = std::move(*loading);
    return Status::ok();
}

Result<bool> TerrainSession::takeLoaded(Renderer& renderer)
{
    if (!loading_ || loading_->running()) return false;
    const std::unique_ptr<TerrainLoading> loading = std::move(loading_);
    Result<LoadedTerrain> loaded = loading->take();
    if (!loaded) return loaded.error();
    if (Status s = renderer.setTerrain(loaded->raster, loaded->field, std::move(loaded->bounds)); !s) return s.error();
    voids_.forget();
    overrides_ = loaded->overrides;
    info_ = describe(loaded->raster);
    if (!loaded->raster.synthetic) info_->name = std::filesystem::path(info_->name).filename().string();
    field_ = std::move(loaded->field);
    raster_ = std::move(loaded->raster);
    raster_.heights = {};  // the field has them, in half the memory
    ++opened_;
    ++heights_;
    return true;
}

bool TerrainSession::takeChangedHeights(Renderer& renderer, Messages& messages)
{
    std::optional<Result<ChangedHeights>> taken = voids_.take();
    if (!taken) return false;
    if (!*taken && taken->error().code == ExitCode::kInterrupted) return false;
    if (!*taken) return messages.reportError(taken->error()), false;
    ChangedHeights& changed = **taken;
    if (const Status s = renderer.changeHeights(raster_, changed.field, std::move(changed.bounds)); !s)
        return messages.reportError(s), false;
    voids_.shown(changed);
    raster_.voids = info_->voids = changed.voids;
    ++heights_;
    field_ = std::move(changed.field);
    if (changed.filled > 0)
        messages.report(MessageKind::kNote,
                        fmt::format("{} voids filled: {} iterations, residual {:.2g}, {:.0f} ms", changed.filled,
                                    changed.iterations, changed.relativeResidual, changed.solveMs));
    else
        messages.report(MessageKind::kNote, fmt::format("{} voids again", changed.voids));
    return true;
}

Status TerrainSession::showOn(Renderer& renderer) const
{
    if (!info_) return Status::ok();
    Result<TerrainBounds> bounds = buildBounds(field_);
    if (!bounds) return bounds.error();
    return renderer.setTerrain(raster_, field_, std::move(*bounds));
}

double TerrainSession::groundAt(double east, double north, double heightScale) const
{
    return heightAt(field_, east, north) * heightScale;
}

ViewSurroundings TerrainSession::surroundings(double heightScale, glm::dvec2 viewport) const
{
    ViewSurroundings around;
    around.ground = [this, heightScale](double east, double north) { return groundAt(east, north, heightScale); };
    around.terrain = {
        {raster_.east(), raster_.north()}, raster_.minHeight * heightScale, raster_.maxHeight * heightScale};
    around.viewport = {std::max(viewport.x, 1.0), std::max(viewport.y, 1.0)};
    return around;
}

}  // namespace orogen::app
