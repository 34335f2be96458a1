#include "app/session/terrain_loading.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "compute/voids/void_filling.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/sources/open_source.h"
#include "core/terrain/tiles/overview.h"

namespace orogen::app {
namespace {

// Shares (kReadingShare, kCodingShare) and beginnings (kTilesFrom, kImageryFrom) of steps in the progress from 0 to 1.
// They are a compromise: reading a file takes less time than the later steps, generating synthetic heights takes more.
constexpr double kReadingShare = 0.6, kCodingShare = 0.05, kTilesFrom = 0.9, kImageryFrom = 0.95;
constexpr double kOpeningShare = 0.2;  // tiled terrain: part of kReadingShare before its overview is read

LoadProgress reporting(const TaskContext& context, double from, double share)
{
    return [&context, from, share](double fraction, const std::string& what) {
        context.progress.enter(what, from + share * fraction);
        return !context.stop.stop_requested();
    };
}

// Loads the coarse levels of a tiled terrain, so that they are resident from the first frame on.
Status beginTiles(LoadedTerrain& loaded, const TileChoices& choices, const TaskContext& context)
{
    context.progress.enter("reading coarse tiles", kTilesFrom);
    Result<std::unique_ptr<TileCache>> cache = TileCache::create(loaded.tiles, budgetBytes(choices.budgetMegabytes));
    if (!cache) return cache.error();
    loaded.cache = std::move(*cache);
    return Status::ok();
}

// Reads the overview of a tiled terrain.
Result<Raster> overviewOf(LoadedTerrain& loaded, const TaskContext& context)
{
    Result<Raster> overview =
        readOverview(*loaded.tiles, reporting(context, kOpeningShare, kReadingShare - kOpeningShare));
    if (!overview) return overview.error();
    // The overview extends the range of heights, in case the source gives no bounds.
    loaded.raster.minHeight = std::min(loaded.raster.minHeight, overview->minHeight);
    loaded.raster.maxHeight = std::max(loaded.raster.maxHeight, overview->maxHeight);
    return overview;
}

// Loads the imagery, the last step of loading a terrain.
Status beginImagery(LoadedTerrain& loaded, const ImageryToLoad& wanted, const TaskContext& context)
{
    Result<LoadedImagery> imagery =
        loadImagery(wanted, loaded.raster, reporting(context, kImageryFrom, 1 - kImageryFrom));
    if (!imagery) return imagery.error();
    loaded.imagery = std::move(*imagery);
    return Status::ok();
}

// Samples the Earth around a plane; without the shipped files the land around it stays level, with a warning.
void beginSurroundings(LoadedTerrain& loaded, const std::string& folder, const TaskContext& context)
{
    context.progress.enter("reading the land around", kImageryFrom);
    Result<std::optional<Surroundings>> around =
        surroundingsOf(loaded.raster, folder + "/etopo5.tif", folder + "/blue_marble.tif");
    if (!around)
        loaded.imagery.warnings.push_back(around.error().message + "; the land around the terrain is drawn level");
    else if (*around)
        loaded.surroundings = std::make_shared<const Surroundings>(std::move(**around));
}

// Loads the coarse tiles, if any, and the imagery.
Status beginPictures(LoadedTerrain& loaded, const TileChoices& choices, const ImageryToLoad& imagery,
                     const TaskContext& context)
{
    if (loaded.tiles)
        if (Status s = beginTiles(loaded, choices, context); !s) return s;
    return beginImagery(loaded, imagery, context);
}

Result<LoadedTerrain> load(const std::string& dem, const SourceOverrides& overrides, const TileChoices& choices,
                           const ImageryToLoad& imagery, const TaskContext& context)
{
    Result<OpenedTerrain> opened = openTerrain(dem, overrides, choices.tiles, reporting(context, 0, kReadingShare));
    if (!opened) return opened.error();
    LoadedTerrain loaded;
    loaded.overrides = overrides;
    loaded.raster = std::move(opened->raster);
    loaded.tiles = std::move(opened->tiles);
    std::optional<Raster> overview;
    if (loaded.tiles)
    {
        Result<Raster> read = overviewOf(loaded, context);
        if (!read) return read.error();
        overview = std::move(*read);
    }
    const Raster& whole = overview ? *overview : loaded.raster;
    context.progress.enter("coding heights", kReadingShare);
    loaded.field = quantise(whole);
    Result<StillWater> water = findStillWater(whole, loaded.field.exact ? double(loaded.field.scale) : 0.0, {},
                                              [&context] { return !context.stop.stop_requested(); });
    if (!water) return water.error();
    loaded.field.water = std::move(*water);
    Result<TerrainBounds> bounds = boundsWithProgress(loaded.field, context, kReadingShare + kCodingShare);
    if (!bounds) return bounds.error();
    loaded.bounds = std::move(*bounds);
    if (Status s = beginPictures(loaded, choices, imagery, context); !s) return s.error();
    if (!imagery.aroundFolder.empty()) beginSurroundings(loaded, imagery.aroundFolder, context);
    return loaded;
}

Result<LoadedTerrain> share(TerrainToShare shared, const TileChoices& choices, const ImageryToLoad& imagery,
                            const TaskContext& context)
{
    LoadedTerrain loaded;
    loaded.raster = std::move(shared.raster);
    loaded.field = std::move(shared.field);
    loaded.overrides = std::move(shared.overrides);
    loaded.tiles = std::move(shared.tiles);
    loaded.earth = std::move(shared.earth);
    loaded.surroundings = std::move(shared.surroundings);
    if (!loaded.earth)
    {
        Result<TerrainBounds> bounds = boundsWithProgress(loaded.field, context, 0);
        if (!bounds) return bounds.error();
        loaded.bounds = std::move(*bounds);
    }
    if (Status s = beginPictures(loaded, choices, imagery, context); !s) return s.error();
    return loaded;
}

Result<LoadedTerrain> loadEarth(const EarthToLoad& wanted, const TileChoices& choices, const ImageryToLoad& imagery,
                                const TaskContext& context)
{
    const LoadProgress progress = reporting(context, 0, kReadingShare);
    Result<std::shared_ptr<EarthSource>> source =
        wanted.base ? wanted.base->with(wanted.insets, progress)
                    : EarthSource::open(wanted.relief, wanted.insets, compute::membraneOver, progress, wanted.replaced);
    if (!source) return source.error();
    if (context.stop.stop_requested()) return Error{ExitCode::kInterrupted, "the Earth: cancelled"};
    LoadedTerrain loaded;
    loaded.earth = *source;
    loaded.tiles = *source;
    loaded.raster = (*source)->raster();
    if (Status s = beginPictures(loaded, choices, imagery, context); !s) return s.error();
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

Result<std::unique_ptr<TerrainLoading>> startLoadingEarth(const EarthToLoad& wanted, const TileChoices& choices,
                                                          const ImageryToLoad& imagery)
{
    return TerrainLoading::start(kEarthName, [wanted, choices, imagery](const TaskContext& context) {
        return loadEarth(wanted, choices, imagery, context);
    });
}

Result<std::unique_ptr<TerrainLoading>> startLoading(const std::string& dem, const SourceOverrides& overrides,
                                                     const TileChoices& choices, const ImageryToLoad& imagery)
{
    return TerrainLoading::start(dem, [dem, overrides, choices, imagery](const TaskContext& context) {
        return load(dem, overrides, choices, imagery, context);
    });
}

Result<std::unique_ptr<TerrainLoading>> startSharing(TerrainToShare shared, const TileChoices& choices,
                                                     const ImageryToLoad& imagery)
{
    const std::string name = shared.raster.name;
    return TerrainLoading::start(name,
                                 [shared = std::move(shared), choices, imagery](const TaskContext& context) mutable {
                                     return share(std::move(shared), choices, imagery, context);
                                 });
}

}  // namespace orogen::app
