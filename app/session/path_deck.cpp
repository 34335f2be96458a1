#include "app/session/path_deck.h"

namespace orogen::app {

void PathDeck::useFolder(std::filesystem::path folder)
{
    shipped_ = pathNames(folder);
    folder_ = std::move(folder);
}

void PathDeck::use(CameraPath path)
{
    path_ = std::move(path);
    recorder_.reset();
    placed_.reset();
    player_ = {};
    startAtOnce_ = false;
}

Status PathDeck::load(const std::string& nameOrFile)
{
    Result<CameraPath> path = findCameraPath(nameOrFile, folder_);
    if (!path) return path.error();
    use(std::move(*path));
    return Status::ok();
}

Status PathDeck::save(const std::string& file) const
{
    if (!path_) return Error{ExitCode::kUsage, file + ": there is no camera path to save"};
    return saveCameraPath(*path_, file);
}

void PathDeck::beginRecording()
{
    player_.pause();
    recorder_.emplace();
}

void PathDeck::record(double seconds, const Camera& camera, double heightAboveGround)
{
    if (recorder_ && !recorder_->add(seconds, camera, heightAboveGround)) endRecording();
}

bool PathDeck::endRecording()
{
    const bool something = recorder_ && !recorder_->empty();
    if (something) use(recorder_->path("recording"));
    recorder_.reset();
    return something;
}

void PathDeck::placeOn(const Ground& ground, const ViewSurroundings& around)
{
    if (!path_ || placed_ == ground) return;
    player_.load(CameraFlight(*path_, around.terrain, around.ground), !placed_);
    placed_ = ground;
    if (std::exchange(startAtOnce_, false)) player_.play();
}

void PathDeck::play()
{
    endRecording();
    startAtOnce_ = !placed_;
    player_.play();
}

}  // namespace orogen::app
