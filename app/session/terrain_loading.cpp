#include "app/session/terrain_loading.h"

#include "core/terrain/io/load_raster.h"

namespace orogen::app {
namespace {

// Reading a file takes less than what follows, making a landscape many times as long: a bar in between.
constexpr double kReadingShare = 0.6, kCodingShare = 0.05;

Result<LoadedTerrain> load(const std::string& dem, const SourceOverrides& overrides, const TaskContext& context)
{
    const auto progress = [&context](double fraction, const std::string& what) {
        context.progress.enter(what, kReadingShare * fraction);
        return !context.stop.stop_requested();
    };
    Result<Raster> raster = loadRaster(dem, progress, overrides);
    if (!raster) return raster.error();
    LoadedTerrain loaded;
    loaded.overrides = overrides;
    loaded.raster = std::move(*raster);
    context.progress.enter("coding heights", kReadingShare);
    loaded.field = quantise(loaded.raster);
    Result<StillWater> water = findStillWater(loaded.raster, loaded.field.exact ? double(loaded.field.scale) : 0.0, {},
                                              [&context] { return !context.stop.stop_requested(); });
    if (!water) return water.error();
    loaded.field.water = std::move(*water);
    Result<TerrainBounds> bounds = boundsWithProgress(loaded.field, context, kReadingShare + kCodingShare);
    if (!bounds) return bounds.error();
    loaded.bounds = std::move(*bounds);
    return loaded;
}

}  // namespace

Result<TerrainBounds> boundsWithProgress(const HeightField& field, const TaskContext& context, double from)
{
    context.progress.enter("measuring errors", from);
    return buildBounds(field, [&](double fraction) {
        context.progress.set(from + (1 - from) * fraction);
        return !context.stop.stop_requested();
    });
}

Result<std::unique_ptr<TerrainLoading>> startLoading(const std::string& dem, const SourceOverrides& overrides,
                                                     const TileChoices&)
{
    return TerrainLoading::start(
        dem, [dem, overrides](const TaskContext& context) { return load(dem, overrides, context); });
}

}  // namespace orogen::app
