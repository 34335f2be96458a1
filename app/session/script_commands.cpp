#include "app/session/script_commands.h"

#include <fmt/format.h>

#include "app/base/output.h"

namespace orogen::app {

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
    const std::string told = fmt::format("capture {}: {} frames {}", folder, frames, flight);
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

// Returns a statistic of the resident tiles, such as their number; 0 for terrain that is one image.
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

// Validates the last drawn mesh.  Returns the number of faults, or whether there are none, or "null" on an error.
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
