#include "app/session/panel_exchange.h"

#include <cmath>
#include <numbers>
#include <utility>

#include <fmt/format.h>

#include "app/model/format.h"
#include "app/render/drawn_mesh.h"
#include "app/render/lod_tree.h"
#include "app/session/drawn_mesh_file.h"
#include "core/base/atomic_file.h"
#include "core/base/text.h"
#include "core/planet/ellipsoid.h"
#include "core/terrain/raster/georeference.h"
#include "core/view/earth_view.h"

namespace orogen::app {

namespace {

// ---- model ----

std::string extentText(const Raster& raster)
{
    const std::optional<MapExtent> extent = mapExtent(raster);
    if (!extent) return {};
    if (raster.placement->geographic) return degreesText(extent->west, extent->south, extent->east, extent->north, 4);
    return fmt::format("west {}, south {}, east {}, north {}", fixedText(extent->west, 0), fixedText(extent->south, 0),
                       fixedText(extent->east, 0), fixedText(extent->north, 0));
}

// Returns the metadata in effect for a terrain that was read from a file.
SourceState sourceState(const Raster& raster, const SourceOverrides& overrides)
{
    SourceState state;
    state.dem = raster.name;
    state.nodata = raster.nodata ? fmt::format("{:g}", *raster.nodata) : "none named";
    state.unit = raster.heightUnit ? std::string(nameOf(*raster.heightUnit)) : "not said: metre";
    state.crs = raster.crs.empty() ? "unknown" : printable(raster.crs);
    state.extent = extentText(raster);
    state.overrides = overrides;
    return state;
}

void describeCamera(const Session& session, UiModel& model)
{
    const Settings& settings = session.settings.wanted();
    const Camera camera = cameraOf(settings.view);
    const ViewSurroundings around = session.surroundings();
    const Navigator& navigator = session.camera.over(around);
    model.heightAboveGround = navigator.heightAboveGround(camera, around);
    model.speed = navigator.speed(camera, session.flownSurroundings());
    model.sun = session.graphics.renderer().sun();
}

SettingsState settingsState(const Session& session)
{
    const SettingsHistory& history = session.settings.history();
    SettingsState state{.undoes = history.undoes(), .redoes = history.redoes()};
    const std::size_t steps = history.steps();
    if (std::string what = session.pictureSteps.undoes(steps); !what.empty()) state.undoes = {std::move(what)};
    if (std::string what = session.pictureSteps.redoes(steps); !what.empty()) state.redoes = {std::move(what)};
    state.kept = session.settings.kept();
    state.firstStart = session.settings.firstStart();
    for (const Preset& preset : session.presets)
        state.presets.push_back({preset.name, !preset.shipped});
    return state;
}

// ---- actions ----

constexpr const char* kLaboratoryFolder = "orogen-laboratory";
constexpr const char* kComputeFolder = "orogen-compute";

// Starts a capture.  A relative folder from the panel is placed in the reports folder.
Status startCapture(CaptureRequest request, Session& session)
{
    const Result<std::string> folder = session.files.placeForData(request.folder);
    if (!folder) return folder.error();
    request.folder = *folder;
    request.path = pathIn(session.terrain.world(), request.path);
    return session.captures.start(std::move(request), session);
}

Status startSweep(SweepRequest request, Session& session)
{
    const Result<std::string> folder = session.files.placeForData(request.folder);
    if (!folder) return folder.error();
    request.folder = *folder;
    request.path = pathIn(session.terrain.world(), request.path);
    return session.sweeps.start(std::move(request), session);
}

Status startFilm(RecordRequest request, Session& session)
{
    const Result<std::string> place = session.files.placeForPicture(request.out);
    if (!place) return place.error();
    const Result<FilmFormat> format = filmFormatOf(*place);
    if (!format) return format.error();
    request.out = *format == FilmFormat::kPictures ? *place : freeFileName(*place);
    return session.records.start(std::move(request), session);
}

void takePicture(Session& session)
{
    const Result<std::string> place = session.files.placeForPicture(fmt::format("orogen-{}.png", session.frame));
    if (!place) return session.messages.reportError(place.error());
    const std::string name = freeFileName(*place);
    session.messages.reportOutcome(session.writePicture(name), "wrote " + name);
}

void performOnCaptures(const UiActions& actions, Session& session)
{
    CaptureController& captures = session.captures;
    if (actions.capture) session.messages.reportError(startCapture(*actions.capture, session));
    if (actions.stopCapture)
        if (const Status s = captures.stop(session); !s)
            session.messages.report(MessageKind::kError, "capture: " + s.error().message);
    if (actions.sweep) session.messages.reportError(startSweep(*actions.sweep, session));
    if (actions.stopSweep)
        if (const Status s = session.sweeps.stop(session); !s)
            session.messages.report(MessageKind::kError, "sweep: " + s.error().message);
    if (actions.compare) captures.compare(*actions.compare);
    if (!actions.recover) return;
    const Result<FinishedCapture> recovered = captures.recover(*actions.recover);
    session.messages.reportOutcome(recovered ? Status::ok() : Status(recovered.error()),
                                   "recovered " + *actions.recover);
}

void writeMeshInView(const std::string& name, Session& session)
{
    const Result<std::string> place = session.files.placeForPicture(name);
    session.messages.reportError(place ? session.drawnMesh.start(session, freeFileName(*place)) : place.error());
}

void performOnVoids(const UiActions& actions, Session& session)
{
    if (actions.cancelFill) session.terrain.cancelFilling();
    if (!actions.fillVoids && !actions.undoFill) return;
    if (session.captures.running())
        return session.messages.report(MessageKind::kWarning, "a capture is running: the terrain stays as it is");
    if (session.model.begun())
        return session.messages.report(
            MessageKind::kWarning, "the terrain model has changed the terrain: Reset in the Model panel comes first");
    session.messages.reportError(actions.fillVoids ? session.terrain.fillVoids() : session.terrain.unfillVoids());
}

void performOnImagery(const CoverActions& actions, Session& session)
{
    if (actions.changeLayers) session.requests.changeImagery(*actions.changeLayers);
    if (actions.addPicture) session.requests.addImagery({*actions.addPicture});
}

void performOnSource(const SourceActions& actions, Session& session)
{
    const std::string dem = session.terrain.raster().name;
    if (actions.reopen) session.requests.open(dem, *actions.reopen);
    if (actions.saveFilled)
        session.messages.reportError(session.filledSaving.start(dem, session.terrain.overrides(), *actions.saveFilled));
    if (actions.cancelSaving) session.filledSaving.cancel();
}

void performOnChecks(const UiActions& actions, Session& session)
{
    if (!actions.validateMesh && !actions.measureError && !actions.measureJump) return;
    if (session.captures.running())
        return session.messages.report(MessageKind::kWarning, "a capture is running: what it checks stays as it is");
    Renderer& renderer = session.graphics.renderer();
    if (actions.validateMesh) session.messages.reportError(renderer.checks().validateEachFrame(*actions.validateMesh));
    if (actions.measureError)
        session.messages.reportError(
            renderer.checks().measureErrorsEvery(*actions.measureError ? kPanelErrorPeriod : 0));
    if (actions.measureJump) session.messages.reportError(renderer.checks().measureJumps(*actions.measureJump));
}

void performOnEarth(const EarthActions& actions, Session& session)
{
    if (actions.open) session.requests.open(kEarthName);
    if (actions.layIn) session.requests.drop({*actions.layIn});
    if (actions.showInset || actions.goTo || actions.goToBookmark) session.camera.path().pause();
    if (actions.showInset) session.places.showInset(*actions.showInset);
    if (actions.dropInset) session.requests.removeInset(*actions.dropInset);
    if (actions.goTo) session.messages.reportError(session.places.goTo(*actions.goTo));
    if (actions.setBookmark)
        session.messages.reportOutcome(session.places.setBookmark(*actions.setBookmark),
                                       fmt::format("kept as bookmark {0}: {0} goes there", *actions.setBookmark));
    if (actions.goToBookmark) session.messages.reportError(session.places.goToBookmark(*actions.goToBookmark));
}

void performOnProgram(const UiActions& actions, Session& session)
{
    if (actions.cancelLoading) session.terrain.cancelOpening();
    performOnVoids(actions, session);
    performOnSource(actions.source, session);
    performOnChecks(actions, session);
    if (actions.screenshot) takePicture(session);
    if (actions.writeMesh) writeMeshInView(*actions.writeMesh, session);
    if (actions.cancelMesh) session.drawnMesh.cancel();
    session.files.perform(actions.files);
    if (actions.dismissShaderLog) session.shaderLog.clear();
    if (actions.quit) session.quit = true;
    Window* const window = session.graphics.window();
    if (actions.toggleFullscreen && window) window->setFullscreen(!window->fullscreen());
}

void performOnSplit(const SplitActions& actions, Session& session)
{
    if (actions.close) session.closeSplit();
    if (actions.open) session.messages.reportError(session.openSplit(*actions.open));
    if (actions.view && session.split) session.split->view() = *actions.view;
}

void performOnTerrainModel(const TerrainModelActions& asked, const PictureToolsActions& tools, Session& session)
{
    LiveModel& model = session.model;
    if (asked.stop) model.stop();
    if (asked.run) session.messages.reportError(model.run(*asked.run, session));
    if (asked.undoRun) session.messages.reportError(model.undoRun(session));
    if (asked.reset) session.messages.reportError(model.reset(session));
    if (asked.window) session.messages.reportError(model.chooseWindow({}, session));
    if (asked.undoStroke) session.messages.reportError(model.undoStroke(session));
    if (asked.redoStroke) session.messages.reportError(model.redoStroke(session));
    if (asked.save)
    {
        const Result<std::string> place = session.files.placeForPicture(*asked.save);
        session.messages.reportError(place ? model.save(*place, session) : Status(place.error()));
    }
    session.brush.pointAt(asked.paint ? std::optional(asked.paint->cursor) : tools.cursor);
    session.brush.perform(asked, session);
}

void performOnModules(const UiActions& actions, Session& session)
{
    if (actions.runModule) session.messages.reportError(session.compute.start(*actions.runModule));
    if (actions.sweepModule) session.messages.reportError(session.compute.start(*actions.sweepModule));
    if (actions.keepFrames) session.compute.keepFrames(*actions.keepFrames);
    if (actions.cancelModule) session.compute.cancel(*actions.cancelModule);
    if (!actions.saveModule) return;
    const Result<std::string> folder = session.files.placeForData(kComputeFolder);
    if (!folder) return session.messages.reportError(folder.error());
    const Result<std::string> saved = saveResults(session.compute, *actions.saveModule, *folder);
    session.messages.reportOutcome(saved ? Status::ok() : Status(saved.error()), saved ? *saved : "");
}

void performOnLaboratory(const UiActions& actions, Session& session)
{
    Laboratory& laboratory = session.laboratory;
    if (actions.runExperiment)
        session.messages.reportError(laboratory.start(*actions.runExperiment, session.graphics.context()));
    if (actions.cancelExperiment) laboratory.cancel();
    if (!actions.saveExperiment) return;
    const Result<std::string> folder = session.files.placeForData(kLaboratoryFolder);
    if (!folder) return session.messages.reportError(folder.error());
    const Result<std::string> saved = laboratory.save(*folder);
    session.messages.reportOutcome(saved ? Status::ok() : Status(saved.error()), saved ? *saved : "");
}

void reloadShaders(Session& session)
{
    if (session.split) (void)session.split->reloadShaders();
    const ReloadReport report = session.graphics.renderer().reloadShaders();
    session.shaderLog = report.failed > 0 ? report.log : "";
    session.messages.report(report.failed > 0 ? MessageKind::kError : MessageKind::kNote,
                            report.failed > 0 ? fmt::format("{} of {} programs keep their last good version",
                                                            report.failed, report.failed + report.replaced)
                                              : counted(std::uint64_t(report.replaced), "program") + " reloaded");
}

// Switches between flying and the map, keeping the spot that the camera looks at.
void switchMode(ViewMode to, Session& session)
{
    Settings::View& view = session.settings.view();
    if (view.mode == to || !session.terrain.info()) return;
    const ViewSurroundings around = session.flownSurroundings();
    view = session.camera.over(around).switched(view, to, around);
}

void loadPreset(const std::string& name, Session& session)
{
    const Settings now = session.settings.wanted();
    Settings settings = now;
    const Result<Preset> preset = findPreset(session.root(), name);
    std::vector<std::string> notices;
    const Status loaded = preset ? applyPreset(*preset, settings, &notices) : Status(preset.error());
    for (const std::string& notice : notices)
        session.messages.report(MessageKind::kWarning, notice);
    const ViewMode mode = settings.view.mode;
    if (loaded) session.settings.edit(withCameraOf(settings, now), session.seconds());
    if (loaded) switchMode(mode, session);
    session.messages.reportOutcome(loaded, fmt::format("loaded the preset {}; Ctrl+Z takes it back", name));
}

// Saves the settings as the user preset `name`, or deletes that preset.
void changePreset(const std::string& name, bool save, Session& session)
{
    const std::optional<std::filesystem::path> file = userPresetFile(session.root(), name);
    if (!file)
        return session.messages.report(
            MessageKind::kError,
            fmt::format("preset '{}': expected a name that is not one of the program's, has no '/' in it and does not "
                        "begin with a dot, and a configuration folder to keep it in",
                        printableStart(name)));
    if (save)
        session.messages.reportOutcome(storeSettings(*file, session.settings.wanted()), "saved " + file->string());
    else
    {
        std::error_code failed;
        std::filesystem::remove(*file, failed);
        session.messages.reportOutcome(
            failed ? Status(Error{ExitCode::kOutput, file->string() + ": " + failed.message()}) : Status::ok(),
            "deleted " + file->string());
    }
    session.findPresets();
}

void performOnPresets(const SettingsActions& actions, Session& session)
{
    if (actions.loadPreset) loadPreset(*actions.loadPreset, session);
    if (actions.savePreset) changePreset(*actions.savePreset, true, session);
    if (actions.deletePreset) changePreset(*actions.deletePreset, false, session);
}

void performOnSettings(const UiActions& actions, Session& session)
{
    const Settings::View before = session.settings.wanted().view;
    const bool open = session.terrain.info().has_value();
    if (actions.settings.view != before || actions.home) session.camera.path().pause();
    session.settings.edit(actions.settings, session.seconds(), actions.settingsActions.gesture);
    if (const std::size_t kept = session.settings.kept().size(); actions.settingsActions.resetKept && kept > 0)
    {
        session.settings.resetKept(session.seconds());
        session.messages.report(MessageKind::kNote,
                                fmt::format("{} setting{} reset; Ctrl+Z takes it back", kept, kept == 1 ? "" : "s"));
    }
    const std::size_t steps = session.settings.history().steps();
    if (actions.settingsActions.undo && !session.pictureSteps.undo(steps) && !session.settings.undo(session.seconds()))
        session.messages.report(MessageKind::kNote, "nothing to undo");
    if (actions.settingsActions.redo && !session.pictureSteps.redo(steps) && !session.settings.redo(session.seconds()))
        session.messages.report(MessageKind::kNote, "nothing to redo");
    Settings::View& view = session.settings.view();
    const ViewMode mode = std::exchange(view.mode, open ? before.mode : view.mode);
    switchMode(mode, session);
    performOnPresets(actions.settingsActions, session);
    for (const std::string& refused : actions.refused)
        session.messages.report(MessageKind::kWarning, refused);
    if (actions.home && open)
    {
        const ViewSurroundings around = session.flownSurroundings();
        view = session.camera.over(around).home(view, around);
    }
    performOnEarth(actions.earth, session);
    session.tools.moveCamera(actions.tools, session, actions.settingsActions.gesture);
    session.camera.perform(actions.path, session.messages);
    if (actions.reloadShaders) reloadShaders(session);
}

// Returns a warning if the depth limit keeps triangles near the camera larger than the spacing of samples.  If leaves
// are split by the length of their edges (lod.criterion edge), warns only if the edges exceed the split threshold, too.
std::string depthLimit(const Session& session)
{
    const Settings& wanted = session.settings.wanted();
    const FrameRecord& stats = session.stats;
    if (!session.terrain.info() || !stats.workIsCurrent || int(stats.work.maxDepth) < wanted.treeDepth()) return {};
    const Camera eye = cameraOf(wanted.view);
    const Renderer& renderer = session.graphics.renderer();
    const double leg = double(renderer.world().finestLeg(renderer.settings(), renderer.terrain()));
    const double spacing = session.terrain.dataSpacingAt(eye.position);
    if (leg <= spacing) return {};
    const ViewSurroundings around = session.surroundings();
    const double above = std::max(session.camera.over(around).heightAboveGround(eye, around), 1.0);
    const double pixels = leg * std::numbers::sqrt2 * session.graphics.size().height /
                          (2 * std::tan(0.5 * wanted.view.fov * std::numbers::pi / 180) * above);
    if (wanted.lod.criterion == LodCriterion::kEdge && pixels <= double(stats.work.thresholdPixels)) return {};
    return fmt::format("Depth {} is the limit here: triangles of {}, samples {} apart", wanted.treeDepth(),
                       metresText(leg), metresText(spacing));
}

}  // namespace

UiModel panelModel(const Session& session)
{
    const Context& context = session.graphics.context();
    const ContextInfo& info = context.info();
    UiModel model;
    model.settings = session.settings.wanted();
    model.stats = session.stats;
    model.pending = session.pending();
    model.depthLimit = depthLimit(session);
    model.validating = session.graphics.renderer().checks().validating();
    model.measuringError = session.graphics.renderer().checks().errorPeriod() > 0;
    model.measuringJump = session.graphics.renderer().checks().measuringJumps();
    model.history = &session.history;
    model.buffers = session.graphics.renderer().memory();
    model.memory.largestDepth = largestDepth(context.limits());
    model.memory.checkDepth = [&context](int depth) { return checkDepth(context.limits(), depth); };
    const int patchLevel = session.settings.wanted().patch.level;
    model.memory.leafBytes = [patchLevel](int depth, std::uint32_t capacity) {
        return leafBytes(effectiveCapacity(depth, capacity)) + PatchMesh::heightBytes(patchLevel, capacity);
    };
    model.terrain = session.terrain.info();
    // Captures and films keep their terrain, and draw its panels over whole pictures.
    model.pictured = session.pictured || session.steered() || !model.terrain;
    model.bundled = session.bundled;
    if (const TerrainLoading* loading = session.terrain.loading())
        model.loading = LoadingState{loading->progress().fraction(), loading->progress().phase()};
    else if (!model.pictured)
        model.loading =
            LoadingState{std::nullopt, session.frame == 0 ? "compiling shaders; this takes longest at the first start"
                                                          : "drawing the first picture"};
    model.software = info.software;
    model.context = {info.renderer, "OpenGL " + info.version, "context: " + info.path};
    if (model.terrain) describeCamera(session, model);
    model.syntheticBelow = session.terrain.syntheticBelow(session.settings.wanted());
    model.voids = session.terrain.voids().state();
    model.source.overrides = session.terrain.overrides();
    if (session.terrain.fromFile()) model.source = sourceState(session.terrain.raster(), session.terrain.overrides());
    model.terrainModel = session.model.state(session);
    session.brush.describe(model.terrainModel, session);
    model.source.saving = session.filledSaving.running();
    model.source.savingFraction = session.filledSaving.fraction();
    if (session.drawnMesh.running()) model.meshWritten = session.drawnMesh.fraction();
    model.path = session.camera.pathState();
    model.cover = session.coverState();
    if (session.split) model.split = session.split->state(session);
    model.settingsState = settingsState(session);
    model.captures = session.captures.state();
    model.sweeps = session.sweeps.state();
    if (session.records.running()) model.film = session.records.progress(session.seconds());
    if (session.sweeps.running()) model.sweep = session.sweeps.progress(session);
    model.governor = session.graphics.renderer().lod().report();
    model.compute = session.compute.panelState();
    model.laboratory = session.laboratory.panelState();
    model.files = session.files.state();
    model.shaderLog = session.shaderLog;
    model.tools = session.tools.state(session);
    model.messages = session.messages.shown();
    model.messageLog = &session.messages.all();
    model.startedAt = session.startedAt();
    return model;
}

void perform(const UiActions& actions, Session& session)
{
    for (const std::string& what : actions.copied)
        session.messages.report(MessageKind::kNote, what);
    const bool held = session.captures.running();  // the panels show the capture's settings: their edits are ignored
    performOnCaptures(actions, session);
    performOnProgram(actions, session);
    performOnModules(actions, session);
    performOnTerrainModel(actions.terrainModel, actions.tools, session);
    performOnLaboratory(actions, session);
    performOnSplit(actions.split, session);
    session.tools.perform(actions.tools, session);
    const bool running = session.captures.running();
    if (!held && !running)
        performOnSettings(actions, session);
    else if (held && running &&
             (!(actions.settings == session.settings.wanted()) || actions.home || actions.reloadShaders ||
              actions.settingsActions.asksForAny()))
        session.messages.report(MessageKind::kWarning,
                                "a capture is running: settings, view and shaders stay as they are");
    // Imagery, films and opening come after the panels' settings are applied, because they change settings that the
    // panels do not know yet.
    performOnImagery(actions.cover, session);
    if (actions.film) session.messages.reportError(startFilm(*actions.film, session));
    if (actions.stopFilm) (void)!session.records.stop(session);  // stop() reports an error itself
    if (actions.open) session.requests.open(*actions.open);
}

}  // namespace orogen::app
