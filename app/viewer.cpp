#include "app/viewer.h"

#include <algorithm>
#include <thread>
#include <utility>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include "app/base/output.h"
#include "app/base/process.h"
#include "app/session/panel_exchange.h"
#include "core/base/text.h"

namespace orogen::app {
namespace {

constexpr double kHeadlessStep = 1.0 / 60.0;    // seconds per frame without a real clock
constexpr double kLongestWait = 0.25;           // seconds until an idle window notices a signal
constexpr double kLoadingWait = 0.2;            // seconds between updates of the loading progress
constexpr double kLongestStep = 0.25;           // seconds: upper limit of a camera step in a slow frame
constexpr std::uint64_t kHeadlessFrames = 120;  // frames of a headless run along a path without --frames
constexpr double kLongestTileWait = 60;         // seconds that a headless picture waits for its tiles
constexpr double kTileFadeSeconds = 0.3;        // fade-in time of tiles in the interactive viewer
constexpr double kTitleSeconds = 0.5;           // seconds between updates of a capture's progress in the title
constexpr int kGroundPasses = 4;                // waits for tiles, each from the camera lifted above the last ones
constexpr int kLayoutPasses = 3;                // passes until changed panels fit the height of their content
// Time of an experiment per frame: kLaboratoryMs, or kLaboratoryShare of the previous frame's time if that is longer.
constexpr double kLaboratoryMs = 8;
constexpr double kLaboratoryShare = 0.3;
constexpr int kSoftwareLightRows = 96;  // light map rows per frame; they take about 20 ms on two cores

// Returns `input` with the movement of `keys` added; opposite keys cancel.
CameraInput withKeys(CameraInput input, const CameraInput& keys)
{
    const auto sum = [](double a, double b) { return std::clamp(a + b, -1.0, 1.0); };
    input.forward = sum(input.forward, keys.forward);
    input.right = sum(input.right, keys.right);
    input.up = sum(input.up, keys.up);
    input.fast |= keys.fast;
    input.slow |= keys.slow;
    return input;
}

// Returns the message of an interrupted capture: the signal, and the report of each capture that was kept.
std::string interruptedText(const Error& signal, const std::vector<FinishedCapture>& finished)
{
    std::string text = signal.message;
    for (const FinishedCapture& capture : finished)
        text += fmt::format("{} {}/report.html ({})", &capture == &finished.front() ? "; kept:" : ",", capture.folder,
                            counted(capture.report.statistics.frames, "measured frame"));
    return text;
}

// Returns the part of the input that persists while keys are held.
CameraInput heldOf(CameraInput input)
{
    input.turnX = input.turnY = input.panX = input.panY = input.zoom = input.pace = 0.0;
    input.flyTo.reset();
    return input;
}

CameraInput withoutKeys(CameraInput input)
{
    input.forward = input.right = input.up = 0.0;
    return input;
}

}  // namespace

Result<std::unique_ptr<Viewer>> Viewer::create(const SessionOptions& options)
{
    std::unique_ptr<Viewer> viewer(new Viewer(options));
    if (Status s = viewer->start(); !s) return s.error();
    return viewer;
}

Status Viewer::start()
{
    if (Status s = session_.start(); !s) return s;
    if (session_.options.script.empty()) return Status::ok();
    Result<Script> script = readScript(session_.options.script);
    if (!script) return script.error();
    Result<std::unique_ptr<ScriptRunner>> runner = ScriptRunner::create(std::move(*script), commands_);
    if (!runner) return runner.error();
    if ((*runner)->asksFor("jump_max_px"))  // the query needs the jumps of all frames before it, so measure from now on
        if (Status s = session_.graphics.renderer().checks().measureJumps(true); !s) return s;
    script_ = std::move(*runner);
    return Status::ok();
}

// Returns whether the frame shows panels.  During a capture, the capture's request decides.  Otherwise a window shows
// them, and a headless run only for a script, or for a film with panels.  Messages of headless runs go to standard
// error.
bool Viewer::panelsSeen() const
{
    if (const RunningCapture* capture = session_.captures.capture()) return capture->request().panels;
    return !session_.headless || script_ || session_.records.panels();
}

// Returns whether the panels process input in this frame.  Panels that are not seen do so only for a script, after a
// dropped file, or after a key or button event, which may end a capture.
bool Viewer::panelsAnswer() const { return panelsSeen() || pressed_ || session_.graphics.ui().injector().busy(); }

bool Viewer::closed() const
{
    const Window* window = session_.graphics.window();
    return session_.quit || (window && window->closeRequested());
}

bool Viewer::over() const
{
    const std::optional<std::uint64_t>& frames = session_.options.frames;
    if (session_.quit || (frames && shown_ >= *frames)) return true;
    if (script_) return script_->done();
    return closed() || (!frames && session_.headless && pictureDone());
}

// Returns whether a headless picture has converged, or took longer than `wait settled` allows.  While a camera path
// plays, returns whether kHeadlessFrames were shown.
bool Viewer::pictureDone() const
{
    if (session_.camera.path().playing()) return shown_ >= kHeadlessFrames;
    return shown_ > 0 &&
           (session_.unsettled().empty() || session_.seconds() - firstShownAt_ > ScriptRunner::settleSeconds());
}

Status Viewer::run()
{
    if (Status s = awaitTerrain(); !s) return s;
    // Not earlier: an error of arguments or of the terrain stays one line.
    if (!session_.noWindow.empty()) tell(fmt::format("no window ({}): rendering headless", session_.noWindow));
    firstShownAt_ = session_.seconds();
    while (!over())
    {
        if (std::optional<Error> signal = interruption())
        {
            (void)!session_.captures.stop(session_);
            (void)!session_.records.stop(session_);
            (void)!session_.finish();  // keeps the results; the signal decides the exit code
            return *signal;
        }
        if (Status s = interactive() ? turn(kLongestWait) : step(); !s)
        {
            (void)!session_.captures.stop(session_);  // keeps the results
            (void)!session_.records.stop(session_);
            return s;
        }
    }
    if (Status s = session_.captures.stop(session_); !s) return s;
    if (Status s = session_.records.stop(session_); !s) return s;
    return session_.finish();
}

Result<std::vector<FinishedCapture>> Viewer::capture(CaptureRequest request)
{
    if (Status s = awaitTerrain(); !s) return s.error();
    if (!session_.terrain.info()) return Error{ExitCode::kInterrupted, "capture: closed before the terrain was loaded"};
    CaptureController& captures = session_.captures;
    request.awaited = true;
    if (Status s = captures.start(std::move(request), session_); !s) return s.error();
    ProgressLine line;
    while (captures.running())
    {
        if (const std::optional<Error> signal = interruption(); signal || closed())
        {
            line.clear();
            if (Status s = captures.stop(session_); !s) return s.error();
            if (signal) return Error{signal->code, interruptedText(*signal, captures.finished())};
            break;
        }
        const CaptureProgress at = captures.capture()->progress();
        line.show(at.fraction(),
                  textOf(at) + (at.secondsLeft ? fmt::format(", {} left", durationText(*at.secondsLeft)) : ""));
        if (Status s = step(); !s) return s.error();
    }
    line.clear();
    if (captures.error()) return *captures.error();
    return captures.finished();
}

Result<FinishedRecording> Viewer::record(RecordRequest request)
{
    if (Status s = awaitTerrain(); !s) return s.error();
    if (!session_.terrain.info()) return Error{ExitCode::kInterrupted, "record: closed before the terrain was loaded"};
    RecordController& records = session_.records;
    request.awaited = true;
    if (Status s = records.start(std::move(request), session_); !s) return s.error();
    ProgressLine line;
    while (records.running())
    {
        if (const std::optional<Error> signal = interruption())
        {
            line.clear();
            if (Status s = records.stop(session_); !s) return s.error();
            return Error{signal->code, fmt::format("{}; kept: {} ({})", signal->message, records.newest()->out,
                                                   counted(records.newest()->frames, "frame"))};
        }
        const RecordProgress at = records.progress(session_.seconds());
        line.show(at.fraction(),
                  fmt::format("frame {} of {}{}", at.frame + 1, at.frames,
                              at.secondsLeft ? ", " + durationText(*at.secondsLeft) + " left" : std::string()));
        if (Status s = step(); !s) return s.error();
    }
    line.clear();
    if (records.error()) return *records.error();
    return *records.newest();
}

Status Viewer::sweep(SweepRequest request)
{
    if (Status s = awaitTerrain(); !s) return s;
    if (!session_.terrain.info()) return Error{ExitCode::kInterrupted, "sweep: closed before the terrain was loaded"};
    SweepController& sweeps = session_.sweeps;
    if (Status s = sweeps.start(std::move(request), session_); !s) return s;
    ProgressLine line;
    while (sweeps.running())
    {
        if (const std::optional<Error> signal = interruption(); signal || closed())
        {
            line.clear();
            (void)!sweeps.stop(session_);  // finished points are already on disk
            return signal ? *signal : Error{ExitCode::kInterrupted, "sweep: closed before it was done"};
        }
        const SweepProgress at = sweeps.progress(session_);
        const std::string left = at.secondsLeft ? fmt::format(", {} left", durationText(*at.secondsLeft)) : "";
        line.show(at.fraction, fmt::format("point {} of {}, {}{}", at.done + 1, at.todo, at.point, left));
        if (Status s = step(); !s) return s;
    }
    line.clear();
    if (sweeps.error()) return *sweeps.error();
    return Status::ok();
}

Status Viewer::awaitTerrain()
{
    const PixelSize size = session_.graphics.size();
    if (Status s = session_.graphics.renderer().resize(size.width, size.height); !s) return s;
    session_.graphics.renderer().options().awaitsErrors = !interactive();
    ProgressLine line;
    // A window shows one side of a split picture until the other is loaded.
    const auto ready = [this] {
        return session_.shown() && (!session_.headless || !session_.split || session_.split->shown());
    };
    // Draws the panels before a terrain is taken: its home view is centred in the part of the window between them.
    if (!ready() && session_.graphics.window() && !session_.options.capture)
        if (Status s = showLoading(0); !s) return s;
    while (!ready())
    {
        if (std::optional<Error> signal = interruption()) return *signal;
        if (Status s = session_.requests.takeTerrain(); !s) return s;
        if (Status s = session_.takeSplit(); !s) return s;
        if (ready() || over()) break;
        if (const TerrainLoading* loading = session_.terrain.loading())
            line.show(loading->progress().fraction(), loading->progress().phase());
        if (!session_.graphics.window())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        else if (Status s = showLoading(kLoadingWait); !s)
            return s;
    }
    return Status::ok();
}

Status Viewer::showLoading(double longestWait)
{
    clock_.begin(session_.seconds());
    takeEvents(longestWait);
    const PixelSize size = session_.graphics.size();
    Ui& ui = session_.graphics.ui();
    ui.beginFrame(size.width, size.height, kHeadlessStep);
    for (bool again = true; again;)
    {
        const UiActions actions = ui.draw(panelModel(session_));
        session_.quit = session_.quit || actions.quit || actions.cancelLoading;
        again = ui.inputWaits();
        if (again) ui.beginPass();
    }
    Renderer& renderer = session_.graphics.renderer();
    if (Status s = renderer.resize(size.width, size.height); !s) return s;
    session_.graphics.clearPicture();
    session_.keepUp();
    return showPanels();
}

Status Viewer::step()
{
    ++shown_;
    clock_.begin(session_.seconds());
    if (session_.graphics.context().resetStatus() != ResetStatus::kNone)
        if (Status s = session_.recover(); !s) return s;

    // The session takes input: events, results of background work, script, panels.
    session_.graphics.renderer().options().awaitsErrors = true;
    takeEvents();
    if (Status s = session_.takeResults(); !s) return s;
    if (script_)
        if (Status s = script_->step(session_.seconds(), session_.graphics.ui().injector()); !s) return s;
    const double seconds = session_.records.running() ? session_.records.frameSeconds()
                           : session_.headless        ? kHeadlessStep
                                               : std::clamp(session_.stats.cpu.intervalMs / 1000.0, 0.0, kLongestStep);
    prepare(workPanels(seconds), seconds);

    // The renderer draws the session's state, and the display shows the picture.
    if (Status s = draw(); !s) return s;
    if (!session_.captures.running())
        session_.laboratory.step(std::max(kLaboratoryMs, kLaboratoryShare * session_.stats.cpu.intervalMs));
    session_.tools.update(session_);
    present();
    session_.keepUp();
    if (session_.captures.running()) session_.captures.afterFrame(session_);
    if (session_.records.running()) session_.records.afterFrame(session_);
    ++session_.frame;
    if (!session_.captures.running()) panelsAt_ = session_.seconds();  // panels follow every frame
    titleProgress();
    return showProgress();
}

// Draws the Capture panel in the pauses of a capture without panels.  The panel stays visible over the following
// frames.
Status Viewer::showProgress()
{
    if (!session_.graphics.window() || !session_.captures.pausing() || panelsSeen()) return Status::ok();
    for (int pass = 0; pass < kLayoutPasses; ++pass)
        (void)passPanels(0);
    if (Status s = session_.graphics.drawPanels(false); !s) return s;
    if (!session_.captures.running()) return Status::ok();
    const auto& panels = session_.graphics.ui().panels();
    const auto panel = std::ranges::find(panels, "Capture", &std::pair<std::string, PanelRect>::first);
    session_.graphics.showWithoutPanels();
    session_.graphics.keepOver(panel == panels.end() ? std::nullopt : std::optional(panel->second));
    return Status::ok();
}

// Shows the capture's progress in the window title, more often than the panel can.
void Viewer::titleProgress()
{
    const RunningCapture* capture = session_.captures.capture();
    if (!session_.graphics.window() || (!capture && titledAt_ == 0)) return;
    const double now = session_.seconds();
    if (capture && now - titledAt_ < kTitleSeconds) return;
    titledAt_ = capture ? now : 0;
    session_.showTitle(capture ? "Capturing, " + textOf(capture->progress()) + ", F8 stops" : std::string());
}

// Feeds the window's events to the panels, after waiting at most `seconds` for one.  Returns whether any concerns
// panels or camera.  Key repeats do not count, because panels repeat held keys themselves.  Characters count only in a
// text field.
bool Viewer::takeEvents(double seconds)
{
    Window* window = session_.graphics.window();
    pressed_ = false;
    if (!window) return false;
    bool any = false;
    for (const WindowEvent& event : window->takeEvents(seconds))
    {
        session_.graphics.ui().feed(event);
        const KeyEvent* key = std::get_if<KeyEvent>(&event);
        const bool typed = std::holds_alternative<CharacterEvent>(event) && !session_.graphics.ui().wantsKeyboard();
        any |= !typed && !(key && key->action == GLFW_REPEAT);
        pressed_ |= (key && key->action != GLFW_REPEAT) || std::holds_alternative<MouseButtonEvent>(event);
        if (const DropEvent* drop = std::get_if<DropEvent>(&event); drop && !drop->paths.empty())
        {
            pressed_ = true;  // the panels answer, also while they are hidden
            // On the Earth a terrain may be laid in or opened alone; several files can only be laid in.
            const std::string& file = drop->paths.front();
            const bool choice =
                session_.terrain.world() == World::kEarth && drop->paths.size() == 1 && isTerrainName(file);
            choice ? session_.graphics.ui().offerTerrain(file) : session_.requests.drop(drop->paths);
        }
    }
    return any;
}

// Handles all pending input, in as many panel passes as it takes; only the last one is drawn.  Returns the actions of
// the last pass with the keys held in any pass.  Skips the panels unless panelsAnswer().
UiActions Viewer::workPanels(double seconds)
{
    if (panelsAnswer()) return passPanels(seconds);
    UiActions actions;
    actions.settings = session_.settings.wanted();
    perform(actions, session_);
    return actions;
}

UiActions Viewer::passPanels(double seconds)
{
    Ui& ui = session_.graphics.ui();
    const PixelSize size = session_.graphics.size();
    ui.beginFrame(size.width, size.height, seconds);
    UiActions actions = ui.draw(panelModel(session_));
    perform(actions, session_);
    CameraInput keys = actions.camera;  // a key held in any pass counts for the whole frame
    while (ui.inputWaits() || ui.unsettled())
    {
        if (!session_.steered()) moveCamera(withoutKeys(actions.camera), actions.cursor, 0.0);
        ui.beginPass();
        actions = ui.draw(panelModel(session_));
        perform(actions, session_);
        keys = withKeys(keys, actions.camera);
    }
    held_ = heldOf(actions.camera);
    heldCursor_ = actions.cursor;
    actions.camera = withKeys(withoutKeys(actions.camera), keys);
    return actions;
}

void Viewer::moveCamera(const CameraInput& input, glm::dvec2 cursor, double seconds)
{
    if (session_.terrain.info())
        session_.camera.move(input, cursor, seconds, session_.flownSurroundings(), session_.settings);
}

// Sets the settings and the camera of this frame: those requested, or those of a capture or film.
void Viewer::prepare(const UiActions& actions, double seconds)
{
    session_.model.update(session_);  // after the script, which checks the last frame and its heights
    if (session_.captures.running()) session_.captures.beforeFrame(session_);
    const bool filmed = session_.records.running(), timed = !session_.headless && !session_.captures.running();
    session_.graphics.renderer().options().tileFade =
        timed || filmed ? float(std::clamp(seconds / kTileFadeSeconds, 0.01, 1.0)) : FrameOptions::kTileFade;
    if (session_.captures.running()) return;
    session_.settings.apply(session_.graphics.renderer(), session_.messages);
    if (filmed) return session_.records.beforeFrame(session_);
    moveCamera(actions.camera, actions.cursor, seconds);
    if (session_.terrain.info())
        session_.camera.follow(seconds, session_.flownSurroundings(), session_.flownGround(), session_.settings,
                               session_.messages);
}

// Waits for tiles in headless runs, whose picture should be complete, and keeps the camera above the ground in them.
// Scripts, captures and films decide themselves whether to wait.
void Viewer::awaitTiles()
{
    if (!session_.headless || script_ || session_.steered() || !session_.terrain.cache()) return;
    bool more = true;
    for (int pass = 0; more && pass < kGroundPasses; ++pass)
    {
        const Camera camera = cameraOf(session_.settings.wanted().view);
        const bool settled = session_.graphics.renderer().tiles().settle(camera, kLongestTileWait);
        if (session_.split) session_.split->settleTiles(camera, kLongestTileWait);
        more = settled && pass + 1 < kGroundPasses && session_.cameraRises();  // each lift is followed by a wait
        if (more) session_.camera.followGround(session_.flownSurroundings(), session_.settings);
    }
}

Status Viewer::draw()
{
    Renderer& renderer = session_.graphics.renderer();
    const bool filmed = session_.records.running();
    const PixelSize size = filmed ? session_.records.size() : session_.graphics.size();
    if (size.width > 0 && size.height > 0)
        if (Status s = renderer.resize(size.width, size.height); !s) return s;
    const bool spread = session_.graphics.context().info().software && !session_.headless && !filmed;
    awaitTiles();
    session_.updateContours();
    renderer.options().seen = {};
    renderer.timers().beginFrame(session_.frame);
    renderer.lod().rest(false);  // step() always keeps the frame time budget, as if the camera moved
    const int rows = spread ? kSoftwareLightRows : 0;
    const auto own = [&] { renderer.frame(cameraOf(session_.settings.wanted().view), session_.frame, rows); };
    const bool split = session_.split && session_.split->shown();
    if (split)
    {
        session_.split->drawBeside(session_, own);
        renderer.timers().endFrame();
        if (Status s = session_.split->begin(session_, rows, true); !s) return s;
        if (Status s = session_.split->end(session_); !s) return s;
    }
    else
        own();
    if (!panelsSeen())
        session_.graphics.showWithoutPanels();
    else if (Status s = session_.graphics.drawPanels(!split); !s)
        return s;
    if (!split) renderer.timers().endFrame();
    session_.pictured = true;
    return Status::ok();
}

// Presents the frame and adds its record to the history.
void Viewer::present()
{
    Renderer& renderer = session_.graphics.renderer();
    const bool limitedByGpu = session_.headless || session_.steered();
    clock_.submitted();
    clock_.present(session_.graphics, limitedByGpu             ? FrameLimit::kFramesInFlight
                                      : session_.options.vsync ? FrameLimit::kDisplay
                                                               : FrameLimit::kNone);
    if (renderer.steps().sliced()) clock_.endSliced(renderer.steps().time());
    renderer.recordCpuTime(session_.frame, clock_.times().frameMs - clock_.times().sleptMs);
    session_.stats.frame = session_.frame;
    session_.stats.cpu = clock_.times();
    session_.takeStats();
    session_.history.push(session_.stats);
}

}  // namespace orogen::app
