#include "app/session/session.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "app/base/output.h"
#include "app/model/format.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/terrain/io/source_files.h"
#include "core/view/earth_view.h"

namespace orogen::app {
namespace {

constexpr const char* kTerrains = "assets/heightmaps";
constexpr const char* kDefaultPicture = "orogen-view/view.png";  // default for a headless session's last picture

// Returns the window title for a terrain, shortened to the last part of its path.
std::string titleOf(const std::string& terrain)
{
    const std::string name = std::filesystem::path(terrain).filename().string();
    return (name.empty() ? terrain : name) + " - Orogen";
}

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
    places.restoreBookmarks(files.bookmarks());
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
    if (Status s = requests.openFirst(); !s) return s;
    if (Status s = makeGraphics(); !s) return s;
    return openOptionsSplit();
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
    if (!options.capture) noWindow = *reason;
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
    pictured = false;
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
    if (Status s = requests.takeTerrain(); !s) return s;
    if (Status s = takeSplit(); !s) return s;
    if (terrain.takeTiles(graphics.renderer(), messages)) contours.showTerrain(terrain.field(), terrain.relief());
    if (terrain.takeChangedHeights(graphics.renderer(), messages))
    {
        model.heightsReplaced();
        contours.showTerrain(terrain.field(), terrain.relief());
    }
    for (const std::optional<Result<std::string>>& saved : {filledSaving.take(), drawnMesh.take()})
        if (saved) messages.reportOutcome(*saved ? Status::ok() : Status(saved->error()), *saved ? **saved : "");
    requests.takeImagery();
    requests.followHeights();
    return Status::ok();
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
    const std::string left = unsettled();
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
    for (const InsetRequest& inset : requests.insets())
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
    held.view = wanted.view;  // progress().pending() has compared the camera
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

// Returns whether the next frame will move a camera at rest because ground has loaded since the last frame.
bool Session::cameraRises() const
{
    if (!terrain.info() || steered() || camera.path().playing()) return false;
    const Camera eye = cameraOf(settings.wanted().view);
    return !(camera.overGround(eye, flownSurroundings()) == eye);
}

// Session: imagery, colours by height and contour lines over the ground, and how they follow the view.

CoverState Session::coverState() const
{
    CoverState state;
    for (const PictureLayer& layer : imagery.layers())
    {
        const auto known = terrain.pictures().find(layer.name);
        state.layers.push_back(
            {layer, known != terrain.pictures().end() && known->second ? known->second->credit() : std::string()});
    }
    state.base = terrain.imageryBase();
    if (terrain.imagery() && settings.wanted().imageryShown()) state.credit = terrain.imagery()->credit();
    state.imageryOnItsWay = imagery.fraction();
    if (!terrain.info()) return state;
    state.ramp = graphics.renderer().world().picture().cover().ramp();
    state.viewHeights = graphics.renderer().options().viewHeights;
    if (!settings.wanted().render.contours) return state;
    state.contourInterval = graphics.renderer().options().contourInterval;
    state.labels = contourLabels_;
    return state;
}

// Returns whether this session shows panels, which draw the labels of contour lines.
bool Session::labelsContours() const
{
    const bool shown = !captures.capture() || captures.capture()->request().panels;
    return shown && (!headless || !options.script.empty());
}

void Session::updateContours()
{
    if (!terrain.info()) return;
    const Settings& wanted = settings.wanted();
    if (!wanted.render.contours) contourLabels_.clear();
    const PixelSize size = graphics.size();
    const bool flown = !headless || captures.running();  // false: colours adapt to the heights in view at once
    const ViewSurroundings around = surroundings();
    const bool changed = groundInView_.update(wanted, terrain, around, size, graphics.renderer(), contours, flown);
    if (!wanted.render.contours || !labelsContours() || !(changed || contourLabels_.empty())) return;
    contourLabels_ = contours.labels(wanted, contourGround(terrain, around, size, wanted.terrain.heightScale),
                                     graphics.renderer().options().contourInterval, {size.width, size.height});
}

// The split picture of a session: its other side, from the command line or from panels.

// Opens the split picture of --compare.
Status Session::openOptionsSplit()
{
    if (!options.other) return Status::ok();
    const SessionOptions& other = *options.other;
    SessionSettings others;
    if (Status s = others.read(other, false, root_, messages); !s) return s;
    if (Status s = others.choosePresetForDevice(graphics.context().info().software, messages); !s) return s;
    SplitSource source{.dem = other.dem.empty() ? (root_ / kShippedTerrain).string() : other.dem,
                       .overrides = other.overrides,
                       .insets = other.insets,
                       .layers = other.sceneImagery,
                       .shared = other.dem == options.dem && other.overrides == options.overrides &&
                                 other.insets == options.insets};
    for (const std::string& name : other.imagery)
        source.layers.push_back({.name = name});
    if (Status s = openSplit(source, options.sides, std::move(others)); !s) return s;
    split->view() = options.split;
    return Status::ok();
}

Status Session::openSplit(const Settings& left)
{
    if (!terrain.info() || terrain.loading()) return Error{ExitCode::kUsage, "a terrain is being loaded"};
    if (steered()) return Error{ExitCode::kUsage, "a capture or a film is running"};
    SessionSettings others;
    others.want(left);
    SplitSource source{.dem = terrain.raster().name,
                       .overrides = terrain.overrides(),
                       .insets = {},
                       .layers = imagery.layers(),
                       .shared = true};
    for (const InsetRequest& inset : requests.insets())
        source.insets.push_back(inset.name);
    return openSplit(source, {"A, held", "B, now"}, std::move(others));
}

Status Session::openSplit(const SplitSource& source, SplitNames names, SessionSettings others)
{
    closeSplit();
    const Settings left = others.wanted();
    Result<std::unique_ptr<SplitPicture>> made = SplitPicture::create(*this, std::move(names), std::move(others));
    if (!made) return made.error();
    const bool earth = source.dem == kEarthName;
    const TileChoices choices{left.terrain.tiles, left.terrain.tileBudget};
    const std::string shipped = (root_ / kShippedImagery).string();
    const ImageryToLoad pictures{.shippedFolder = earth ? shipped : std::string(),
                                 .aroundFolder = earth ? std::string() : shipped,
                                 .layers = source.layers,
                                 .opened = terrain.pictures(),
                                 .budgetMegabytes = left.imagery.tileBudget,
                                 .view = std::nullopt};
    Status opens = Status::ok();
    const Settings& right = settings.wanted();
    if (source.shared && left.terrain.tiles == right.terrain.tiles && left.earth.heights == right.earth.heights)
        (*made)->share(choices, pictures);
    else if (!earth)
        opens = (*made)->terrain().open(source.dem, source.overrides, choices, pictures);
    else
    {
        EarthToLoad wanted{.relief = (root_ / kShippedRelief).string(), .base = nullptr, .insets = {}, .replaced = {}};
        if (!options.relief.empty())
            wanted.replaced = InsetRequest{options.relief, options.overrides, left.earth.heights};
        for (const std::string& inset : source.insets)
            wanted.insets.push_back({inset, source.overrides, left.earth.heights});
        opens = (*made)->terrain().openEarth(wanted, choices, pictures);
    }
    if (!opens) return opens;
    split = std::move(*made);
    return Status::ok();
}

void Session::closeSplit()
{
    terrain.lead(std::nullopt);
    split.reset();
    graphics.showComposed(std::nullopt);
}

ViewSurroundings Session::flownSurroundings() const
{
    const ViewSurroundings around = surroundings();
    if (!split || !split->shown()) return around;
    // A flight keeps the result and may outlive the split picture, so the result checks that the picture is still open.
    return higherOf(around, split->surroundings(),
                    [this, side = split.get()] { return split.get() == side && side->shown(); });
}

PathControl::Ground Session::flownGround() const
{
    PathControl::Ground ground{terrain.opened(), double(settings.wanted().terrain.heightScale)};
    if (split && split->shown()) ground.besideScale = double(split->settings().terrain.heightScale);
    return ground;
}

// Takes the terrain of the other side, and lifts the camera above it.  An error closes the split picture.  Returns the
// error if --compare asked for the split picture, and the session is headless or has drawn no frame yet.  Otherwise
// reports the error as a message.
Status Session::takeSplit()
{
    if (!split) return Status::ok();
    const bool shown = split->shown();
    const Status taken = split->takeTerrain(*this);
    if (taken && !shown && split->shown() && terrain.info() && !(options.other && settings.viewGiven("view.position")))
    {
        const ViewSurroundings around = flownSurroundings();
        storeCamera(camera.over(around).lifted(cameraOf(settings.wanted().view), around), settings.view());
    }
    if (taken) return taken;
    closeSplit();
    if (options.other && (headless || frame == 0)) return taken;
    messages.reportError(taken);
    return Status::ok();
}

}  // namespace orogen::app
