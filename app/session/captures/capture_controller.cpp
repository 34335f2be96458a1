#include "app/session/captures/capture_controller.h"

#include <algorithm>
#include <filesystem>
#include <thread>

#include <fmt/format.h>

#include "app/gl/image.h"
#include "app/session/captures/running_capture.h"
#include "app/session/frame_clock.h"
#include "app/session/session.h"
#include "core/base/atomic_file.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/frames/capture/capture_files.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/statistics/statistics.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {

namespace {

constexpr std::uint64_t kErrorPeriod = 60;  // measured frames between error measurements
constexpr std::uint64_t kWarmUpPause = 15;  // warm-up frames between pauses for panels
constexpr double kLongestWait = 60;         // longest wait of a frame for heights, and again for imagery (seconds)
// Limits of the PNG thumbnail of the last frame: width in pixels, and bytes.  Its text in the report takes up to 60 KB.
constexpr int kThumbnailWidth = 320;
constexpr std::size_t kMostThumbnailBytes = 45'000;

ShownComparison compareNow(ComparisonRequest request)
{
    ShownComparison shown;
    ComparisonOptions options;
    options.marginPercent = request.marginPercent;
    Result<ComparedFolders> compared = compareFolders(request.baseline, request.candidate, options);
    if (compared && !request.page.empty())
        if (Status s = writeFileAtomically(request.page, compared->html()); !s) shown.error = s.error().message;
    if (compared)
        shown.comparison = std::move(compared->comparison);
    else
        shown.error = compared.error().message;
    shown.request = std::move(request);
    return shown;
}

Result<CameraPath> pathOf(const std::string& name, const PathControl& paths)
{
    if (!name.empty()) return findCameraPath(name, paths.folder());
    if (paths.path()) return *paths.path();
    return Error{ExitCode::kUsage, "found no camera path, expected one that was recorded or loaded"};
}

// Returns a name such as "earth of relief.tif with a.tif, b.tif".
std::string earthName(const Session& session)
{
    const auto lastPart = [](const std::string& name) { return std::filesystem::path(name).filename().string(); };
    std::string name = kEarthName;
    if (!session.options.relief.empty()) name += " of " + lastPart(session.options.relief);
    for (const InsetRequest& inset : session.requests.insets())
        name += (&inset == &session.requests.insets().front() ? " with " : ", ") + lastPart(inset.name);
    return name;
}

// Returns the SHA-256 of lines "SHA-256  name", one for the shipped relief, for the file that replaces it, and for each
// inset.  A file above kMostHashedBytes, or of unknown size, is hashed by name and extent.  Error kInput.
Result<std::string> earthHash(const Session& session)
{
    const Result<std::string> relief = sha256OfFile((session.root() / kShippedRelief).string());
    if (!relief) return relief.error();
    std::string lines = *relief + "  " + kShippedRelief + "\n";
    const auto add = [&lines](const std::string& name, const EarthExtent& extent) -> Status {
        const std::optional<std::uint64_t> bytes = sourceBytes(name);
        Result<std::string> hash =
            bytes && *bytes <= kMostHashedBytes
                ? heightmapHash(name, false)
                : Result<std::string>(sha256(
                      fmt::format("{} {} {} {} {}", name, extent.west, extent.south, extent.east, extent.north)));
        if (!hash) return hash.error();
        lines += *hash + "  " + std::filesystem::path(name).filename().string() + "\n";
        return Status::ok();
    };
    if (const Inset* replaced = session.terrain.earth()->replacedRelief())
        if (Status s = add(session.options.relief, replaced->extent); !s) return s.error();
    for (std::size_t i = 0; i < session.requests.insets().size(); ++i)
        if (Status s = add(session.requests.insets()[i].name, session.terrain.insets()[i].extent); !s) return s.error();
    return sha256(lines);
}

Result<ReportMetadata> metadataOf(const Session& session, const CameraPath& path, const std::string& pathName)
{
    Renderer& renderer = session.graphics.renderer();
    ReportMetadata metadata =
        describeSession(session.graphics.context(), renderer.sourceHash(), renderer.timers().offered());
    setPath(metadata, path, pathName);
    const PixelSize size = session.graphics.size();
    metadata.width = size.width;
    metadata.height = size.height;
    if (!session.terrain.info()) return metadata;
    const Raster& raster = session.terrain.raster();
    if (session.terrain.earth())
    {
        Result<std::string> hash = earthHash(session);
        if (!hash) return hash.error();
        metadata.heightmap = earthName(session);
        metadata.heightmapSha256 = std::move(*hash);
        return metadata;
    }
    Result<std::string> hash = session.terrain.tiles() ? tiledHash(raster, session.terrain.field())
                                                       : heightmapHash(raster.name, raster.synthetic);
    if (!hash) return hash.error();
    const bool filled = session.terrain.voids().state().filled > 0;  // the heights differ from the file's
    metadata.heightmap = session.terrain.info()->name + (filled ? kVoidsFilled : "");
    metadata.heightmapSha256 = filled ? sha256(*hash + kVoidsFilled) : *hash;
    return metadata;
}

// Returns a note that identifies a picture over the ground by name, opacity and hash; only local files have a hash.
std::string pictureNote(const PictureLayer& layer)
{
    const bool file = layer.name.find("://") == std::string::npos && !isGdalPath(layer.name);
    const std::string name = file ? std::filesystem::path(layer.name).filename().string() : layer.name;
    const Result<std::string> hash = file ? sha256OfFile(layer.name) : Result<std::string>(std::string("not computed"));
    return fmt::format("picture: {}, opacity {:g}, SHA-256 {}", printable(name), layer.opacity,
                       hash ? *hash : "unknown: it cannot be read any more");
}

// Returns whether `file` lies in `folder` or below.
bool liesIn(const std::string& file, const std::string& folder)
{
    std::error_code failed;
    const auto whole = [&failed](const std::string& name) { return std::filesystem::weakly_canonical(name, failed); };
    const std::filesystem::path relative = whole(file).lexically_relative(whole(folder));
    return !failed && !relative.empty() && *relative.begin() != "..";
}

Status checkOutputs(const CaptureRequest& request, const std::vector<std::string>& read)
{
    // The folder holds one capture, whose files would replace the trace, or be replaced by it.
    if (!request.trace.empty() && liesIn(request.trace, request.folder))
        return Error{ExitCode::kUsage, fmt::format("--trace: found {}, expected a name outside {}",
                                                   printable(request.trace), printable(request.folder))};
    if (!request.trace.empty())
        if (Status s = checkOutputFile(request.trace, read, Existing::kReplace); !s) return s;
    for (const CaptureSide& side : request.sides)
        for (const std::string& file : capture_files::finishedFiles(request.folder + '/' + side.folder, request.runs))
            if (Status s = checkOutputFile(file, read, Existing::kReplace); !s) return s;
    return Status::ok();
}

Status checkSides(std::vector<CaptureSide>& sides)
{
    for (CaptureSide& side : sides)
    {
        side.settings.view = {};  // the path moves the camera
        if (side.settings.lod.frozen)
            return Error{ExitCode::kUsage, "lod.frozen: found true, expected false: a capture follows the camera"};
    }
    return Status::ok();
}

}  // namespace

Status CaptureController::start(CaptureRequest request, Session& session)
{
    if (running()) return Error{ExitCode::kUsage, "a capture is running"};
    if (session.records.running()) return Error{ExitCode::kUsage, "a film is being recorded"};
    if (session.terrain.loading()) return Error{ExitCode::kUsage, "a terrain is being loaded"};
    if (session.terrain.voids().running()) return Error{ExitCode::kUsage, "voids are being filled"};
    if (session.split) return Error{ExitCode::kUsage, "a split picture is open: a capture measures one picture"};
    if (session.imagery.pending()) return Error{ExitCode::kUsage, "imagery is being loaded"};
    if (request.sides.empty()) request.sides = {{"", session.settings.wanted()}};
    for (CaptureSide& side : request.sides)
        side.settings = session.settings.measurable(std::move(side.settings));
    if (Status s = checkSides(request.sides); !s) return s;
    const World world = session.terrain.world();
    const Result<CameraPath> path = request.atView ? standingPath(cameraOf(session.settings.wanted().view), world)
                                                   : pathOf(request.path, session.camera.path());
    if (!path) return path.error();
    if (Status s = checkPathWorld(*path, world); !s) return s;
    const Result<ReportMetadata> metadata = metadataOf(session, *path, request.atView ? path->name : request.path);
    if (!metadata) return metadata.error();
    if (Status s = checkOutputs(request, session.filesRead()); !s) return s;
    const bool inTiles = session.terrain.tiles() != nullptr;
    Result<std::unique_ptr<RunningCapture>> capture = RunningCapture::create(
        std::move(request), *path, *metadata, session.history, inTiles ? RunColumns::kWithTiles : RunColumns::kOfAll);
    if (!capture) return capture.error();
    if (const ColourTiles* imagery = session.terrain.imagery(); imagery && session.settings.wanted().imageryShown())
    {
        if (!imagery->credit().empty()) (*capture)->note("imagery: " + imagery->credit());
        for (const PictureLayer& layer : session.imagery.layers())
            if (layer.visible) (*capture)->note(pictureNote(layer));
    }
    if (session.terrain.info() && session.terrain.info()->estimated)
        (*capture)->note("errors are estimated: the source does not say how far its tiles lie from the finest data");
    if (Status s = session.graphics.renderer().checks().prepareErrors(); !s)
        (*capture)->note("the error was not measured: " + s.error().message);
    else
        (*capture)->note(
            fmt::format("the error was measured in every {}th frame and the last one of a run, between frames; "
                        "interval_ms and wait_ms of the {} frames after it are left out",
                        kErrorPeriod, kFramesInFlight));
    const bool validating = session.graphics.renderer().checks().validating();
    if (Status s = session.graphics.renderer().checks().validateEachFrame((*capture)->request().validate); !s)
    {
        (void)(*capture)->finish(true, session.graphics.errors());
        return s;
    }
    validatedBefore_ = validating;
    leftOut_ = 0;
    pausing_ = false;
    awaited_ = (*capture)->request().awaited;
    machine_ = std::make_unique<MachineMonitor>(MachineSources{.renderer = metadata->glRenderer.value_or("")});
    begin(std::move(*capture));
    session.graphics.renderer().timers().keepSpans(!capture_->request().trace.empty());
    before_ = session.settings.wanted();
    (void)session.compute.takeEvents();  // discard earlier events
    error_.reset();
    const PixelSize size = session.graphics.size();
    width_ = size.width;
    height_ = size.height;
    session.camera.path().pause();
    if (Window* window = session.graphics.window()) window->setVsync(false);
    return Status::ok();
}

void CaptureController::beforeFrame(Session& session)
{
    if (const Status s = aim(session); !s) fail(s.error(), session);
}

void CaptureController::afterFrame(Session& session)
{
    if (const Status s = record(session); !s) fail(s.error(), session);
}

Status CaptureController::aim(Session& session)
{
    Renderer& renderer = session.graphics.renderer();
    if (!capture_->runOpen())
    {
        session.settings.want(capture_->settings());
        if (Status s = renderer.apply(session.settings.wanted()); !s) return s;
        renderer.restart();
        if (Status s = capture_->beginRun(session.frame, session.surroundings(), session.graphics.errors()); !s)
            return s;
        calls_.emplace();
    }
    storeCamera(capture_->camera(), session.settings.view());
    if (Status s = renderer.apply(session.settings.wanted()); !s) return s;
    waitedMs_ = 0;
    if (!capture_->request().settled) return Status::ok();
    const double before = session.seconds();
    // The sample counts the tiles that are still missing after this wait.
    (void)renderer.tiles().settle(capture_->camera(), kLongestWait);
    waitedMs_ = 1000 * (session.seconds() - before);
    return Status::ok();
}

Status CaptureController::record(Session& session)
{
    Graphics& graphics = session.graphics;
    const FrameRecord& drawn = session.stats;
    FrameSample sample;
    if (calls_) sample.glCalls = calls_->take();
    if (capture_->request().panels) sample.uploadBytes = graphics.ui().uploadedBytes();
    sample.vramKib = totalBytes(graphics.renderer().memory()) / 1024;
    sample.module = session.compute.runningNames();
    if (machine_) sample.machine = machine_->newest();
    std::vector<ComputeEvent> ended = session.compute.takeEvents();
    capture_->place(ended, drawn.cpu.beginMs);
    if (!ended.empty()) sample.event = eventText(ended);
    const PixelSize size = graphics.size();
    const bool resized = size.width != std::exchange(width_, size.width);
    if (size.height != std::exchange(height_, size.height) || resized) sample.flags |= kFrameResize;
    const CaptureWaits waits{waitedMs_, leftOut_ > 0};
    if (waits.afterError) --leftOut_;
    measureError(graphics.renderer(), sample);
    const Renderer& renderer = graphics.renderer();
    const bool ready = renderer.world().programs().ready() && renderer.terrain().lightRowsLeft() == 0 &&
                       (!drawn.tiles || drawn.tiles->settled());
    if (Status s = capture_->add(drawn, std::move(sample), ready, waits); !s) return s;
    return capture_->runDrawn() ? endRun(session) : Status::ok();
}

// Measures the error of this frame if it is the last of a run or kErrorPeriod frames have passed.  The measurement
// makes the CPU wait for the GPU, so the intervals of the next kFramesInFlight frames are discarded.  Panels are drawn
// in these pauses, or early in warm-up, so that no measured frame waits for them.
void CaptureController::measureError(Renderer& renderer, FrameSample& sample)
{
    const CaptureProgress at = capture_->progress();
    const std::uint64_t leastWarmUp = std::max(capture_->request().warmup, WarmUp::kQuietFrames);
    pausing_ = at.warmingUp && at.warmupFrames % kWarmUpPause == 0 &&
               at.warmupFrames + 1 + std::uint64_t(kFramesInFlight) < leastWarmUp;
    if (at.warmingUp || ((at.frame + 1) % kErrorPeriod != 0 && at.frame + 1 != at.frames)) return;
    const Result<PixelFigures> error = renderer.checks().measureErrorNow();
    if (!error) return;
    pausing_ = true;
    sample.errorMaxPx = error->largest;
    sample.errorP99Px = error->p99;
    leftOut_ = kFramesInFlight;
}

Status CaptureController::endRun(Session& session)
{
    leftOut_ = 0;
    session.graphics.awaitAnswers();
    if (Status s = capture_->endRun(session.graphics.errors()); !s) return s;
    if (Status s = session.writePicture(capture_->pictureFolder() + "/last.png"); !s) return s;
    capture_->setPicture(thumbnailPng(session.graphics.picture(), kThumbnailWidth, kMostThumbnailBytes));
    return capture_->done() ? finish(false, session) : Status::ok();
}

Status CaptureController::stop(Session& session)
{
    if (!running()) return Status::ok();
    if (capture_->runOpen())
    {
        session.graphics.awaitAnswers();
        (void)!session.writePicture(capture_->pictureFolder() + "/last.png");  // its failure must not lose the rows
        capture_->setPicture(thumbnailPng(session.graphics.picture(), kThumbnailWidth, kMostThumbnailBytes));
    }
    return finish(true, session);
}

Status CaptureController::finish(bool interrupted, Session& session)
{
    calls_.reset();
    session.graphics.renderer().timers().keepSpans(false);
    (void)!session.graphics.renderer().checks().validateEachFrame(
        validatedBefore_);  // cannot fail: restores a former state
    const Status status = end(interrupted, session.graphics.errors());
    if (!status) error_ = status.error();
    restoreView(session);
    if (Window* window = session.graphics.window()) window->setVsync(session.options.vsync);
    return status;
}

// Restores the settings, and drops the statistics of the captured frames.
void CaptureController::restoreView(Session& session)
{
    session.settings.want(before_);
    session.graphics.renderer().leaveScene();
    session.takeStats();
    session.history.clear();
}

void CaptureController::fail(const Error& error, Session& session)
{
    (void)!stop(session);
    error_ = error;
    if (!awaited_) session.messages.report(MessageKind::kError, "capture: " + error.message);
}

void CaptureController::contextLost(Session& session)
{
    if (!running()) return;
    capture_->note("the OpenGL context was lost");
    error_ = Error{ExitCode::kNoContext, "capture: the OpenGL context was lost"};
    (void)!end(true, session.graphics.errors());  // must not call OpenGL: the context is lost
    restoreView(session);
}

Status CaptureController::end(bool interrupted, std::uint64_t glErrors)
{
    machine_.reset();
    const std::unique_ptr<RunningCapture> ended = std::move(capture_);
    const CaptureRequest request = ended->request();
    Result<std::vector<FinishedCapture>> finished = ended->finish(interrupted, glErrors);
    if (!finished) return finished.error();
    if (finished->size() == 2 && !interrupted)
        compare({{finished->front().folder},
                 {finished->back().folder},
                 request.marginPercent,
                 request.folder + '/' + capture_files::kComparison});
    for (FinishedCapture& capture : *finished)
        finished_.push_back(std::move(capture));
    return Status::ok();
}

void CaptureController::findUnfinished(const std::string& folder)
{
    unfinished_ = unfinishedCaptures(folder.empty() ? kCaptureFolder : folder + '/' + kCaptureFolder);
}

Result<FinishedCapture> CaptureController::recover(const std::string& folder)
{
    Result<FrameReport> report = recoverCapture(folder);
    if (!report) return report.error();
    std::erase(unfinished_, folder);
    finished_.push_back({folder, std::move(*report)});
    return finished_.back();
}

void CaptureController::compare(ComparisonRequest request)
{
    comparison_.reset();
    Result<std::unique_ptr<BackgroundTask<ShownComparison>>> task = BackgroundTask<ShownComparison>::start(
        "comparison", [request](const TaskContext&) -> Result<ShownComparison> { return compareNow(request); });
    if (task)
        comparing_ = std::move(*task);
    else
        comparison_ = ShownComparison{std::move(request), std::nullopt, task.error().message};
}

const std::optional<ShownComparison>& CaptureController::awaitComparison()
{
    while (comparing_ && comparing_->running())
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    update();
    return comparison_;
}

void CaptureController::update()
{
    if (!comparing_ || comparing_->running()) return;
    Result<ShownComparison> shown = comparing_->take();
    comparison_ = shown ? std::move(*shown) : ShownComparison{{}, std::nullopt, shown.error().message};
    comparing_.reset();
}

CapturesState CaptureController::state() const
{
    CapturesState state;
    state.finished = &finished_;
    state.unfinished = &unfinished_;
    state.comparing = comparing();
    if (capture_) state.running = capture_->progress();
    state.panels = capture_ && capture_->request().panels;
    state.comparison = comparison_ ? &*comparison_ : nullptr;
    return state;
}

Result<ReportMetadata> captureMetadata(const Session& session, const std::string& path)
{
    const Result<CameraPath> found = pathOf(path, session.camera.path());
    if (!found) return found.error();
    return metadataOf(session, *found, path);
}

}  // namespace orogen::app
