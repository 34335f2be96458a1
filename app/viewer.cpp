#include "app/viewer.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include <fmt/format.h>

#include "app/base/interrupt.h"
#include "app/base/output.h"
#include "app/gl/image.h"
#include "app/gl/pacing.h"
#include "core/base/output_file.h"
#include "core/leb/conformity.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kHeadlessStep = 1.0 / 60.0;  // seconds a frame where no clock counts
constexpr double kLaboratoryMs = 8;           // of a frame, at least, while an experiment runs; a report pauses it
constexpr double kLaboratoryShare = 0.3;      // of the frame before: slow frames are slow all the same
constexpr int kFramesInFlight = 4;            // headless frames have no swap that paces them
constexpr int kSoftwareLightRows = 96;        // of the light map a frame: some 20 ms on two cores

// What is held in either; opposite keys cancel.
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

CameraInput withoutKeys(CameraInput input)
{
    input.forward = input.right = input.up = 0.0;
    return input;
}

double milliseconds(Clock::duration d) { return std::chrono::duration<double, std::milli>(d).count(); }

}  // namespace

double Viewer::now() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }

PixelSize Viewer::pictureSize() const
{
    if (Window* window = context_->window()) return window->framebufferSize();
    return {options_.width, options_.height};
}

// Without a window the picture is of the terrain alone, unless a script works the panels; messages go to standard
// error.
bool Viewer::panelsSeen() const { return !headless_ || script_; }

bool Viewer::enough() const
{
    if (quit_) return true;
    if (script_) return script_->done() || (options_.frames && shown_ >= *options_.frames);
    if (context_->window() && context_->window()->closeRequested()) return true;
    if (options_.frames) return shown_ >= *options_.frames;
    return headless_ && shown_ >= 120;
}

Status Viewer::run()
{
    if (Status s = awaitTerrain(); !s) return s;
    while (!enough())
    {
        if (std::optional<Error> signal = interruption())
        {
            if (captures_.session()) (void)!endCapture(true);
            (void)!finish();  // keep what there is; the signal decides the exit code
            return *signal;
        }
        if (Status s = step(); !s)
        {
            if (captures_.session()) (void)!endCapture(true);  // what was captured is kept
            return s;
        }
    }
    if (captures_.session())
        if (Status s = endCapture(true); !s) return s;
    return finish();
}

Status Viewer::step()
{
    ++shown_;
    return frame();
}

Status Viewer::frame()
{
    const Clock::time_point begin = Clock::now();
    if (context_->resetStatus() != ResetStatus::kNone)
        if (Status s = recover(); !s) return s;
    takeEvents();
    compute_.update(milliseconds(begin - started_));
    if (Status s = takeTerrain(); !s) return s;
    takeHeights();
    if (script_)
        if (Status s = script_->step(now(), ui_->injector()); !s) return s;

    const PixelSize size = pictureSize();
    const double seconds = headless_ ? kHeadlessStep : std::clamp(stats_.intervalMs / 1000.0, 0.0, 0.25);
    const UiActions actions = workPanels(size, seconds);
    if (captures_.session())
        if (const Status s = aimCapture(); !s) captureFailed(s.error());
    if (!captures_.session())
    {
        applySettings();
        moveCamera(actions.camera, seconds, actions.cursor);
        if (info_) followPath(seconds);
    }

    if (size.width > 0 && size.height > 0)
        if (Status s = renderer_->resize(size.width, size.height); !s) return s;
    renderer_->timers().beginFrame(frame_);
    renderer_->frame(cameraOf(wanted_.view), frame_, context_->info().software && !headless_ ? kSoftwareLightRows : 0);
    drawPanels();
    renderer_->timers().endFrame();
    if (!captures_.session()) laboratory_.step(std::max(kLaboratoryMs, kLaboratoryShare * stats_.intervalMs));
    const double cpuMs = milliseconds(Clock::now() - begin);
    if (Status s = present(); !s) return s;
    note(cpuMs);
    if (captures_.session())
        if (const Status s = recordCapture(milliseconds(begin - started_), milliseconds(lastPresent_ - begin)); !s)
            captureFailed(s.error());
    ++frame_;
    return Status::ok();
}

void Viewer::takeEvents()
{
    Window* window = context_->window();
    if (!window) return;
    for (const WindowEvent& event : window->takeEvents())
    {
        ui_->feed(event);
        if (const DropEvent* drop = std::get_if<DropEvent>(&event); drop && !drop->paths.empty())
            open(drop->paths.front());
    }
}

// Acts on all input that waits, in as many passes of the panels as it takes, of which the last is drawn.  Returns what
// is left to do with the time of the frame: the last pass, with the keys that were held in any.
UiActions Viewer::workPanels(const PixelSize& size, double seconds)
{
    UiActions actions;
    actions.settings = wanted_;
    if (panelsSeen())
    {
        ui_->beginFrame(size.width, size.height, seconds);
        actions = ui_->draw(model());
    }
    act(actions);
    CameraInput keys = actions.camera;  // one that is held for a moment counts for the frame
    while (panelsSeen() && (ui_->inputWaits() || ui_->unsettled()))
    {
        if (!captures_.session()) moveCamera(withoutKeys(actions.camera), 0.0, actions.cursor);
        ui_->beginPass();
        actions = ui_->draw(model());
        act(actions);
        keys = withKeys(keys, actions.camera);
    }
    actions.camera = withKeys(withoutKeys(actions.camera), keys);
    return actions;
}

Status Viewer::takeTerrain()
{
    std::optional<Result<LoadedTerrain>> loaded = loader_.take();
    if (!loaded) return Status::ok();
    Status status = *loaded ? install(std::move(**loaded)) : Status(loaded->error());
    if (status) return status;
    if (firstTerrain_) return status;  // what the command line named: its exit code tells
    if (status.error().code != ExitCode::kInterrupted) say(MessageKind::kError, status.error().message);
    return Status::ok();
}

Status Viewer::install(LoadedTerrain loaded)
{
    if (Status s = renderer_->setTerrain(loaded.raster, loaded.field, std::move(loaded.pyramid)); !s) return s;
    voids_.forget();
    info_ = describe(loaded.raster);
    if (!loaded.raster.synthetic) info_->name = std::filesystem::path(info_->name).filename().string();
    field_ = std::move(loaded.field);
    raster_ = std::move(loaded.raster);
    raster_.heights = {};  // the field has them, in half the memory
    for (const std::string& warning : raster_.warnings)
        say(MessageKind::kWarning, warning);
    if (context_->window()) context_->window()->setTitle(info_->name + " - Orogen");
    if (!(firstTerrain_ && viewGiven_)) wanted_.view = controller_.home(wanted_.view, surroundings());
    firstTerrain_ = false;
    ++terrains_;
    return Status::ok();
}

// The view, the settings and what is being recorded stay as they are.
void Viewer::takeHeights()
{
    std::optional<Result<ChangedHeights>> taken = voids_.take();
    if (!taken) return;
    if (!*taken && taken->error().code == ExitCode::kInterrupted) return;
    if (!*taken) return say(MessageKind::kError, taken->error().message);
    ChangedHeights& changed = **taken;
    if (const Status s = renderer_->changeHeights(raster_, changed.field, std::move(changed.pyramid)); !s)
        return say(MessageKind::kError, s.error().message);
    voids_.shown(changed);
    raster_.voids = info_->voids = changed.voids;
    field_ = std::move(changed.field);
    if (changed.filled > 0)
        say(MessageKind::kNote,
            fmt::format("{} voids filled: {} iterations, residual {:.2g}, {:.0f} ms", changed.filled,
                        changed.iterations, changed.relativeResidual, changed.solveMs));
    else
        say(MessageKind::kNote, fmt::format("{} voids again", changed.voids));
}

void Viewer::actOnVoids(const UiActions& actions)
{
    if (actions.cancelFill) voids_.cancel();
    if (!actions.fillVoids && !actions.undoFill) return;
    if (captures_.session()) return say(MessageKind::kWarning, "a capture is running: the terrain stays as it is");
    if (const Status s = actions.fillVoids ? voids_.fill(field_) : voids_.undo(); !s)
        say(MessageKind::kError, s.error().message);
}

void Viewer::act(const UiActions& actions)
{
    const bool held = captures_.session() != nullptr;  // what the panels showed were the capture's settings
    actOnCaptures(actions);
    actOnProgram(actions);
    actOnLaboratory(actions);
    if (!held && !captures_.session())
        actOnSettings(actions);
    else if (held && captures_.session() && (!(actions.settings == wanted_) || actions.home || actions.reloadShaders))
        say(MessageKind::kWarning, "a capture is running: settings, view and shaders stay as they are");
}

void Viewer::actOnSettings(const UiActions& actions)
{
    const Settings before = wanted_;
    const ViewMode mode = wanted_.view.mode;
    wanted_ = actions.settings;
    if (wanted_.view != before.view || actions.home) paths_.pause();
    if (wanted_.view.mode != mode && info_)
    {
        Settings::View view = wanted_.view;
        view.mode = mode;
        wanted_.view = controller_.switched(view, wanted_.view.mode, surroundings());
    }
    if (keeper_ && !(before == wanted_)) keeper_->changed(before, wanted_, now());
    for (const std::string& refused : actions.refused)
        say(MessageKind::kWarning, refused);
    if (actions.home && info_) wanted_.view = controller_.home(wanted_.view, surroundings());
    actOnPath(actions.path);
    if (actions.reloadShaders)
    {
        const ReloadReport report = renderer_->reloadShaders();
        shaderLog_ = report.failed > 0 ? report.log : "";
        say(report.failed > 0 ? MessageKind::kError : MessageKind::kNote,
            report.failed > 0 ? fmt::format("{} of {} programs keep their last good version", report.failed,
                                            report.failed + report.replaced)
                              : fmt::format("{} programs reloaded", report.replaced));
    }
}

void Viewer::actOnLaboratory(const UiActions& actions)
{
    if (actions.runExperiment)
        if (const Status s = laboratory_.start(*actions.runExperiment, *context_); !s)
            say(MessageKind::kError, s.error().message);
    if (actions.cancelExperiment) laboratory_.cancel();
    if (!actions.saveExperiment) return;
    const Result<std::string> saved = laboratory_.save("orogen-laboratory");
    say(saved ? MessageKind::kNote : MessageKind::kError, saved ? *saved : saved.error().message);
}

void Viewer::actOnProgram(const UiActions& actions)
{
    if (actions.open) open(*actions.open);
    if (actions.cancelLoading) loader_.cancel();
    actOnVoids(actions);
    if (actions.runModule)
        if (const Status s = compute_.start(*actions.runModule); !s) say(MessageKind::kError, s.error().message);
    if (actions.cancelModule) compute_.cancel(*actions.cancelModule);
    if (actions.screenshot)
    {
        const std::string name = freeFileName(fmt::format("orogen-{}.png", frame_));
        const Status written = screenshot(name);
        say(written ? MessageKind::kNote : MessageKind::kError, written ? "wrote " + name : written.error().message);
    }
    if (actions.dismissShaderLog) shaderLog_.clear();
    if (actions.quit) quit_ = true;
    if (Window* window = context_->window(); window && actions.toggleFullscreen)
        window->setFullscreen(!window->fullscreen());
}

void Viewer::applySettings()
{
    const Settings held = renderer_->settings();
    if (wanted_ == held) return;
    const Status status = renderer_->apply(wanted_);
    if (status) return;
    // Too large for this driver or its memory: what was is kept, and said.
    say(MessageKind::kError, status.error().message);
    wanted_.cbt = held.cbt;
    wanted_.patch = held.patch;
    wanted_.render.msaa = held.render.msaa;
    if (Status again = renderer_->apply(wanted_); !again) wanted_ = held;
}

void Viewer::moveCamera(const CameraInput& input, double seconds, glm::dvec2 cursor)
{
    if (!info_) return;
    if (!input.idle()) paths_.pause();
    wanted_.view = controller_.moved(wanted_.view, input, seconds, cursor, surroundings());
}

void Viewer::drawPanels()
{
    if (!panelsSeen()) return;
    GpuTimerScope scope(renderer_->timers(), GpuPass::kUi);
    glBindFramebuffer(GL_FRAMEBUFFER, renderer_->framebuffer());
    glViewport(0, 0, renderer_->width(), renderer_->height());
    ui_->render();
}

Status Viewer::present()
{
    if (Window* window = context_->window())
    {
        window->copyFrom(renderer_->framebuffer(), {renderer_->width(), renderer_->height()});
        const Clock::time_point before = Clock::now();
        window->swap();
        paced_.swapMs = milliseconds(Clock::now() - before);
    }
    else
        glFlush();
    pace();
    renderer_->collect();
    return Status::ok();
}

// Frames without a swap that limits them, and those of a capture, whose every answer counts, are limited here.
void Viewer::pace()
{
    const bool capturing = captures_.session() != nullptr;
    const Clock::time_point before = Clock::now();
    while ((headless_ || capturing) && renderer_->framesInFlight() >= kFramesInFlight)
        renderer_->collect(kPatience);
    paced_.waitMs = milliseconds(Clock::now() - before);
    if (headless_ || capturing || !options_.vsync || Clock::now() >= lastPresent_ + kLeastFrame) return;
    const double least =
        leastFrameMs(context_->window()->refreshHz(), paced_.swapMs.value_or(0.0), context_->info().software);
    std::this_thread::sleep_until(lastPresent_ + std::chrono::microseconds(std::llround(1000.0 * least)));
}

void Viewer::note(double cpuMs)
{
    const Clock::time_point present = Clock::now();
    stats_ = renderer_->stats();
    stats_.frame = frame_;
    stats_.intervalMs = milliseconds(present - lastPresent_);
    stats_.cpuMs = cpuMs;
    stats_.modules = compute_.runningMask() | (voids_.running() ? kVoidFillingBit : 0);
    lastPresent_ = present;
    history_.push(stats_);
    messages_.update(now());
    context_->debug().poll();
    if (keeper_)
        if (std::optional<std::string> notice = keeper_->update(now())) say(MessageKind::kWarning, *notice);
}

double Viewer::groundAt(double east, double north) const
{
    return heightAt(field_, east, north) * double(wanted_.terrain.heightScale);
}

ViewSurroundings Viewer::surroundings() const
{
    const double scale = wanted_.terrain.heightScale;
    const Window* window = context_->window();
    const PixelSize size = window ? window->size() : pictureSize();  // what the mouse counts in
    ViewSurroundings around;
    around.ground = [this](double east, double north) { return groundAt(east, north); };
    around.terrain = {{raster_.east(), raster_.north()}, raster_.minHeight * scale, raster_.maxHeight * scale};
    around.viewport = {std::max(size.width, 1), std::max(size.height, 1)};
    return around;
}

UiModel Viewer::model() const
{
    UiModel m;
    m.settings = wanted_;
    m.stats = stats_;
    m.history = &history_;
    m.buffers = renderer_->memory();
    m.memory.largestDepth = largestDepth(context_->limits());
    m.memory.leafBytes = [](int depth, std::uint32_t capacity) {
        return leafBytes(effectiveCapacity(depth, capacity));
    };
    m.terrain = info_;
    m.bundled = bundled_;
    if (loader_.loading()) m.loading = LoadingState{loader_.fraction(), loader_.doing()};
    const ContextInfo& info = context_->info();
    m.context = {info.renderer, "OpenGL " + info.version, "context: " + info.path};
    if (info_)
    {
        const Camera camera = cameraOf(wanted_.view);
        const double ground = groundAt(camera.position.x, camera.position.y);
        m.heightAboveGround = camera.position.z - ground;
        m.speed = flySpeed(camera, ground, {});
    }
    m.voids = voids_.state();
    m.path = pathState();
    m.captures = &captures_;
    m.compute = &compute_;
    m.laboratory = &laboratory_;
    m.shaderLog = shaderLog_;
    m.messages = messages_.shown();
    return m;
}

void Viewer::say(MessageKind kind, const std::string& text)
{
    messages_.push(kind, text, now());
    if (headless_ && kind != MessageKind::kNote) tell(text);
}

Status Viewer::setSetting(const std::string& key, const std::string& value)
{
    Settings next = wanted_;
    if (Status s = orogen::setSetting(next, key, value); !s) return s;
    if (Status s = checkSettings(next); !s) return s;
    if (next.view != wanted_.view) paths_.pause();
    wanted_ = next;
    return Status::ok();
}

void Viewer::open(const std::string& dem)
{
    if (captures_.session())
        say(MessageKind::kWarning, "a capture is running: the terrain stays as it is");
    else
        loader_.start(dem);
}

std::vector<std::string> Viewer::filesRead() const
{
    std::vector<std::string> files = {options_.settingsFile, options_.script, options_.cameraPath};
    for (const std::string& dem : {options_.dem, raster_.name})
        for (std::string& file : sourceFiles(dem))
            files.push_back(std::move(file));
    return files;
}

Status Viewer::screenshot(const std::string& file)
{
    if (Status s = checkOutputFile(file, filesRead(), Existing::kReplace); !s) return s;
    return writePng(file, readFramebuffer(renderer_->framebuffer(), renderer_->width(), renderer_->height()));
}

bool Viewer::settled() const
{
    return renderer_->settled() && !renderer_->busy() && !loader_.loading() && !compute_.running() &&
           !voids_.running() && !laboratory_.running();
}

std::string Viewer::conforming() const
{
    const Result<Cbt> tree = Cbt::fromWords(renderer_->tree().readHeap());
    return tree && leb::conformityFault(*tree).empty() ? "true" : "false";
}

std::optional<std::string> Viewer::value(std::string_view key)
{
    if (findSetting(key)) return settingText(wanted_, key);
    const WorkCounters& work = renderer_->stats().work;
    if (key == "frame") return std::to_string(frame_);
    if (key == "leaves") return std::to_string(work.leaves);
    if (key == "triangles") return std::to_string(work.triangles);
    if (key == "splits") return std::to_string(work.splits);
    if (key == "merges") return std::to_string(work.merges);
    if (key == "gl_errors") return std::to_string(context_->debug().errors());
    if (key == "conforming") return conforming();
    if (key == "overflow") return std::to_string(work.refused);
    if (key == "nodata_count") return std::to_string(raster_.voids);
    if (key == "fps") return stats_.intervalMs > 0 ? fmt::format("{:.3f}", 1000.0 / stats_.intervalMs) : "null";
    if (key == "message") return messages_.newest();
    if (key == "laboratory.state") return std::string(laboratory_.state());
    if (key.starts_with("module.") && key.ends_with(".state")) return compute_.state(key.substr(7, key.size() - 13));
    if (key.starts_with("module.") && key.ends_with(".result")) return compute_.result(key.substr(7, key.size() - 14));
    return std::nullopt;
}

}  // namespace orogen::app
