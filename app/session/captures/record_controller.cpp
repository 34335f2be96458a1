#include "app/session/captures/record_controller.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "app/session/session.h"

namespace orogen::app {

namespace {

constexpr double kFrameWait = 60;  // limit of each wait for tiles, and for a settled frame (seconds)

Result<CameraPath> pathOf(const RecordRequest& request, const Session& session)
{
    const PathControl& paths = session.camera.path();
    if (request.path) return findCameraPath(*request.path, paths.folder());
    if (paths.path()) return *paths.path();
    return standingPath(cameraOf(session.settings.wanted().view), session.terrain.world());
}

// Returns the number of frames to record: as requested, else one flight along the path.
Result<std::uint64_t> framesOf(const RecordRequest& request, double duration)
{
    if (request.frames) return *request.frames;
    constexpr double kRounding = 1e-6;  // tolerance for rounding (frames)
    const double frames = std::ceil(duration * request.fps - kRounding);
    if (frames < 1) return Error{ExitCode::kUsage, "the camera stands still: expected a number of frames (--frames)"};
    if (frames > double(kMostFilmFrames))
        return Error{ExitCode::kUsage, fmt::format("found a flight of {:.0f} frames, expected at most {} (--frames)",
                                                   frames, kMostFilmFrames)};
    return std::uint64_t(frames);
}

}  // namespace

Status RecordController::start(RecordRequest request, Session& session)
{
    if (running()) return Error{ExitCode::kUsage, "a film is being recorded"};
    if (session.captures.running()) return Error{ExitCode::kUsage, "a capture is running"};
    if (session.terrain.loading() || !session.terrain.info())
        return Error{ExitCode::kUsage, "a terrain is being loaded"};
    const Result<CameraPath> path = pathOf(request, session);
    if (!path) return path.error();
    if (Status s = checkPathWorld(*path, session.terrain.world()); !s) return s;
    CameraFlight flight(*path, session.flownSurroundings());
    const Result<std::uint64_t> frames = framesOf(request, flight.duration());
    if (!frames) return frames.error();
    size_ = session.graphics.size();
    Result<std::unique_ptr<FilmWriter>> film =
        openFilm({.out = request.out,
                  .width = size_.width,
                  .height = size_.height,
                  .fps = request.fps,
                  .frames = *frames,
                  .existing = request.force ? Existing::kReplace : Existing::kRefuse,
                  .sources = session.filesRead()});
    if (!film) return film.error();
    film_ = std::move(*film);
    flight_.emplace(std::move(flight));
    flown_ = session.flownGround();
    path_ = *path;
    request_ = std::move(request);
    frames_ = *frames;
    frame_ = drawings_ = 0;
    before_ = session.settings.wanted();
    session.settings.want(session.settings.measurable(before_));
    startedAt_ = session.seconds();
    error_.reset();
    newest_.reset();
    session.camera.path().pause();
    if (Window* window = session.graphics.window()) window->setVsync(false);
    if (!film_->note().empty()) session.messages.report(MessageKind::kWarning, film_->note());
    return Status::ok();
}

void RecordController::beforeFrame(Session& session)
{
    const PathControl::Ground ground = session.flownGround();
    if (std::exchange(flown_, ground) != ground) flight_.emplace(path_, session.flownSurroundings());
    session.settings.view().mode = ViewMode::kFly;
    storeCamera(flight_->at(frame_, frameSeconds()), session.settings.view());
    if (!request_.panels) session.settings.view().shift = {};  // the shift makes room for panels
    if (drawings_++ > 0) return;
    session.model.stepForFilm(session);
    frameAt_ = session.seconds();
    if (request_.settled || frame_ == 0)
    {
        const Camera camera = cameraOf(session.settings.wanted().view);
        (void)session.graphics.renderer().tiles().settle(camera, kFrameWait);
        if (session.split) session.split->settleTiles(camera, kFrameWait);
    }
}

// Returns whether the drawn picture can be written as the current frame.  With RecordRequest::settled, no work may be
// pending, unless kFrameWait has passed.
bool RecordController::complete(Session& session) const
{
    if (!request_.settled) return true;
    session.graphics.awaitAnswers();
    if (session.split) session.split->awaitAnswers();
    return session.pending().total() == 0 || session.seconds() - frameAt_ > kFrameWait;
}

void RecordController::afterFrame(Session& session)
{
    if (!complete(session)) return;
    if (Status s = takePicture(session); !s)
    {
        (void)!stop(session);
        error_ = s.error();
        if (!request_.awaited) session.messages.report(MessageKind::kError, "film: " + s.error().message);
        return;
    }
    drawings_ = 0;
    if (++frame_ == frames_) (void)!stop(session);
}

Status RecordController::takePicture(Session& session)
{
    const Image picture = request_.panels ? session.graphics.picture() : session.graphics.pictureAlone();
    if (picture.width != size_.width || picture.height != size_.height)
        return Error{ExitCode::kOutput,
                     fmt::format("{}: the picture's size changed from {}x{} to {}x{}: the film ends", film_->out(),
                                 size_.width, size_.height, picture.width, picture.height)};
    return film_->add(picture);
}

Status RecordController::stop(Session& session)
{
    if (!running()) return Status::ok();
    const std::unique_ptr<FilmWriter> film = std::move(film_);
    const Status status = film->finish();
    if (!status) error_ = status.error();
    newest_ = FinishedRecording{.out = film->out(),
                                .codec = film->codec(),
                                .note = film->note(),
                                .frames = frame_,
                                .bytes = film->bytes(),
                                .width = film->width(),
                                .height = film->height(),
                                .fps = request_.fps};
    Settings settings = session.settings.wanted();
    settings.view = before_.view;
    if (settings.budget == session.settings.measurable(before_).budget) settings.budget = before_.budget;
    session.settings.want(settings);
    if (Window* window = session.graphics.window()) window->setVsync(session.options.vsync);
    if (!request_.awaited) session.messages.reportOutcome(status, "wrote " + textOf(*newest_));
    return status;
}

RecordProgress RecordController::progress(double now) const
{
    RecordProgress at{.out = film_->out(), .frame = frame_, .frames = frames_};
    if (frame_ > 0) at.secondsLeft = (now - startedAt_) * double(frames_ - frame_) / double(frame_);
    return at;
}

}  // namespace orogen::app
