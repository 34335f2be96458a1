#include "app/session/terrain_loading.h"

#include "core/terrain/io/load_raster.h"

namespace orogen::app {
namespace {

// Reading takes most of the time; what follows gets the rest of the bar.
constexpr double kReadingShare = 0.8, kCodingShare = 0.1;

Result<LoadedTerrain> load(const std::string& dem, const TaskContext& context)
{
    Result<Raster> raster = loadRaster(dem, [&context](double fraction, const std::string& what) {
        context.progress.enter(what, kReadingShare * fraction);
        return !context.stop.stop_requested();
    });
    if (!raster) return raster.error();
    LoadedTerrain loaded;
    loaded.raster = std::move(*raster);
    context.progress.enter("coding heights", kReadingShare);
    loaded.field = quantise(loaded.raster);
    context.progress.enter("bounding heights and errors", kReadingShare + kCodingShare);
    loaded.pyramid = buildPyramid(loaded.field);
    return loaded;
}

}  // namespace

Result<std::unique_ptr<TerrainLoading>> startLoading(const std::string& dem)
{
    return TerrainLoading::start(dem, [dem](const TaskContext& context) { return load(dem, context); });
}

}  // namespace orogen::app
