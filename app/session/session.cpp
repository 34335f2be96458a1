#include "app/session/session.h"

#include <algorithm>

#include <fmt/format.h>

#include "app/base/output.h"
#include "app/base/paths.h"
#include "core/base/output_file.h"
#include "core/scene/scene.h"
#include "core/terrain/detail/detail.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {
namespace {

constexpr const char* kTerrains = "assets/heightmaps";
constexpr const char* kFallbackFolder = "orogen-view";  // where the picture goes when no window can be opened

// The last part of a path is enough to know a terrain by.
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
    messages.printProblems(headless);
    const bool keeps = !headless && options.script.empty() && !options.capture;
    if (Status s = settings.read(options, keeps, root_, messages); !s) return s;
    files.begin(keeps, messages);
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
    // The terrain is loaded while the shaders compile.
    const std::string dem = options.dem.empty() ? (root_ / kShippedTerrain).string() : options.dem;
    if (Status s = terrain.open(dem, options.overrides, tileChoices(settings.wanted())); !s) return s;
    return makeGraphics();
}

Status Session::makeGraphics()
{
    if (Status s = graphics.create(files.shaped(options), headless, root_, settings, messages); !s) return s;
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
    if (options.script.empty() && lastPicture_.empty()) lastPicture_ = std::string(kFallbackFolder) + "/view.png";
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
    messages.report(MessageKind::kError, "the OpenGL context was lost: made again");
    captures.contextLost(*this);
    laboratory.contextLost();
    files.keep(graphics);
    graphics.drop();
    if (Status s = makeGraphics(); !s) return s;
    image.readAgain();
    return terrain.showOn(graphics.renderer());
}

Status Session::takeResults()
{
    messages.update(seconds());
    compute.update(1000 * seconds());
    captures.update();
    sweeps.update(*this);
    if (Status s = takeTerrain(); !s) return s;
    if (terrain.takeChangedHeights(graphics.renderer(), messages))
        contours.showTerrain(terrain.field(), terrain.relief());
    if (const std::optional<Result<std::string>> saved = filledSaving.take())
        messages.reportOutcome(*saved ? Status::ok() : Status(saved->error()), *saved ? **saved : "");
    return takeImage();
}

Status Session::takeTerrain()
{
    const bool first = !terrain.info();  // what the command line named: its exit code tells
    const Result<bool> opened = terrain.takeLoaded(graphics.renderer());
    if (!opened && first) return opened.error();
    if (!opened && opened.error().code != ExitCode::kInterrupted) messages.reportError(opened.error());
    if (!opened || !*opened) return Status::ok();
    contours.showTerrain(terrain.field(), terrain.relief());
    if (first && !options.image.empty())
        image.open(options.image);
    else
        image.forget();
    for (const std::string& warning : terrain.raster().warnings)
        messages.report(MessageKind::kWarning, warning);
    const Raster& raster = terrain.raster();
    files.opened(raster.name, !raster.synthetic && std::ranges::find(bundled, raster.name) == bundled.end());
    if (Window* window = graphics.window()) window->setTitle(titleOf(terrain.info()->name));
    if (!(first && settings.viewGiven())) settings.view() = camera.home(settings.view(), surroundings());
    return Status::ok();
}

Status Session::takeImage()
{
    const bool pending = image.pending(), first = firstImage_;
    const Status taken = image.take(terrain.info() ? &terrain.raster() : nullptr, graphics.renderer(), messages);
    if (pending && !image.pending()) firstImage_ = false;
    if (taken) return Status::ok();
    if (first) return taken;
    messages.reportError(taken);
    return Status::ok();
}

CoverState Session::coverState() const
{
    CoverState state;
    state.image = image.file();
    state.imageOnItsWay = image.fraction();
    if (!terrain.info() || !settings.wanted().render.contours) return state;
    state.contourInterval = contours.interval();
    state.labels = contourLabels_;
    return state;
}

bool Session::shown() const { return terrain.info() && !(firstImage_ && image.pending()); }

void Session::updateContours()
{
    if (!terrain.info() || !settings.wanted().render.contours) return;
    const PixelSize size = graphics.size();
    graphics.renderer().showContoursEvery(
        contours.update(settings.wanted(), terrain.field(), {size.width, size.height}));
    if (!headless || !options.script.empty())
        contourLabels_ = contours.labels(settings.wanted(), terrain.field(), {size.width, size.height});
}

void Session::recordFrame(const FrameTiming& timing)
{
    timing_ = timing;
    takeStats();
    history.push(stats);
}

void Session::takeStats()
{
    stats = graphics.renderer().stats();
    stats.frame = timing_.frame;
    stats.intervalMs = timing_.intervalMs;
    stats.cpuMs = timing_.cpuMs;
    stats.panelShows = timing_.panelShows;
    stats.modules = compute.runningMask() | (terrain.voids().running() ? kVoidFillingBit : 0);
}

void Session::keepUp()
{
    messages.update(seconds());
    graphics.context().debug().poll();
    settings.update(seconds(), messages);
    if (TileCache* tiles = terrain.cache())
        for (const std::string& message : tiles->takeMessages())
            messages.report(MessageKind::kWarning, message);
    files.update(seconds(), graphics, messages);
}

bool Session::working() const
{
    return terrain.loading() || compute.running() || terrain.voids().running() || captures.comparing() ||
           filledSaving.running();
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
    if (options.screenshot.empty()) print(lastPicture_ + "\n");
    return Status::ok();
}

std::vector<std::string> Session::filesRead() const
{
    std::vector<std::string> read = {options.settingsFile, options.script, options.cameraPath, image.file(),
                                     options.sceneFile};
    for (const std::string& dem : {options.dem, terrain.raster().name})
        for (std::string& file : sourceFiles(dem))
            read.push_back(std::move(file));
    return read;
}

Status Session::writePicture(const std::string& file) const
{
    if (Status s = checkOutputFile(file, filesRead(), Existing::kReplace); !s) return s;
    return graphics.writePicture(file);
}

void Session::open(const std::string& dem, const SourceOverrides& overrides)
{
    if (captures.running() || sweeps.running())
        messages.report(MessageKind::kWarning, "a capture is running: the terrain stays as it is");
    else if (isScene(dem))
        messages.report(MessageKind::kWarning, dem + ": a scene, which opens with the program: orogen view " + dem);
    else
        messages.reportError(terrain.open(dem, overrides, tileChoices(settings.wanted())));
}

void Session::toggleFullscreen()
{
    if (Window* window = graphics.window()) window->setFullscreen(!window->fullscreen());
}

ViewSurroundings Session::surroundings() const
{
    const PixelSize size = graphics.pointerSize();
    ViewSurroundings around = terrain.surroundings(settings.wanted().terrain.heightScale,
                                                   settings.wanted().detailShown(), {size.width, size.height});
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

bool Session::settled() const
{
    const Renderer& renderer = graphics.renderer();
    const std::optional<TileStats>& tiles = renderer.stats().tiles;
    if (tiles && !tiles->settled()) return false;
    return renderer.settled() && !renderer.busy() && !terrain.loading() && !compute.running() &&
           !terrain.voids().running() && !filledSaving.running() && !laboratory.running();
}

std::optional<double> Session::syntheticBelow() const
{
    if (!terrain.info() || !settings.wanted().detailShown()) return std::nullopt;
    return detailBelow(terrain.raster().pixelWidth, terrain.raster().pixelHeight);
}

}  // namespace orogen::app
