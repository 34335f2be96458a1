#include "app/session/camera_path_session.h"

#include <filesystem>

#include "core/base/output_file.h"

namespace orogen::app {

void CameraPathSession::useFolder(std::filesystem::path folder)
{
    shipped_ = pathNames(folder);
    folder_ = std::move(folder);
}

void CameraPathSession::keepIn(std::filesystem::path folder)
{
    kept_.clear();
    for (const std::string& name : pathNames(folder))
        kept_.push_back((folder / (name + ".path")).string());
    ownFolder_ = std::move(folder);
}

void CameraPathSession::use(CameraPath path)
{
    unsaved_ = false;
    path_ = std::move(path);
    recorder_.reset();
    placed_.reset();
    player_ = {};
    startAtOnce_ = false;
}

Status CameraPathSession::load(const std::string& nameOrFile)
{
    Result<CameraPath> path = findCameraPath(nameOrFile, folder_);
    if (!path) return path.error();
    use(std::move(*path));
    return Status::ok();
}

Status CameraPathSession::save(const std::string& file)
{
    if (!path_) return Error{ExitCode::kUsage, file + ": there is no camera path to save"};
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored) && !readCameraPath(file))
        return Error{ExitCode::kOutput, file + ": is there and no camera path, expected one to replace or a free name"};
    const Status saved = saveCameraPath(*path_, file);
    unsaved_ = unsaved_ && !saved;
    return saved;
}

Result<std::string> CameraPathSession::keepUnsaved()
{
    endRecording();
    if (!unsaved_ || ownFolder_.empty()) return std::string();
    std::error_code failed;
    std::filesystem::create_directories(ownFolder_, failed);  // save() reports a failure
    const std::string file = freeFileName((ownFolder_ / "recording.path").string());
    if (Status s = save(file); !s) return s.error();
    return file;
}

void CameraPathSession::beginRecording(World world)
{
    player_.pause();
    recorder_.emplace(PathTolerance{}, world);
}

void CameraPathSession::record(double seconds, const Camera& camera, double heightAboveGround)
{
    if (recorder_ && !recorder_->add(seconds, camera, heightAboveGround)) endRecording();
}

bool CameraPathSession::endRecording()
{
    const bool something = recorder_ && !recorder_->empty();
    if (something) use(recorder_->path("recording"));
    unsaved_ = unsaved_ || something;
    recorder_.reset();
    return something;
}

Status CameraPathSession::placeOn(const Ground& ground, const ViewSurroundings& around)
{
    if (!path_ || placed_ == ground) return Status::ok();
    const bool fresh = !placed_;
    placed_ = ground;
    const bool start = std::exchange(startAtOnce_, false);
    if (Status s = checkPathWorld(*path_, around.onEarth() ? World::kEarth : World::kPlane); !s)
    {
        player_ = {};  // nothing to play
        return s;
    }
    player_.load(CameraFlight(*path_, around), fresh);
    if (start) player_.play();
    return Status::ok();
}

void CameraPathSession::play()
{
    endRecording();
    startAtOnce_ = !placed_;
    player_.play();
}

}  // namespace orogen::app
