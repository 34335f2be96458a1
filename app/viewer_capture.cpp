// How the viewer captures: the session says what to draw, the viewer draws it and tells what it took.
#include <fmt/format.h>

#include "app/base/interrupt.h"
#include "app/base/progress.h"
#include "app/session/capture_metadata.h"
#include "app/viewer.h"
#include "core/base/output_file.h"
#include "core/base/sha256.h"
#include "core/frames/capture/capture_files.h"

namespace orogen::app {
namespace {

Error withPrefix(const char* prefix, const Error& error) { return {error.code, prefix + error.message}; }

}  // namespace

Result<CameraPath> Viewer::pathOf(const CaptureRequest& request) const
{
    if (!request.path.empty()) return findCameraPath(request.path, paths_.folder());
    if (paths_.path()) return *paths_.path();
    return Error{ExitCode::kUsage, "found no camera path, expected one that was recorded or loaded"};
}

Result<ReportMetadata> Viewer::captureMetadata(const CameraPath& path, const std::string& pathName) const
{
    ReportMetadata metadata = describeSession(*context_, renderer_->shaders(), renderer_->timersOffered());
    setPath(metadata, path, pathName);
    const PixelSize size = pictureSize();
    metadata.width = size.width;
    metadata.height = size.height;
    if (!info_) return metadata;
    Result<std::string> hash = heightmapHash(raster_.name, raster_.synthetic);
    if (!hash) return hash.error();
    const bool filled = voids_.state().filled > 0;  // then it is not the file's terrain any more
    metadata.heightmap = info_->name + (filled ? kVoidsFilled : "");
    metadata.heightmapSha256 = filled ? sha256(*hash + kVoidsFilled) : *hash;
    return metadata;
}

Status Viewer::startCapture(CaptureRequest request)
{
    if (captures_.session()) return Error{ExitCode::kUsage, "a capture is running"};
    if (loader_.loading()) return Error{ExitCode::kUsage, "a terrain is being loaded"};
    if (voids_.running()) return Error{ExitCode::kUsage, "voids are being filled"};
    if (request.sides.empty()) request.sides = {{"", wanted_}};
    for (CaptureSide& side : request.sides)
    {
        side.settings.view = {};  // the path moves the camera
        if (side.settings.lod.frozen)
            return Error{ExitCode::kUsage, "lod.frozen: found true, expected false: a capture follows the camera"};
    }
    const Result<CameraPath> path = pathOf(request);
    if (!path) return path.error();
    const Result<ReportMetadata> metadata = captureMetadata(*path, request.path);
    if (!metadata) return metadata.error();
    const std::vector<std::string> read = filesRead();
    for (const CaptureSide& side : request.sides)
        for (const std::string& file : capture_files::finishedFiles(request.folder + '/' + side.folder, request.runs))
            if (const Status s = checkOutputFile(file, read, Existing::kReplace); !s) return s;
    Result<std::unique_ptr<CaptureSession>> session = CaptureSession::create(std::move(request), *path, *metadata);
    if (!session) return session.error();
    captures_.begin(std::move(*session));
    beforeCapture_ = wanted_;
    (void)compute_.takeEvents();  // of before
    captureError_.reset();
    captureSize_ = pictureSize();
    paths_.pause();
    renderer_->observe(this);
    if (Window* window = context_->window()) window->setVsync(false);
    return Status::ok();
}

Status Viewer::aimCapture()
{
    CaptureSession& session = *captures_.session();
    if (!session.runOpen())
    {
        wanted_ = session.settings();
        if (Status s = renderer_->apply(wanted_); !s) return s;
        renderer_->restart();
        if (Status s = session.beginRun(frame_, surroundings(), context_->debug().errors()); !s) return s;
    }
    storeCamera(session.camera(), wanted_.view);
    return renderer_->apply(wanted_);
}

Status Viewer::recordCapture(double beginMs, double frameMs)
{
    CaptureSession& session = *captures_.session();
    FrameSample sample;
    sample.intervalMs = stats_.intervalMs;
    sample.cpuMs = std::max(frameMs - paced_.waitMs - paced_.swapMs.value_or(0.0), 0.0);
    sample.waitMs = paced_.waitMs;
    sample.swapMs = paced_.swapMs;
    sample.uploadBytes = renderer_->stats().uploadBytes + ui_->uploadedBytes();
    sample.vramKib = renderer_->memoryBytes() / 1024;
    sample.module = compute_.runningNames();
    std::vector<ComputeEvent> ended = compute_.takeEvents();
    session.place(ended, beginMs);
    if (!ended.empty()) sample.event = eventText(ended);
    if (!(pictureSize() == std::exchange(captureSize_, pictureSize()))) sample.flags |= kFrameResize;
    if (session.request().validate) session.checked(conforming() == "true");
    const bool ready = renderer_->shaders().ready() && !renderer_->busy();
    if (Status s = session.add(frame_, beginMs, std::move(sample), ready, renderer_->stats().work); !s) return s;
    if (!session.runDrawn()) return Status::ok();
    drainGpu();
    if (Status s = session.endRun(context_->debug().errors()); !s) return s;
    const std::string picture = session.pictureFolder() + "/last.png";
    if (Status s = screenshot(picture); !s) return s;
    return session.done() ? endCapture(false) : Status::ok();
}

// Waits until the GPU has answered for every frame.
void Viewer::drainGpu()
{
    glFinish();
    while (renderer_->framesInFlight() > 0)
    {
        const int before = renderer_->framesInFlight();
        renderer_->collect(kPatience);
        if (renderer_->framesInFlight() == before) break;  // it does not answer
    }
    renderer_->collect();
}

Status Viewer::endCapture(bool interrupted)
{
    CaptureSession& session = *captures_.session();
    if (interrupted && session.runOpen())
    {
        drainGpu();
        (void)!screenshot(session.pictureFolder() + "/last.png");  // the rows matter more
    }
    renderer_->observe(nullptr);
    const Status status = captures_.end(interrupted, context_->debug().errors());
    wanted_ = beforeCapture_;
    if (Window* window = context_->window()) window->setVsync(options_.vsync);
    return status;
}

void Viewer::captureFailed(const Error& error)
{
    if (captures_.session()) (void)!endCapture(true);
    say(MessageKind::kError, withPrefix("capture: ", error).message);
    captureError_ = error;
}

void Viewer::actOnCaptures(const UiActions& actions)
{
    captures_.update();
    if (actions.capture)
        if (const Status s = startCapture(*actions.capture); !s) say(MessageKind::kError, s.error().message);
    if (actions.stopCapture && captures_.session())
        if (const Status s = endCapture(true); !s) captureFailed(s.error());
    if (actions.compare) captures_.compare(*actions.compare);
    if (actions.recover)
    {
        const Result<FinishedCapture> recovered = captures_.recover(*actions.recover);
        say(recovered ? MessageKind::kNote : MessageKind::kError,
            recovered ? "recovered " + recovered->folder : recovered.error().message);
    }
}

Result<std::vector<FinishedCapture>> Viewer::capture(CaptureRequest request)
{
    const Status loaded = awaitTerrain();
    if (!loaded && !interruption()) return loaded.error();
    if (Status s = startCapture(std::move(request)); !s) return s.error();
    const CaptureSession* session = captures_.session();
    ProgressLine line;
    while (captures_.session() == session)
    {
        const bool closed = context_->window() && context_->window()->closeRequested();
        if (const std::optional<Error> signal = interruption(); signal || closed || quit_)
        {
            line.clear();
            if (Status s = endCapture(true); !s) return s.error();
            if (signal) return *signal;
            break;
        }
        const CaptureProgress at = session->progress();
        line.show(at.fraction(), at.warmingUp ? "warming up" : "capturing");
        if (Status s = step(); !s) return s.error();
    }
    line.clear();
    if (captureError_) return *captureError_;
    return captures_.finished();
}

Result<bool> Viewer::capturing() const
{
    if (captures_.session()) return true;
    if (captureError_) return *captureError_;
    return false;
}

void Viewer::work(const WorkCounters& work)
{
    if (captures_.session()) captures_.session()->work(work);
}

void Viewer::times(const GpuTimes& times)
{
    if (captures_.session()) captures_.session()->gpu(times);
}

Status Viewer::capture(const std::string& folder, std::uint64_t frames)
{
    CaptureRequest request;
    request.folder = folder;
    request.frames = frames;
    return startCapture(std::move(request));
}

}  // namespace orogen::app
