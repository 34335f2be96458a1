#include "app/session/script_runner.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "app/base/output.h"
#include "app/ui/items.h"
#include "core/base/text.h"

namespace orogen::app {
namespace {

constexpr double kSettleSeconds = 60;
constexpr int kLeastFrames = 2;  // a step's effect is drawn one frame later; until then the picture may seem settled

Error at(const Script& script, const ScriptStep& step, const Error& error)
{
    return {error.code, fmt::format("{}:{}: {}", script.file, step.line, error.message)};
}

Status checkNames(const ScriptStep& step)
{
    const auto* click = std::get_if<step::Click>(&step.action);
    const auto* drag = std::get_if<step::Drag>(&step.action);
    if (const std::string* item = click ? &click->item : drag ? &drag->item : nullptr; item && !isItemName(*item))
    {
        return Error{ExitCode::kUsage,
                     fmt::format("unknown item '{}': expected PANEL/NAME as on screen, such as Terrain/depth", *item)};
    }
    if (const auto* key = std::get_if<step::Key>(&step.action); key && !isKeyName(key->name))
    {
        return Error{ExitCode::kUsage,
                     fmt::format("unknown key '{}': expected F1 to F12, a letter or digit, Tab, Home, Escape, Shift, "
                                 "WheelUp and the like, with Ctrl+ before it if need be",
                                 key->name)};
    }
    return Status::ok();
}

}  // namespace

ScriptRunner::ScriptRunner(Script script, ScriptHost& host) : script_(std::move(script)), host_(host) {}

Result<std::unique_ptr<ScriptRunner>> ScriptRunner::create(Script script, ScriptHost& host)
{
    for (const ScriptStep& step : script.steps)
    {
        if (const Status status = checkNames(step); !status)
        {
            return at(script, step, status.error());
        }
    }
    return std::unique_ptr<ScriptRunner>(new ScriptRunner(std::move(script), host));
}

bool ScriptRunner::asksFor(std::string_view key) const
{
    return std::ranges::any_of(script_.steps, [key](const ScriptStep& step) {
        const auto* expect = std::get_if<step::Expect>(&step.action);
        return expect && expect->key == key;
    });
}

int ScriptRunner::line() const { return next_ == 0 ? 0 : script_.steps[next_ - 1].line; }

Status ScriptRunner::step(double seconds, Injector& injector)
{
    injector_ = &injector;
    if (done())
    {
        return Status::ok();
    }
    Status status = keepWaiting(seconds);
    if (status && !waiting() && next_ < script_.steps.size())
    {
        const ScriptStep& step = script_.steps[next_++];
        status = std::visit([this](const auto& action) { return begin(action); }, step.action);
        since_ = seconds;
    }
    if (!status)
    {
        failed_ = true;
        return at(script_, script_.steps[next_ - 1], status.error());
    }
    return Status::ok();
}

// Reads the environment variable with which tests allow more time on a busy machine.
double ScriptRunner::settleSeconds()
{
    const char* text = std::getenv("OROGEN_SETTLE_SECONDS");
    double seconds = 0;
    if (!text || std::from_chars(text, text + std::strlen(text), seconds).ec != std::errc()) return kSettleSeconds;
    return seconds >= 1 && seconds <= 86'400 ? seconds : kSettleSeconds;
}

Status ScriptRunner::keepWaiting(double seconds)
{
    framesLeft_ = std::max(framesLeft_ - 1, 0);
    switch (waiting_)
    {
    case Waiting::kFrames:
        waiting_ = framesLeft_ > 0 ? waiting_ : Waiting::kNothing;
        break;
    case Waiting::kSettled: {
        const std::string unsettled = framesLeft_ == 0 ? host_.unsettled() : std::string();
        if (framesLeft_ == 0 && unsettled.empty())
        {
            // Panels are drawn before their frame's picture.  One more frame shows the settled picture's figures.
            waiting_ = Waiting::kFrames;
            framesLeft_ = 1;
        }
        else if (!unsettled.empty() && seconds - since_.value_or(seconds) > settleSeconds())
        {
            return Error{ExitCode::kExpectation,
                         fmt::format("wait settled: found still pending {}, expected settled within {:g} s "
                                     "(OROGEN_SETTLE_SECONDS allows more)",
                                     unsettled, settleSeconds())};
        }
        break;
    }
    case Waiting::kOpening:
        waiting_ = host_.opening() ? waiting_ : Waiting::kNothing;
        break;
    case Waiting::kCapture: {
        const Result<bool> capturing = host_.capturing();
        if (!capturing)
        {
            return capturing.error();
        }
        waiting_ = *capturing ? waiting_ : Waiting::kNothing;
        break;
    }
    case Waiting::kInput:
        waiting_ = injector_->busy() ? waiting_ : Waiting::kNothing;
        if (const auto failure = injector_->takeFailure())
        {
            return Error{ExitCode::kExpectation, *failure};
        }
        break;
    case Waiting::kNothing:
        break;
    }
    return Status::ok();
}

Status ScriptRunner::begin(const step::Set& step) { return host_.setSetting(step.key, step.value); }

Status ScriptRunner::begin(const step::Click& step)
{
    injector_->click(step.item);
    waiting_ = Waiting::kInput;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Key& step)
{
    injector_->key(step.name);
    waiting_ = Waiting::kInput;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Drag& step)
{
    injector_->drag(step.item, step.dx, step.dy);
    waiting_ = Waiting::kInput;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Open& step)
{
    host_.open(step.file);
    waiting_ = Waiting::kOpening;
    return Status::ok();
}

Status ScriptRunner::begin(const step::WaitFrames& step)
{
    framesLeft_ = step.frames;
    waiting_ = Waiting::kFrames;
    return Status::ok();
}

Status ScriptRunner::begin(const step::WaitSettled&)
{
    framesLeft_ = kLeastFrames;
    waiting_ = Waiting::kSettled;
    return Status::ok();
}

Status ScriptRunner::begin(const step::Screenshot& step) { return host_.screenshot(step.file); }

Status ScriptRunner::begin(const step::Capture& step)
{
    waiting_ = Waiting::kCapture;
    return host_.capture(step.folder, std::uint64_t(step.frames));
}

Status ScriptRunner::begin(const step::Mark& step)
{
    host_.mark(step.name);
    return Status::ok();
}

Status ScriptRunner::begin(const step::Run& step)
{
    return host_.run({.module = step.module, .assignments = step.assignments, .wholeResult = true});
}

Status ScriptRunner::begin(const step::Expect& step)
{
    const auto found = host_.value(step.key);
    if (!found)
    {
        return Error{ExitCode::kUsage, fmt::format("expect: unknown key '{}', expected a setting or a key that "
                                                   "orogen view --help-script lists",
                                                   step.key)};
    }
    const auto holds = compare(*found, step.relation, step.value);
    if (!holds)
    {
        return holds.error();
    }
    if (!*holds)
    {
        return Error{ExitCode::kExpectation,
                     fmt::format("{}: found {}, expected {} {}", step.key, *found, textOf(step.relation), step.value)};
    }
    return Status::ok();
}

Status ScriptRunner::begin(const step::Quit&)
{
    host_.quit();
    next_ = script_.steps.size();
    return Status::ok();
}

Status ScriptCommands::setSetting(const std::string& key, const std::string& value)
{
    const Settings::View before = session_.settings.wanted().view;
    if (Status s = session_.settings.set(key, value, session_.messages); !s) return s;
    session_.graphics.renderer().lod().countRoundsAnew();
    if (session_.settings.wanted().view != before) session_.camera.path().pause();
    return Status::ok();
}

void ScriptCommands::open(const std::string& dem)
{
    session_.requests.open(dem);
    session_.graphics.renderer().lod().countRoundsAnew();
}

Status ScriptCommands::goTo(const step::GoTo& to)
{
    session_.camera.path().pause();
    session_.graphics.renderer().lod().countRoundsAnew();
    return to.name.empty() ? session_.places.goTo(to.place) : session_.tools.orientation().goToName(to.name, session_);
}

Status ScriptCommands::bookmark(int number, bool set)
{
    if (set) return session_.places.setBookmark(number);
    session_.camera.path().pause();
    session_.graphics.renderer().lod().countRoundsAnew();
    return session_.places.goToBookmark(number);
}

Status ScriptCommands::capture(const std::string& folder, std::uint64_t frames)
{
    CaptureRequest request;
    request.folder = folder;
    request.frames = frames;
    request.awaited = true;
    request.section = section_;
    const std::optional<CameraPath>& own = session_.camera.path().path();
    const World world = session_.terrain.world();
    std::string flight = "along the path " + request.path;
    if (own && checkPathWorld(*own, world))
    {
        request.path.clear();
        flight = "along the path that is loaded" + (own->name.empty() ? "" : ": " + own->name);
    }
    else if (world == World::kEarth)
    {
        request.atView = true;
        flight = "where the camera stands";
    }
    if (Status s = session_.captures.start(std::move(request), session_); !s) return s;
    const std::string told = fmt::format("capture {}: {} {}", folder, counted(frames, "frame"), flight);
    session_.messages.report(MessageKind::kNote, told);
    if (session_.headless) tell(told);
    return Status::ok();
}

Status ScriptCommands::model(const step::Model& step)
{
    LiveModel& model = session_.model;
    session_.graphics.renderer().lod().countRoundsAnew();
    if (step.verb == "run") return model.run(step.steps, session_);
    if (step.verb == "save") return model.save(step.file, session_);
    if (step.verb == "window")
    {
        const auto place = [](const std::array<double, 3>& at) { return ModelPlace{{at[0], at[1]}, at[2]}; };
        return model.chooseWindow(step.window ? std::optional(place(*step.window)) : std::nullopt, session_);
    }
    const bool play = step.verb == "play";
    if (play)
        if (Status s = model.run(0, session_); !s) return s;
    if (Status s = setSetting("model.play", play ? "true" : "false"); !s) return s;
    if (step.verb == "undo") return model.undoRun(session_);
    if (step.verb == "reset") return model.reset(session_);
    if (!play) model.stop();
    return Status::ok();
}

Status ScriptCommands::brush(const step::Brush& step)
{
    const compute::Dab dab{.kind = *compute::brushNamed(step.kind),
                           .middle = {step.x, step.y},
                           .radius = step.radius,
                           .amount = step.amount};
    return session_.model.paint(dab, true, session_);
}

Result<bool> ScriptCommands::capturing() const
{
    if (session_.captures.running()) return true;
    if (session_.captures.error()) return *session_.captures.error();
    return false;
}

std::optional<std::string> ScriptCommands::rendererValue(std::string_view key) const
{
    const WorkCounters& work = session_.graphics.renderer().stats().work;
    if (key == "leaves") return std::to_string(work.leaves);
    if (key == "triangles") return std::to_string(work.triangles);
    if (key == "splits") return std::to_string(work.splits);
    if (key == "merges") return std::to_string(work.merges);
    if (key == "scale_in_effect") return fmt::format("{:g}", session_.graphics.renderer().stats().scale);
    if (key == "overflow") return std::to_string(work.refused);
    if (key == "gl_errors") return std::to_string(session_.graphics.errors());
    if (key == "rounds")
    {
        session_.graphics.awaitAnswers();
        return std::to_string(session_.graphics.renderer().lod().roundsToSettle());
    }
    if (key == "error_max_px" || key == "error_p99_px") return errorValue(key == "error_max_px");
    if (key == "error_brute_px") return judgedErrorValue();
    if (key == "jump_max_px") return jumpValue();
    if (key == "conforming" || key == "cracks") return meshValue(key == "cracks");
    return std::nullopt;
}

// Returns a figure of TileStats; 0 for terrain that is one image.
std::optional<std::string> ScriptCommands::tileValue(std::string_view key) const
{
    if (!key.starts_with("tile")) return std::nullopt;
    const TileStats tiles = session_.graphics.renderer().stats().tiles.value_or(TileStats{});
    if (key == "tiles_resident") return std::to_string(tiles.resident);
    if (key == "tiles_wanted") return std::to_string(tiles.wanted);
    if (key == "tiles_missing") return std::to_string(tiles.missing);
    if (key == "tiles_loading") return std::to_string(tiles.loading);
    if (key == "tile_bytes_read") return std::to_string(tiles.bytesRead);
    return std::nullopt;
}

std::string ScriptCommands::groundValue() const
{
    if (!session_.terrain.info()) return "null";
    const Result<std::optional<double>> height =
        session_.terrain.sourceHeight(cameraOf(session_.settings.wanted().view));
    if (!height) session_.messages.report(MessageKind::kError, height.error().message);
    return height && *height ? fmt::format("{:.6f}", **height) : "null";
}

std::optional<std::string> ScriptCommands::placeValue(std::string_view key) const
{
    if (key == "insets") return std::to_string(session_.terrain.insets().size());
    if (key != "latitude" && key != "longitude" && key != "height") return std::nullopt;
    const std::optional<Geodetic> place = session_.terrain.placeAt(session_.settings.wanted().view.position);
    if (!place) return "null";
    if (key == "height") return fmt::format("{:.3f}", place->height);
    return fmt::format("{:.9f}", key == "latitude" ? place->latitude : place->longitude);
}

// Returns the maximum (`largest`) or 99th percentile of the last drawn frame's screen-space error (pixels); "null" on
// an error.
std::string ScriptCommands::errorValue(bool largest) const
{
    const Result<PixelFigures> error = session_.graphics.renderer().checks().measureErrorNow();
    if (!error) session_.messages.report(MessageKind::kError, error.error().message);
    return error ? fmt::format("{:.6f}", largest ? error->largest : error->p99) : "null";
}

// Returns the maximum error of the last drawn frame (pixels) as traced on the CPU, a slow but independent method.
std::string ScriptCommands::judgedErrorValue() const
{
    const Result<PixelFigures> error = session_.graphics.renderer().checks().judgeErrorNow(session_.terrain.field());
    if (!error) session_.messages.report(MessageKind::kError, error.error().message);
    return error ? fmt::format("{:.6f}", error->largest) : "null";
}

std::string ScriptCommands::jumpValue() const
{
    const std::optional<double> jump = session_.graphics.renderer().checks().takeLargestJump();
    return jump ? fmt::format("{:.6f}", *jump) : "null";
}

// Validates the last drawn mesh.  Returns the number of faults (`count`) or whether there are none; "null" on an error.
std::string ScriptCommands::meshValue(bool count) const
{
    const Result<MeshVerdict> verdict = session_.graphics.renderer().checks().validateNow();
    if (!verdict) session_.messages.report(MessageKind::kError, verdict.error().message);
    if (!verdict) return "null";
    if (!verdict->conforming()) session_.messages.report(MessageKind::kError, "mesh: " + verdict->first);
    return count ? std::to_string(verdict->faults) : verdict->conforming() ? "true" : "false";
}

std::optional<std::string> ScriptCommands::computeValue(std::string_view key) const
{
    constexpr std::string_view kModule = "module.", kState = ".state", kResult = ".result";
    if (!key.starts_with(kModule)) return std::nullopt;
    key.remove_prefix(kModule.size());
    if (key.ends_with(kState)) return session_.compute.state(key.substr(0, key.size() - kState.size()));
    if (key.ends_with(kResult)) return session_.compute.result(key.substr(0, key.size() - kResult.size()));
    return std::nullopt;
}

std::optional<std::string> ScriptCommands::value(std::string_view key)
{
    if (findSetting(key)) return settingText(session_.settings.wanted(), key);
    if (key == "frame") return std::to_string(session_.frame);
    if (key == "nodata_count") return std::to_string(session_.terrain.raster().voids);
    if (key == "message") return session_.messages.newest();
    if (key == "laboratory.state") return std::string(session_.laboratory.state());
    if (const double ms = session_.stats.cpu.intervalMs; key == "fps")
        return ms > 0 ? fmt::format("{:.3f}", 1000.0 / ms) : "null";
    if (key == "pending") return std::to_string(session_.pending().total());
    if (key == "ground") return groundValue();
    if (std::optional<std::string> value = session_.model.value(key)) return value;
    if (std::optional<std::string> value = placeValue(key)) return value;
    if (std::optional<std::string> value = tileValue(key)) return value;
    if (std::optional<std::string> value = rendererValue(key)) return value;
    if (std::optional<std::string> value = session_.tools.value(key)) return value;
    return computeValue(key);
}

}  // namespace orogen::app
