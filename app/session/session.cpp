#include "app/session/session.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include "app/base/installation.h"
#include "app/base/output.h"
#include "app/model/format.h"
#include "app/render/lod_tree.h"
#include "app/session/capture_metadata.h"
#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/scene/scene.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/io/source_files.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr const char* kTerrains = "assets/heightmaps";
constexpr const char* kDefaultPicture = "orogen-view/view.png";  // headless default

// Returns the window title for a terrain, shortened to the last part of its path.
std::string titleOf(const std::string& terrain)
{
    const std::string name = std::filesystem::path(terrain).filename().string();
    return (name.empty() ? terrain : name) + " - Orogen";
}

TileChoices tileChoices(const Settings& settings) { return {settings.terrain.tiles, settings.terrain.tileBudget}; }

}  // namespace

Session::Session(const SessionOptions& asked)
    : options(asked), headless(asked.headless), lastPicture_(asked.screenshot),
      started_(std::chrono::steady_clock::now()),
      startedAt_(std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count())
{
}

double Session::seconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

Status Session::start()
{
    Result<std::filesystem::path> root = dataDirectory();
    if (!root) return root.error();
    root_ = *root;
    if (Status s = chooseDisplay(); !s) return s;
    if (headless && !options.capture && options.script.empty() && lastPicture_.empty()) lastPicture_ = kDefaultPicture;
    messages.printProblems(headless);
    const bool keeps = !headless && options.script.empty() && !options.capture;
    if (Status s = settings.read(options, keeps, root_, messages); !s) return s;
    files.begin(keeps, messages);
    bookmarks = files.bookmarks();
    if (!options.screenshot.empty())
        if (Status s = checkOutputFile(options.screenshot, filesRead(), Existing::kReplace); !s) return s;
    findShipped();
    if (options.scenePath) camera.path().take(*options.scenePath);
    if (const auto folder = ownFolder("paths"); keeps && folder) camera.path().keepIn(*folder);
    if (!options.cameraPath.empty())
    {
        if (Status s = camera.path().load(options.cameraPath); !s) return s;
        camera.path().play();
    }
    if (camera.path().path())
        if (Status s = checkPathWorld(*camera.path().path(), options.world()); !s) return s;
    for (const std::string& file : options.overlays)
    {
        Result<Overlay> overlay = readOverlay(file);
        if (!overlay) return overlay.error();
        tools.overlays().add(file, std::move(*overlay));
    }
    // Starts loading the terrain now, so that it loads while the shaders compile.
    if (Status s = openFirst(); !s) return s;
    if (Status s = makeGraphics(); !s) return s;
    return openOptionsSplit();
}

Status Session::openFirst()
{
    layersAsked_ = options.sceneImagery;
    for (const std::string& name : options.imagery)
        layersAsked_.push_back({.name = name});
    if (options.world() == World::kEarth)
    {
        const EarthToLoad earth = earthWith(options.insets, options.overrides);
        insetsAsked_ = earth.insets;
        return terrain.openEarth(earth, tileChoices(settings.wanted()), imageryWith(layersAsked_, World::kEarth));
    }
    const std::string dem = options.dem.empty() ? (root_ / kShippedTerrain).string() : options.dem;
    return terrain.open(dem, options.overrides, tileChoices(settings.wanted()),
                        imageryWith(layersAsked_, World::kPlane));
}

ImageryToLoad Session::imageryWith(std::vector<PictureLayer> layers, World world) const
{
    return {.shippedFolder = world == World::kEarth ? (root_ / kShippedImagery).string() : std::string(),
            .layers = std::move(layers),
            .opened = terrain.pictures(),
            .budgetMegabytes = settings.wanted().imagery.tileBudget,
            .view = std::nullopt};
}

EarthToLoad Session::earthWith(std::vector<std::string> insets, const SourceOverrides& overrides)
{
    EarthToLoad earth{.relief = (root_ / kShippedRelief).string(), .base = nullptr, .insets = {}, .replaced = {}};
    const HeightDatum heights = heightsAsked_ = settings.wanted().earth.heights;
    if (!options.relief.empty()) earth.replaced = InsetRequest{options.relief, {}, heights};
    for (std::string& inset : insets)
        earth.insets.push_back({std::move(inset), overrides, heights});
    return earth;
}

Status Session::makeGraphics()
{
    if (Status s = graphics.create(files.shaped(options), headless, root_, settings, messages); !s) return s;
    graphics.renderer().options().history = &history;
    files.restore(options, graphics);
    return Status::ok();
}

Status Session::chooseDisplay()
{
    const std::optional<std::string> reason = noWindowReason();
    if (headless || !reason) return Status::ok();
    if (options.needsWindow) return Error{ExitCode::kNoContext, "no window: " + *reason};
    headless = true;
    if (options.capture) return Status::ok();
    tell(fmt::format("no window ({}): rendering headless", *reason));
    return Status::ok();
}

void Session::findShipped()
{
    camera.path().useFolder(root_ / kCameraPaths);
    std::error_code none;
    for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(root_ / kTerrains, none))
        bundled.push_back(entry.path().string());
    bundled.insert(bundled.end(), {"synthetic:1024", "synthetic:4096"});
    findPresets();
    if (!options.capture) captures.findUnfinished(files.dataFolder());
    for (const std::string& folder : captures.unfinished())
        messages.report(MessageKind::kWarning, folder + ": a capture was cut off: the Capture panel finishes it");
}

void Session::findPresets() { presets = listPresets(root_); }

Status Session::recover()
{
    messages.report(MessageKind::kError, "the OpenGL context was lost: creating it again");
    captures.contextLost(*this);
    laboratory.contextLost();
    if (split) messages.report(MessageKind::kWarning, "the split picture is closed");
    closeSplit();
    files.keep(graphics);
    model.dropGpu();
    graphics.drop();
    if (Status s = makeGraphics(); !s) return s;
    model.showAgain();
    return terrain.showOn(graphics.renderer());
}

Status Session::takeResults()
{
    messages.update(seconds());
    compute.update(1000 * seconds());
    captures.update();
    sweeps.update(*this);
    if (Status s = takeTerrain(); !s) return s;
    if (Status s = takeSplit(); !s) return s;
    if (terrain.takeTiles(graphics.renderer(), messages)) contours.showTerrain(terrain.field(), terrain.relief());
    if (terrain.takeChangedHeights(graphics.renderer(), messages))
    {
        model.heightsReplaced();
        contours.showTerrain(terrain.field(), terrain.relief());
    }
    for (const std::optional<Result<std::string>>& saved : {filledSaving.take(), drawnMesh.take()})
        if (saved) messages.reportOutcome(*saved ? Status::ok() : Status(saved->error()), *saved ? **saved : "");
    takeImagery();
    if (terrain.earth() && !terrain.loading() && settings.wanted().earth.heights != heightsAsked_ && !steered() &&
        !sweeps.running())
        openEarthAgain(insets_);
    return Status::ok();
}

Status Session::takeTerrain()
{
    const bool first = !terrain.info();  // if the command line's terrain fails to load, its error is the exit code
    const Result<bool> opened = terrain.takeLoaded(graphics.renderer(), messages);
    if (!opened && first) return opened.error();
    if (!opened && opened.error().code != ExitCode::kInterrupted)
    {
        // A dropped file that could not be laid into the Earth can be opened as a terrain of its own.
        const bool dropped = showNewest_ && insetsAsked_.size() == insets_.size() + 1;
        const std::string name = dropped ? printable(insetsAsked_.back().name) : std::string();
        const std::string offer =
            dropped ? fmt::format(" (Open\u2026 in the bar, or orogen view {})", name) : std::string();
        messages.reportError(Error{opened.error().code, opened.error().message + offer});
    }
    if (!opened) showNewest_ = keptView_ = false;
    if (!opened || !*opened) return Status::ok();
    model.forget();
    brush.forget();
    history.clear();  // frame times of another terrain
    if (!first) closeSplit();
    settings.enter(terrain.world());
    if (!terrain.earth())
        settings.fitDepth(depthForSamples(graphics.renderer().terrain().squareSide(),
                                          std::min(terrain.raster().pixelWidth, terrain.raster().pixelHeight),
                                          largestDepth(graphics.context().limits())));
    insets_ = terrain.earth() ? insetsAsked_ : std::vector<InsetRequest>();
    if (terrain.earth())
        contours.showTerrain({}, 0);
    else
        contours.showTerrain(terrain.field(), terrain.relief());
    imagery.adopt(layersAsked_);
    pictureSteps.forget("imagery");
    for (const std::string& warning : terrain.imageryWarnings())
        messages.report(MessageKind::kWarning, warning);
    for (const std::string& warning : terrain.raster().warnings)
        messages.report(MessageKind::kWarning, warning);
    const Raster& raster = terrain.raster();
    files.opened(raster.name,
                 !terrain.earth() && !raster.synthetic && std::ranges::find(bundled, raster.name) == bundled.end());
    showTitle();
    if (terrain.earth()) settings.view().mode = ViewMode::kFly;  // the Earth has no map mode
    if (first && options.goTo) return goTo(*options.goTo);
    if (first && !options.goToName.empty()) return goToName(options.goToName);
    if (first && settings.viewGiven()) return Status::ok();
    if (std::exchange(showNewest_, false) || (first && !insets_.empty()))
        showInset(insets_.size() - 1);
    else if (!keptView_)
    {
        const ViewSurroundings around = flownSurroundings();
        settings.view() = camera.over(around).home(settings.view(), around);
    }
    keptView_ = false;
    return Status::ok();
}

Status Session::goTo(const Geodetic& place)
{
    const Error nowhere{ExitCode::kInput,
                        fmt::format("{}: found no georeference, expected one to go to a latitude and longitude",
                                    terrain.info() ? terrain.info()->name : "no terrain")};
    if (!terrain.info()) return nowhere;
    const Settings::View& view = settings.wanted().view;
    Camera there = orogen::goTo(place, view.fov);
    if (!terrain.earth())
    {
        const std::optional<TerrainGeography::Metres> at =
            terrain.geography() ? terrain.geography()->metres({place.latitude, place.longitude}) : std::nullopt;
        if (!at) return nowhere;
        there.position = {at->east, at->north, place.height};
    }
    if (view.mode == ViewMode::kMap) there.pitch = -90;
    camera.goTo(there, flownSurroundings(), settings);
    return Status::ok();
}

// Shows what a flying camera looks at, in the mode of the view.
void Session::show(const Camera& flying)
{
    const ViewSurroundings around = flownSurroundings();
    Settings::View& view = settings.view();
    const ViewMode mode = std::exchange(view.mode, ViewMode::kFly);
    storeCamera(keptAbove(flying, around), view);
    view = camera.over(around).switched(view, mode, around);
}

Status Session::showExtent(double west, double south, double east, double north)
{
    const ViewSurroundings around = surroundings();
    const double fov = settings.wanted().view.fov;
    if (terrain.earth())
    {
        show(viewOfExtent(wrappedLongitude(west), std::max(south, -90.0), wrappedLongitude(east), std::min(north, 90.0),
                          around, fov));
        return Status::ok();
    }
    const LatLong middle{0.5 * (south + north), wrappedLongitude(0.5 * (west + east))};
    const auto at = terrain.geography() ? terrain.geography()->metres(middle) : std::nullopt;
    if (!at)
        return Error{ExitCode::kInput, fmt::format("{}: found no georeference, expected one to go to a place",
                                                   printable(terrain.raster().name))};
    const glm::dvec2 half = 0.5 * around.terrain.size;
    if (std::abs(at->east) > half.x || std::abs(at->north) > half.y)
        return Error{ExitCode::kInput, fmt::format("{}: {} lies outside", printable(terrain.raster().name),
                                                   orogen::placeText(middle.latitude, middle.longitude, 3))};
    const double side = 111'320 * std::max(north - south, (east - west) * std::cos(middle.latitude / kDegreesARadian));
    const double distance = std::clamp(1.2 * side, 100.0, 1.4 * glm::length(half)), down = 30;
    Camera there{.position = {}, .yaw = 0, .pitch = -down, .fov = fov};
    there.position = glm::dvec3(at->east, at->north, around.ground(at->east, at->north)) - forward(there) * distance;
    show(there);
    return Status::ok();
}

Status Session::setBookmark(int number)
{
    if (!terrain.earth())
        return Error{ExitCode::kInput, "a bookmark is a place of the Earth: expected the Earth to be shown"};
    bookmarks[std::size_t(number - 1)] = cameraOf(settings.wanted().view);
    files.keepBookmarks(bookmarks);
    return Status::ok();
}

Status Session::goToBookmark(int number)
{
    const std::optional<Camera>& kept = bookmarks[std::size_t(number - 1)];
    if (!terrain.earth())
        return Error{ExitCode::kInput, "a bookmark is a place of the Earth: expected the Earth to be shown"};
    if (!kept)
        return Error{ExitCode::kInput, fmt::format("bookmark {}: found none, expected one that was kept", number)};
    show(*kept);
    return Status::ok();
}

void Session::showInset(std::size_t number)
{
    if (number >= terrain.insets().size()) return;
    const EarthExtent& extent = terrain.insets()[number].extent;
    show(
        viewOfExtent(extent.west, extent.south, extent.east, extent.north, surroundings(), settings.wanted().view.fov));
}

void Session::takeImagery()
{
    if (!terrain.info() || terrain.loading()) return;
    ImageryToLoad how = imageryWith({}, terrain.world());
    if (imagery.pending()) how.view = graphics.renderer().tiles().imageryView(cameraOf(settings.wanted().view));
    const Result<std::vector<std::string>> taken = imagery.take(terrain, graphics.renderer(), std::move(how));
    if (!taken) return messages.reportError(taken.error());
    for (const std::string& warning : *taken)
        messages.report(MessageKind::kWarning, warning);
}

bool Session::changeImagery(std::vector<PictureLayer> layers)
{
    const bool busy = captures.running() || sweeps.running();
    if (busy || !terrain.info())
    {
        messages.report(MessageKind::kWarning, busy ? "a capture is running: the imagery stays as it is"
                                                    : "no terrain is open to lay a picture over");
        return false;
    }
    if (layers == imagery.layers()) return true;
    pictureSteps.did({.what = "imagery",
                      .undo = [this, before = imagery.layers()] { imagery.change(before); },
                      .redo = [this, layers] { imagery.change(layers); },
                      .settingSteps = settings.history().steps()});
    imagery.change(std::move(layers));
    return true;
}

void Session::addImagery(const std::vector<std::string>& names)
{
    std::vector<PictureLayer> layers = imagery.layers();
    for (const std::string& name : names)
    {
        std::erase_if(layers, [&](const PictureLayer& layer) { return layer.name == name; });  // it goes to the top
        layers.push_back({.name = name});
        files.opened(name, name.find("://") == std::string::npos);
    }
    if (!changeImagery(std::move(layers))) return;
    Settings wanted = settings.wanted();
    if (wanted.render.shading == Shading::kLit) return;
    wanted.render.shading = Shading::kLit;  // the others hide imagery
    settings.edit(wanted, seconds());
}

void Session::showRamp(const std::string& file)
{
    const Result<ColourRamp> ramp = readRamp(file);
    if (!ramp) return messages.reportError(ramp.error());
    Settings wanted = settings.wanted();
    std::error_code failed;
    const std::filesystem::path path = std::filesystem::absolute(file, failed);
    wanted.render.ramp = failed ? file : path.lexically_normal().string();
    wanted.render.shading = Shading::kHypsometric;
    settings.edit(wanted, seconds());
}

void Session::recordFrame(const CpuTimes& times)
{
    stats.frame = frame;
    stats.cpu = times;
    takeStats();
    history.push(stats);
}

void Session::takeStats()
{
    FrameRecord newest = graphics.renderer().stats();
    newest.frame = stats.frame;
    newest.cpu = stats.cpu;
    newest.modules = compute.runningMask() | (terrain.voids().running() ? kVoidFillingBit : 0) |
                     (model.working() ? kTerrainModelBit : 0);
    stats = std::move(newest);
}

void Session::keepUp()
{
    messages.update(seconds());
    graphics.context().debug().poll();
    settings.update(seconds(), messages);
    if (TileCache* tiles = terrain.cache())
        for (const std::string& message : tiles->takeMessages())
            messages.report(MessageKind::kWarning, message);
    if (TileCache* tiles = terrain.imageryCache())
        for (const std::string& message : tiles->takeMessages())
            messages.report(MessageKind::kWarning, message);
    files.update(seconds(), graphics, messages);
}

bool Session::working() const
{
    return terrain.loading() || imagery.pending() || compute.running() || terrain.voids().running() ||
           captures.comparing() || filledSaving.running() || drawnMesh.running() || model.pending(*this) > 0;
}

Status Session::finish()
{
    settings.flush();
    files.flush(graphics);
    const Result<std::string> kept = camera.path().keepUnsaved();
    if (!kept)
        tell("the recorded camera path is lost: " + kept.error().message);
    else if (!kept->empty())
        tell("the recorded camera path is kept as " + *kept);
    if (lastPicture_.empty() || !terrain.info()) return Status::ok();
    const std::filesystem::path path(lastPicture_);
    if (path.has_parent_path() && options.screenshot.empty())
    {
        std::error_code failed;
        std::filesystem::create_directories(path.parent_path(), failed);
        if (failed)
            return Error{ExitCode::kOutput,
                         fmt::format("{}: cannot be made: {}", path.parent_path().string(), failed.message())};
    }
    if (Status s = writePicture(lastPicture_); !s) return s;
    graphics.awaitAnswers();
    takeStats();
    const PixelSize size = graphics.size();
    const std::string left = pending().text();
    print(fmt::format("{} ({}x{}, {} triangles{})\n", printable(lastPicture_), size.width, size.height,
                      grouped(stats.work.triangles), left.empty() ? "" : ", not settled: " + left));
    return Status::ok();
}

std::vector<std::string> Session::filesRead() const
{
    std::vector<std::string> read = {options.settingsFile, options.script, options.cameraPath, options.sceneFile,
                                     settings.wanted().render.ramp};
    read.insert(read.end(), options.imagery.begin(), options.imagery.end());
    for (const PictureLayer& layer : imagery.layers())
        read.push_back(layer.name);
    for (std::string& file : tools.overlays().files())
        read.push_back(std::move(file));
    std::vector<std::string> dems = {options.dem, options.relief, terrain.raster().name};
    for (const InsetRequest& inset : insets_)
        dems.push_back(inset.name);
    for (const std::string& dem : dems)
        for (std::string& file : sourceFiles(dem))
            read.push_back(std::move(file));
    return read;
}

Status Session::writePicture(const std::string& file) const
{
    if (Status s = checkOutputFile(file, filesRead(), Existing::kReplace); !s) return s;
    return graphics.writePicture(file);
}

// Returns whether the terrain may change now; reports a warning if not.
bool Session::changesTerrain()
{
    if (!steered() && !sweeps.running()) return true;
    messages.report(MessageKind::kWarning, "a capture or a film is running: the terrain stays as it is");
    return false;
}

// Shows a file of colours, or of tracks and points, unless a capture runs.  Returns whether it is one.
bool Session::showOverGround(const std::string& file)
{
    const bool ramp = isRampName(file);
    if (!ramp && !isOverlayName(file)) return false;
    if (changesTerrain()) ramp ? showRamp(file) : tools.overlays().open(file, *this);
    return true;
}

void Session::open(const std::string& dem, const SourceOverrides& overrides, std::vector<std::string> insets)
{
    if (showOverGround(dem) || !changesTerrain()) return;
    if (dem != kEarthName && !overrides.any() && isPicture(dem)) return addImagery({dem});
    showNewest_ = keptView_ = false;
    if (isScene(dem))
        messages.report(MessageKind::kWarning, dem + ": a scene, which opens with the program: orogen view " + dem);
    else if (dem == kEarthName)
    {
        const EarthToLoad earth = earthWith(std::move(insets), overrides);
        insetsAsked_ = earth.insets;
        layersAsked_.clear();
        messages.reportError(terrain.openEarth(earth, tileChoices(settings.wanted()), imageryWith({}, World::kEarth)));
    }
    else
    {
        // A terrain that is opened again with other values of its file keeps its pictures.
        layersAsked_ = dem == terrain.raster().name ? imagery.layers() : std::vector<PictureLayer>();
        messages.reportError(
            terrain.open(dem, overrides, tileChoices(settings.wanted()), imageryWith(layersAsked_, World::kPlane)));
    }
}

void Session::drop(const std::vector<std::string>& paths)
{
    std::vector<std::string> pictures, dropped;
    for (const std::string& file : paths)
        if (!showOverGround(file)) (isPicture(file) ? pictures : dropped).push_back(file);
    if (!pictures.empty()) addImagery(pictures);
    if (dropped.empty()) return;
    if (!terrain.earth()) return open(dropped.front());
    if (!changesTerrain()) return;
    EarthToLoad more = earthWith(dropped, {});
    insetsAsked_ = insets_;
    insetsAsked_.insert(insetsAsked_.end(), more.insets.begin(), more.insets.end());
    showNewest_ = true;
    more.base = terrain.sharedEarth();
    layersAsked_ = imagery.layers();
    messages.reportError(
        terrain.openEarth(more, tileChoices(settings.wanted()), imageryWith(layersAsked_, World::kEarth)));
}

void Session::removeInset(std::size_t number)
{
    if (!changesTerrain() || number >= insets_.size()) return;
    std::vector<InsetRequest> others = insets_;
    others.erase(others.begin() + std::ptrdiff_t(number));
    openEarthAgain(std::move(others));
}

// Opens the Earth with these insets; the camera and the imagery stay.
void Session::openEarthAgain(std::vector<InsetRequest> insets)
{
    showNewest_ = false;
    keptView_ = true;
    EarthToLoad earth = earthWith({}, {});
    for (InsetRequest& inset : insets)
        inset.heights = heightsAsked_;
    earth.insets = insetsAsked_ = std::move(insets);
    layersAsked_ = imagery.layers();
    messages.reportError(
        terrain.openEarth(earth, tileChoices(settings.wanted()), imageryWith(layersAsked_, World::kEarth)));
}

void Session::showTitle(const std::string& doing)
{
    Window* window = graphics.window();
    if (window && terrain.info())
        window->setTitle((doing.empty() ? "" : doing + " - ") + titleOf(terrain.info()->name));
}

ViewSurroundings Session::surroundings() const
{
    const PixelSize size = graphics.pointerSize();
    ViewSurroundings around = terrain.surroundings(settings.wanted(), {size.width, size.height});
    const PixelSize display = graphics.size();
    const PanelRect& centre = graphics.ui().centre();
    if (!headless && centre.width() > 0 && centre.height() > 0)
    {
        const glm::dvec2 whole(display.width, display.height);
        around.freeLow = glm::dvec2(centre.min.x, centre.min.y) / whole;
        around.freeHigh = glm::dvec2(centre.max.x, centre.max.y) / whole;
    }
    return around;
}

Pending Session::pending() const
{
    const PixelSize size = graphics.size();
    const Settings& wanted = settings.wanted();
    Pending left = graphics.renderer().progress().pending(cameraOf(wanted.view), size.width, size.height);
    Settings held = graphics.renderer().settings();
    held.view = wanted.view;  // the capture sets the camera of each frame separately
    if (terrain.info() && !(held == wanted)) left.frames = 1;
    left.model = model.pending(*this);
    if (!split) return left;
    const Pending other = split->pending(*this);
    left.frames += other.frames;
    left.tiles += other.tiles;
    left.fades += other.fades;
    left.changes += other.changes;
    left.lightRows += other.lightRows;
    return left;
}

std::string Session::unsettled() const
{
    const std::pair<bool, const char*> jobs[] = {{terrain.loading() != nullptr, "a terrain that is being loaded"},
                                                 {imagery.pending(), "imagery that is being loaded"},
                                                 {compute.running(), "a run"},
                                                 {terrain.voids().running(), "voids that are being filled"},
                                                 {filledSaving.running(), "a raster that is being saved"},
                                                 {drawnMesh.running(), "a mesh that is being written"},
                                                 {laboratory.running(), "an experiment"}};
    std::string text = pending().text();
    for (const auto& [runs, name] : jobs)
        if (runs) text += (text.empty() ? "" : ", ") + std::string(name);
    if (cameraRises()) text += text.empty() ? "the camera's height" : ", the camera's height";
    return text;
}

// Returns whether ground that arrived since the last frame lies above a camera at rest: the next frame lifts it.
bool Session::cameraRises() const
{
    if (!terrain.info() || steered() || camera.path().playing()) return false;
    const Camera eye = cameraOf(settings.wanted().view);
    return !(camera.overGround(eye, flownSurroundings()) == eye);
}

}  // namespace orogen::app
