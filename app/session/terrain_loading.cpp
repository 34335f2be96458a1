#include "app/session/terrain_loading.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/render/renderer.h"
#include "app/session/session.h"
#include "compute/voids/void_filling.h"
#include "core/base/text.h"
#include "core/scene/scene.h"
#include "core/terrain/io/load_raster.h"
#include "core/terrain/io/source_files.h"
#include "core/terrain/sources/open_source.h"
#include "core/terrain/tiles/overview.h"

namespace orogen::app {
namespace {

// Shares (kReadingShare, kCodingShare) and beginnings (kTilesFrom, kImageryFrom) of steps in the progress from 0 to 1.
// They are a compromise: reading a file takes less time than the later steps, generating synthetic heights takes more.
constexpr double kReadingShare = 0.6, kCodingShare = 0.05, kTilesFrom = 0.9, kImageryFrom = 0.95;
constexpr double kOpeningShare = 0.2;  // tiled terrain: progress at which reading the overview begins

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

Status beginImagery(LoadedTerrain& loaded, const ImageryToLoad& wanted, const TaskContext& context)
{
    Result<LoadedImagery> imagery =
        loadImagery(wanted, loaded.raster, reporting(context, kImageryFrom, 1 - kImageryFrom));
    if (!imagery) return imagery.error();
    loaded.imagery = std::move(*imagery);
    return Status::ok();
}

// Samples the Earth around a terrain on a plane.  Without the shipped files, the land continues the heights of the
// terrain's border, with a warning.
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

// Opens GDAL's projection of a plane whose coordinate system is not built in, if GDAL can compute it.
void beginMap(LoadedTerrain& loaded)
{
    if (TerrainGeography::of(loaded.raster)) return;
    if (Result<InsetMap> map = InsetMap::of(loaded.raster, loaded.overrides))
        loaded.map = std::make_shared<const InsetMap>(std::move(*map));
}

// Computes the bounds of the heights.  Tiles come with bounds of their own, so an overview needs its relief alone.
TerrainBounds boundsOf(const LoadedTerrain& loaded, const TaskContext& context, double from)
{
    if (loaded.tiles) return {.heights = {}, .errors = {}, .relief = std::make_shared<const MadeRelief>(loaded.field)};
    context.progress.enter("bounding heights", from);
    return boundsWithoutErrors(loaded.field);
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
    loaded.bounds = boundsOf(loaded, context, kReadingShare + kCodingShare);
    context.progress.set(kTilesFrom);
    if (context.stop.stop_requested()) return Error{ExitCode::kInterrupted, printable(dem) + ": cancelled"};
    if (Status s = beginPictures(loaded, choices, imagery, context); !s) return s.error();
    if (!imagery.aroundFolder.empty()) beginSurroundings(loaded, imagery.aroundFolder, context);
    beginMap(loaded);
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
    if (!loaded.earth) loaded.bounds = boundsOf(loaded, context, 0);
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

namespace {

TileChoices tileChoices(const Settings& settings) { return {settings.terrain.tiles, settings.terrain.tileBudget}; }

}  // namespace

TerrainRequests::TerrainRequests(Session& session)
    : session_(session), terrain_(session.terrain), settings_(session.settings), messages_(session.messages),
      imagery_(session.imagery)
{
}

Status TerrainRequests::openFirst()
{
    const SessionOptions& options = session_.options;
    layersAsked_ = options.sceneImagery;
    for (const std::string& name : options.imagery)
        layersAsked_.push_back({.name = name});
    if (options.world() == World::kEarth)
    {
        const EarthToLoad earth = earthWith(options.insets, options.overrides);
        insetsAsked_ = earth.insets;
        return openEarth(earth);
    }
    const std::string dem = options.dem.empty() ? (session_.root() / kShippedTerrain).string() : options.dem;
    return terrain_.open(dem, options.overrides, tileChoices(settings_.wanted()),
                         imageryWith(layersAsked_, World::kPlane));
}

ImageryToLoad TerrainRequests::imageryWith(std::vector<PictureLayer> layers, World world) const
{
    const std::string earth = (session_.root() / kShippedImagery).string();
    return {.shippedFolder = world == World::kEarth ? earth : std::string(),
            .aroundFolder = world == World::kEarth ? std::string() : earth,
            .layers = std::move(layers),
            .opened = terrain_.pictures(),
            .budgetMegabytes = settings_.wanted().imagery.tileBudget,
            .view = std::nullopt};
}

EarthToLoad TerrainRequests::earthWith(std::vector<std::string> insets, const SourceOverrides& overrides)
{
    EarthToLoad earth{
        .relief = (session_.root() / kShippedRelief).string(), .base = nullptr, .insets = {}, .replaced = {}};
    const HeightDatum heights = heightsAsked_ = settings_.wanted().earth.heights;
    if (!session_.options.relief.empty())
        earth.replaced = InsetRequest{session_.options.relief, session_.options.overrides, heights};
    for (std::string& inset : insets)
        earth.insets.push_back({std::move(inset), overrides, heights});
    return earth;
}

void TerrainRequests::open(const std::string& dem, const SourceOverrides& overrides, std::vector<std::string> insets)
{
    if (showOverGround(dem) || !changesTerrain()) return;
    if (dem != kEarthName && !overrides.any() && isPicture(dem)) return addImagery({dem});
    showNewest_ = keptView_ = false;
    if (isScene(dem))
        messages_.report(MessageKind::kWarning, dem + ": a scene, which opens with the program: orogen view " + dem);
    else if (dem == kEarthName)
    {
        const EarthToLoad earth = earthWith(std::move(insets), overrides);
        insetsAsked_ = earth.insets;
        askLayers(false);
        messages_.reportError(openEarth(earth));
    }
    else
    {
        insetsAsked_ = insets_;
        // A terrain that is opened again, with other overrides of its file's metadata, keeps its pictures.
        askLayers(dem == terrain_.raster().name);
        messages_.reportError(
            terrain_.open(dem, overrides, tileChoices(settings_.wanted()), imageryWith(layersAsked_, World::kPlane)));
    }
}

void TerrainRequests::drop(const std::vector<std::string>& paths)
{
    std::vector<std::string> pictures, dropped;
    for (const std::string& file : paths)
        if (!showOverGround(file)) (isPicture(file) ? pictures : dropped).push_back(file);
    if (!pictures.empty()) addImagery(pictures);
    if (dropped.empty()) return;
    if (!terrain_.earth()) return open(dropped.front());
    if (!changesTerrain()) return;
    EarthToLoad more = earthWith(dropped, {});
    insetsAsked_.insert(insetsAsked_.end(), more.insets.begin(), more.insets.end());
    showNewest_ = true;
    const auto [shown, added] = std::ranges::mismatch(insets_, insetsAsked_);
    const bool extends = heightsAsked_ == heights_ && shown == insets_.end();
    if (extends) more.base = terrain_.sharedEarth();
    // Otherwise the open insets have other heights, or some are being removed, so all are opened again.
    for (InsetRequest& inset : insetsAsked_)
        inset.heights = heightsAsked_;
    more.insets.assign(extends ? added : insetsAsked_.begin(), insetsAsked_.end());
    askLayers(true);
    messages_.reportError(openEarth(more));
}

// Shows a file of colours by height, or of tracks and points, if changesTerrain() permits it.  Returns whether `file`
// is such a file.
bool TerrainRequests::showOverGround(const std::string& file)
{
    const bool ramp = isRampName(file);
    if (!ramp && !isOverlayName(file)) return false;
    if (changesTerrain()) ramp ? showRamp(file) : session_.tools.overlays().open(file, session_);
    return true;
}

void TerrainRequests::showRamp(const std::string& file)
{
    const Result<ColourRamp> ramp = readRamp(file);
    if (!ramp) return messages_.reportError(ramp.error());
    Settings wanted = settings_.wanted();
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::absolute(file, failed);
    wanted.render.ramp = failed ? file : path.lexically_normal().string();
    wanted.render.shading = Shading::kHypsometric;
    settings_.edit(wanted, session_.seconds());
}

// Sets the pictures of the terrain to be opened: the open terrain's, or none.
void TerrainRequests::askLayers(bool kept)
{
    keptLayers_ = kept;
    layersAsked_ = kept ? imagery_.layers() : std::vector<PictureLayer>();
}

// Returns whether the terrain may change now; reports a warning if not.
bool TerrainRequests::changesTerrain()
{
    if (!session_.steered() && !session_.sweeps.running()) return true;
    messages_.report(MessageKind::kWarning, "a capture or a film is running: the terrain stays as it is");
    return false;
}

bool TerrainRequests::changeImagery(std::vector<PictureLayer> layers)
{
    const bool busy = session_.captures.running() || session_.sweeps.running();
    if (busy || !terrain_.info())
    {
        messages_.report(MessageKind::kWarning, busy ? "a capture is running: the imagery stays as it is"
                                                     : "no terrain is open to lay a picture over");
        return false;
    }
    if (layers == imagery_.layers()) return true;
    session_.pictureSteps.did({.what = "imagery",
                               .undo = [this, before = imagery_.layers()] { imagery_.change(before); },
                               .redo = [this, layers] { imagery_.change(layers); },
                               .settingSteps = settings_.history().steps()});
    imagery_.change(std::move(layers));
    return true;
}

void TerrainRequests::addImagery(const std::vector<std::string>& names)
{
    std::vector<PictureLayer> layers = imagery_.layers();
    for (const std::string& name : names)
    {
        // A picture that is shown already moves to the top.
        std::erase_if(layers, [&](const PictureLayer& layer) { return layer.name == name; });
        layers.push_back({.name = name});
        session_.files.opened(name, name.find("://") == std::string::npos);
    }
    if (!changeImagery(std::move(layers))) return;
    Settings wanted = settings_.wanted();
    if (wanted.render.shading == Shading::kLit) return;
    wanted.render.shading = Shading::kLit;  // other shadings hide imagery
    settings_.edit(wanted, session_.seconds());
}

void TerrainRequests::removeInset(std::size_t number)
{
    if (!changesTerrain() || number >= insets_.size()) return;
    std::vector<InsetRequest> others = insetsAsked_;
    const auto gone = std::ranges::find(others, insets_[number]);
    if (gone == others.end()) return;  // it is being removed already
    others.erase(gone);
    openEarthAgain(std::move(others));
}

// Opens the Earth with these insets; the camera and the imagery stay.
void TerrainRequests::openEarthAgain(std::vector<InsetRequest> insets)
{
    showNewest_ = false;
    keptView_ = true;
    EarthToLoad earth = earthWith({}, {});
    for (InsetRequest& inset : insets)
        inset.heights = heightsAsked_;
    earth.insets = insetsAsked_ = std::move(insets);
    askLayers(true);
    messages_.reportError(openEarth(earth));
}

Status TerrainRequests::openEarth(const EarthToLoad& earth)
{
    return terrain_.openEarth(earth, tileChoices(settings_.wanted()), imageryWith(layersAsked_, World::kEarth));
}

void TerrainRequests::followHeights()
{
    if (!terrain_.earth() || terrain_.loading() || session_.steered() || session_.sweeps.running()) return;
    const HeightDatum asked = std::exchange(heightsAsked_, heights_);
    Settings wanted = settings_.wanted();
    if (wanted.earth.heights == heights_) return;
    if (wanted.earth.heights != asked) return openEarthAgain(insets_);
    wanted.earth.heights = heights_;  // loading was cancelled or failed: shows the setting of the open Earth
    settings_.correct(wanted, session_.seconds());
}

Status TerrainRequests::takeTerrain()
{
    const bool first = !terrain_.info();  // if the command line's terrain fails to load, its error is the exit code
    const Result<bool> opened = terrain_.takeLoaded(session_.graphics.renderer(), messages_);
    if (!opened && first) return opened.error();
    if (!opened && opened.error().code != ExitCode::kInterrupted)
    {
        // A dropped file that could not be laid into the Earth can be opened as a terrain of its own.
        const bool dropped = showNewest_ && insetsAsked_.size() == insets_.size() + 1;
        const std::string name = dropped ? printable(insetsAsked_.back().name) : std::string();
        const std::string offer =
            dropped ? fmt::format(" (Open\u2026 in the bar, or orogen view {})", name) : std::string();
        messages_.reportError(Error{opened.error().code, opened.error().message + offer});
    }
    if (!opened)
    {
        showNewest_ = keptView_ = false;
        insetsAsked_ = insets_;
    }
    if (!opened || !*opened) return Status::ok();
    session_.pictured = false;
    session_.model.forget();
    session_.brush.forget();
    session_.history.clear();  // drops the frame times of the previous terrain
    if (!first)
    {
        session_.closeSplit();
        settings_.holdModel();  // the opened terrain is shown as in its file
    }
    settings_.enter(terrain_.world());
    const Renderer& renderer = session_.graphics.renderer();
    if (const std::optional<int> depth = renderer.world().depthForSamples(session_.graphics.context().limits(),
                                                                          renderer.terrain(), terrain_.spacing()))
        settings_.fitDepth(*depth);
    insets_ = terrain_.earth() ? insetsAsked_ : std::vector<InsetRequest>();
    if (terrain_.earth()) heights_ = heightsAsked_;
    session_.contours.showTerrain(terrain_.field(), terrain_.relief());
    const std::vector<PictureLayer> layers = imagery_.layers();
    imagery_.adopt(layersAsked_);
    if (keptLayers_)
        imagery_.change(layers);  // they may have changed while the terrain was loading
    else
        session_.pictureSteps.forget("imagery");
    for (const std::string& warning : terrain_.imageryWarnings())
        messages_.report(MessageKind::kWarning, warning);
    for (const std::string& warning : terrain_.raster().warnings)
        messages_.report(MessageKind::kWarning, warning);
    const Raster& raster = terrain_.raster();
    session_.files.opened(raster.name, terrain_.fromFile() &&
                                           std::ranges::find(session_.bundled, raster.name) == session_.bundled.end());
    session_.showTitle();
    if (terrain_.earth()) settings_.view().mode = ViewMode::kFly;  // the Earth opens in flight
    if (first && session_.options.goTo) return session_.places.goTo(*session_.options.goTo);
    if (first && !session_.options.goToName.empty())
        return session_.tools.orientation().goToName(session_.options.goToName, session_);
    if (first && settings_.viewGiven("view.position")) return Status::ok();
    const Settings::View given = settings_.wanted().view;
    if (std::exchange(showNewest_, false) || (first && !insets_.empty()))
        session_.places.showInset(insets_.size() - 1);
    else if (!keptView_)
    {
        const ViewSurroundings around = session_.flownSurroundings();
        settings_.view() = session_.camera.over(around).home(settings_.view(), around);
    }
    const bool turns = first && given.mode == ViewMode::kFly;  // the map looks straight down, north up
    if (turns && settings_.viewGiven("view.yaw")) settings_.view().yaw = given.yaw;
    if (turns && settings_.viewGiven("view.pitch")) settings_.view().pitch = given.pitch;
    keptView_ = false;
    return Status::ok();
}

void TerrainRequests::takeImagery()
{
    if (!terrain_.info() || terrain_.loading()) return;
    ImageryToLoad how = imageryWith({}, terrain_.world());
    if (imagery_.pending())
        how.view = session_.graphics.renderer().tiles().imageryView(cameraOf(settings_.wanted().view));
    const Result<std::vector<std::string>> taken =
        imagery_.take(terrain_, session_.graphics.renderer(), std::move(how));
    if (!taken) return messages_.reportError(taken.error());
    for (const std::string& warning : *taken)
        messages_.report(MessageKind::kWarning, warning);
}

}  // namespace orogen::app
