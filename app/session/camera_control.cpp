#include "app/session/camera_control.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/atomic_file.h"

namespace orogen::app {

void PathControl::useFolder(std::filesystem::path folder)
{
    shipped_ = pathNames(folder);
    folder_ = std::move(folder);
}

void PathControl::keepIn(std::filesystem::path folder)
{
    kept_.clear();
    for (const std::string& name : pathNames(folder))
        kept_.push_back((folder / (name + ".path")).string());
    ownFolder_ = std::move(folder);
}

void PathControl::use(CameraPath path)
{
    unsaved_ = false;
    path_ = std::move(path);
    recorder_.reset();
    placed_.reset();
    player_ = {};
    startAtOnce_ = false;
}

Status PathControl::load(const std::string& nameOrFile)
{
    Result<CameraPath> path = findCameraPath(nameOrFile, folder_);
    if (!path) return path.error();
    use(std::move(*path));
    return Status::ok();
}

Status PathControl::save(const std::string& file)
{
    if (!path_) return Error{ExitCode::kUsage, file + ": there is no camera path to save"};
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !readCameraPath(file))
        return Error{ExitCode::kOutput, file + ": is there and no camera path, expected one to replace or a free name"};
    const Status saved = saveCameraPath(*path_, file);
    unsaved_ = unsaved_ && !saved;
    return saved;
}

Result<std::string> PathControl::keepUnsaved()
{
    endRecording();
    if (!unsaved_ || ownFolder_.empty()) return std::string();
    std::error_code failed;
    std::filesystem::create_directories(ownFolder_, failed);  // if this fails, save() reports an error
    const std::string file = freeFileName((ownFolder_ / "recording.path").string());
    if (Status s = save(file); !s) return s.error();
    return file;
}

void PathControl::beginRecording(World world)
{
    player_.pause();
    recorder_.emplace(PathTolerance{}, world);
}

void PathControl::record(double seconds, const Camera& camera, double heightAboveGround)
{
    if (recorder_ && !recorder_->add(seconds, camera, heightAboveGround)) endRecording();
}

bool PathControl::endRecording()
{
    const bool something = recorder_ && !recorder_->empty();
    if (something) use(recorder_->path("recording"));
    unsaved_ = unsaved_ || something;
    recorder_.reset();
    return something;
}

Status PathControl::placeOn(const Ground& ground, const ViewSurroundings& around)
{
    if (!path_ || placed_ == ground) return Status::ok();
    const bool fresh = !placed_;
    placed_ = ground;
    const bool start = std::exchange(startAtOnce_, false);
    if (Status s = checkPathWorld(*path_, around.world()); !s)
    {
        player_ = {};  // drops the path that was played before
        return s;
    }
    player_.load(CameraFlight(*path_, around), fresh);
    if (start) player_.play();
    return Status::ok();
}

void PathControl::play()
{
    endRecording();
    startAtOnce_ = !placed_;
    player_.play();
}

PathState CameraControl::pathState() const
{
    PathState state;
    for (const std::string& name : path_.shipped())
        // Lists only paths for this world.
        if ((name == kEarthPath) == (world_ == World::kEarth)) state.shipped.push_back(name);
    state.own = path_.kept();
    if (const std::optional<CameraPath>& path = path_.path())
    {
        state.present = true;
        state.name = path->name;
        state.duration = path->duration();
        state.fraction = path_.fraction();
    }
    state.playing = path_.playing();
    if (path_.recording()) state.recorded = path_.recordedSeconds();
    return state;
}

Navigator& CameraControl::over(const ViewSurroundings& around)
{
    return around.onEarth() ? static_cast<Navigator&>(earth_) : plane_;
}

const Navigator& CameraControl::over(const ViewSurroundings& around) const
{
    return around.onEarth() ? static_cast<const Navigator&>(earth_) : plane_;
}

void CameraControl::reportPath(const std::string& done, Messages& messages) const
{
    const CameraPath& path = *path_.path();
    const std::size_t keys = path.keys.size();
    messages.report(MessageKind::kNote,
                    fmt::format("{}: {:.1f} s, {} key{}", done, path.duration(), keys, keys == 1 ? "" : "s"));
}

void CameraControl::endRecording(Messages& messages)
{
    if (path_.endRecording()) reportPath("recorded", messages);
}

void CameraControl::togglePlaying(Messages& messages)
{
    endRecording(messages);
    if (!path_.path())
        return messages.report(MessageKind::kWarning, "there is no camera path: record one (F9) or load one");
    path_.playing() ? path_.pause() : path_.play();
}

// Saves a recorded path that another one is about to replace.  Returns false after an error.
bool CameraControl::keepUnsaved(Messages& messages)
{
    const Result<std::string> kept = path_.keepUnsaved();
    if (!kept)
        messages.reportError(kept.error());
    else if (!kept->empty())
        messages.report(MessageKind::kNote, "the recorded camera path is kept as " + *kept);
    return bool(kept);
}

void CameraControl::load(const std::string& nameOrFile, Messages& messages)
{
    const bool recording = path_.recording();
    if (!recording && !keepUnsaved(messages)) return;
    const Status loaded = path_.load(nameOrFile);
    if (!loaded) return messages.reportError(loaded);
    if (recording) messages.report(MessageKind::kWarning, "the recording ended, unsaved: another path was loaded");
    reportPath("loaded " + nameOrFile, messages);
}

void CameraControl::save(const std::string& file, Messages& messages)
{
    endRecording(messages);
    messages.reportOutcome(path_.save(file), "wrote " + file);
}

void CameraControl::perform(const PathActions& asked, Messages& messages)
{
    if (asked.record && path_.recording())
        endRecording(messages);
    else if (asked.record && keepUnsaved(messages))
        path_.beginRecording(world_);
    if (asked.load) load(*asked.load, messages);
    if (asked.play) togglePlaying(messages);
    if (asked.scrub) path_.scrub(*asked.scrub);
    if (asked.save) save(*asked.save, messages);
}

void CameraControl::move(const CameraInput& input, glm::dvec2 cursor, double seconds, const ViewSurroundings& around,
                         SessionSettings& settings)
{
    if (!input.idle()) path_.pause();
    keepAbove(around, settings);
    settings.view() = over(around).moved(settings.view(), input, seconds, cursor, around);
}

// Lifts the camera if a changed height scale puts it below the ground.
void CameraControl::keepAbove(const ViewSurroundings& around, SessionSettings& settings)
{
    const float scale = settings.wanted().terrain.heightScale;
    if (heightScale_ && *heightScale_ != scale)
        storeCamera(over(around).lifted(cameraOf(settings.view()), around), settings.view());
    heightScale_ = scale;
}

void CameraControl::goTo(const Camera& wanted, const ViewSurroundings& around, SessionSettings& settings)
{
    storeCamera(over(around).lifted(wanted, around), settings.view());
    destination_ = Destination{wanted.position, settings.view().position};
}

Camera CameraControl::overGround(const Camera& seen, const ViewSurroundings& around) const
{
    const Navigator& navigator = over(around);
    const bool there = destination_ && destination_->reached == seen.position;  // not moved since goTo()
    if (!navigator.groundRises() && !there) return seen;
    Camera wanted = seen;
    if (there) wanted.position = destination_->wanted;
    return navigator.lifted(wanted, around);
}

void CameraControl::followGround(const ViewSurroundings& around, SessionSettings& settings)
{
    const Camera seen = cameraOf(settings.view()), lifted = overGround(seen, around);
    if (destination_ && destination_->reached != seen.position) destination_.reset();
    if (!(lifted == seen)) storeCamera(lifted, settings.view());
    if (destination_) destination_->reached = settings.view().position;
}

void CameraControl::follow(double seconds, const ViewSurroundings& around, const PathControl::Ground& ground,
                           SessionSettings& settings, Messages& messages)
{
    const Navigator& navigator = over(around);
    const World world = navigator.world();
    messages.reportError(path_.placeOn(ground, around));
    if (const std::optional<Camera> camera = path_.advanced(seconds))
    {
        settings.view().mode = ViewMode::kFly;
        storeCamera(*camera, settings.view());
    }
    else
        followGround(around, settings);
    settings.view().shift = navigator.shift(settings.wanted().view.position, around);
    if (world != world_) endRecording(messages);  // the recording belongs to the other world
    world_ = world;
    const bool recording = path_.recording();
    const Camera camera = cameraOf(settings.view());
    if (recording) path_.record(recordingSeconds_, camera, navigator.heightAboveGround(camera, around));
    if (recording && !path_.recording()) reportPath("no more fits into a path, recorded", messages);
    recordingSeconds_ += seconds;
}

}  // namespace orogen::app
