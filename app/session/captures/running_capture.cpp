#include "app/session/captures/running_capture.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/installation.h"
#include "compute/device/cuda.h"
#include "core/base/json.h"
#include "core/base/sha256.h"
#include "core/base/text.h"
#include "core/config_file.h"
#include "core/frames/capture/capture_files.h"
#include "core/frames/compare/comparison_math.h"
#include "core/frames/pages/html_text.h"
#include "core/terrain/io/source_files.h"

namespace orogen::app {
namespace {

// Returns a random name that links the reports of the two sides of a capture.
std::string newCaptureName()
{
    std::random_device random;
    return fmt::format("{:08x}{:08x}", random(), random());
}

// Returns the settings of a report, as JSON.  Adds render.haze and render.texture for programs that expect these keys,
// which render.air and imagery.opacity have replaced.
std::string reportedSettings(const Settings& settings)
{
    Json json = Json::parse(settingsToJson(settings));
    json["render.haze"] = Json(settings.render.air != Air::kOff);
    json["render.texture"] = Json(settings.imagery.opacity > 0);
    return json.dump();
}

}  // namespace

std::vector<std::size_t> interleaved(std::size_t sides, std::uint64_t runs)
{
    std::vector<std::size_t> order;
    for (std::uint64_t round = 0; round < runs; ++round)
        for (std::size_t i = 0; i < sides; ++i)
            order.push_back(round % 2 == 0 ? i : sides - 1 - i);
    return order;
}

namespace {

// Returns the maximum number of runs per side.
std::uint64_t mostRuns(const CaptureRequest& request)
{
    return request.untilPercent > 0 ? std::max(request.runs, request.maxRuns) : request.runs;
}

}  // namespace

RunningCapture::RunningCapture(CaptureRequest request, CameraPath path, const FrameHistory& history)
    : request_(std::move(request)), path_(std::move(path)), history_(history),
      order_(interleaved(request_.sides.size(), mostRuns(request_))), pace_(request_.sides.size())
{
}

std::string RunningCapture::folderOf(std::size_t side) const
{
    const std::string& inner = request_.sides[side].folder;
    return inner.empty() ? request_.folder : request_.folder + '/' + inner;
}

// Returns the folders that a capture with another number of sides (two instead of one, or one instead of two) would use
// for the same request.  This capture replaces the reports in them.
std::vector<std::string> RunningCapture::otherFolders() const
{
    const bool sided = !request_.sides.front().folder.empty();
    return sided ? std::vector{request_.folder} : std::vector{request_.folder + "/a", request_.folder + "/b"};
}

std::string RunningCapture::pictureFolder() const { return folderOf(pictureSide()); }

void RunningCapture::setPicture(std::string png) { recorders_[pictureSide()]->setPicture(std::move(png)); }

// Returns the recorder's plan of a side.  `name`: see newCaptureName(); empty for a capture with one side.
CapturePlan RunningCapture::planOf(std::size_t side, RunColumns columns, const std::string& name) const
{
    CapturePlan plan;
    plan.folder = folderOf(side);
    plan.runs = mostRuns(request_);
    plan.frames = request_.frames;
    plan.warmupMinimum = request_.warmup;
    plan.mangohud = request_.mangohud;
    plan.presentmon = request_.presentmon;
    plan.settled = request_.settled;
    plan.panels = request_.panels;
    plan.columns = columns;
    if (!name.empty()) plan.interleaving = Interleaving{name, request_.sides[side].folder};
    plan.alsoReplaces = otherFolders();
    return plan;
}

Result<std::unique_ptr<RunningCapture>> RunningCapture::create(CaptureRequest request, CameraPath path,
                                                               const ReportMetadata& metadata,
                                                               const FrameHistory& history, RunColumns columns)
{
    assert(!request.sides.empty() && request.runs > 0 && request.frames > 0);
    std::unique_ptr<RunningCapture> session(new RunningCapture(std::move(request), std::move(path), history));
    const CaptureRequest& wanted = session->request_;
    if (!wanted.trace.empty()) session->trace_.emplace();
    if (!wanted.force)
        if (Status status = capture_files::checkFolder(wanted.folder); !status) return status.error();
    const std::string name = wanted.sides.size() > 1 ? newCaptureName() : std::string();
    for (std::size_t i = 0; i < wanted.sides.size(); ++i)
    {
        Result<std::unique_ptr<CaptureRecorder>> recorder = CaptureRecorder::create(
            session->planOf(i, columns, name), metadata, reportedSettings(wanted.sides[i].settings));
        if (!recorder)
        {
            for (const std::unique_ptr<CaptureRecorder>& other : session->recorders_)
                other->discard();
            return recorder.error();
        }
        session->recorders_.push_back(std::move(*recorder));
    }
    const auto governed = [](const CaptureSide& side) { return side.settings.budget.mode == BudgetMode::kFrameMs; };
    if (std::ranges::any_of(wanted.sides, governed))
        session->note(
            "budget.mode frame_ms: scale and thresholds follow from measured times, so that no run repeats another");
    return session;
}

CaptureProgress RunningCapture::progress() const
{
    return {.run = std::min(next_ + 1, order_.size()),
            .runs = order_.size(),
            .frame = measured_,
            .frames = request_.frames,
            .warmupFrames = drawn_ - measured_,
            .warmingUp = warmUp_ && !warmUp_->over(),
            .atMost = request_.untilPercent > 0,
            .side = side().folder,
            .folder = request_.folder,
            .framesASecond = drawn_ > 1 && lastMs_ > firstMs_
                                 ? std::optional(1000 * double(drawn_ - 1) / (lastMs_ - firstMs_))
                                 : std::nullopt,
            .secondsLeft = secondsLeft()};
}

// Estimates the time for the rest of this run and for the runs to come (seconds); empty before any frame has been
// timed.  Assumes that each warm-up is as long as the longest so far.
std::optional<double> RunningCapture::secondsLeft() const
{
    double allMs = 0, allFrames = 0, left = 0;
    for (const Pace& pace : pace_)
    {
        allMs += pace.ms;
        allFrames += pace.frames;
    }
    if (!(allFrames > 0)) return std::nullopt;
    for (std::size_t run = next_; run < order_.size(); ++run)
    {
        const Pace& pace = pace_[order_[run]];
        const double ms = pace.frames > 0 ? pace.ms / pace.frames : allMs / allFrames;
        const std::uint64_t warmUp = std::max(longestWarmUp_, request_.warmup);
        const std::uint64_t warmed = run == next_ ? drawn_ - measured_ : 0, measured = run == next_ ? measured_ : 0;
        const std::uint64_t warmUpLeft = measured > 0 || warmed > warmUp ? 0 : warmUp - warmed;
        left += ms * double(warmUpLeft + request_.frames - measured);
    }
    return left / 1000;
}

Status RunningCapture::beginRun(std::uint64_t frame, const ViewSurroundings& around, std::uint64_t glErrors)
{
    assert(!runOpen() && !done());
    if (Status s = recorder().beginRun(); !s) return s;
    pictured_ = next_;
    if (trace_)
        trace_->beginRun(side().folder.empty() ? fmt::format("run {}", next_ + 1)
                                               : fmt::format("run {} ({})", next_ + 1, side().folder));
    flight_.emplace(path_, around);
    warmUp_.emplace(request_.warmup, frame);
    waiting_.clear();
    drawn_ = measured_ = 0;
    runScales_ = 0;
    conforming_.reset();
    glErrorsBefore_ = glErrors;
    tilesNow_.reset();
    tileUse_.reset();
    return Status::ok();
}

Camera RunningCapture::camera() const { return flight_->at(measured_, kCaptureStep); }

// Copies CPU times, uploaded bytes and tile counts of a presented frame into `sample`, and sums up the scale of a
// measured one.
void RunningCapture::takeRecord(const FrameRecord& drawn, const CaptureWaits& waits, FrameSample& sample)
{
    const CpuTimes& cpu = drawn.cpu;
    sample.cpuMs = std::max(cpu.frameMs - cpu.waitMs - cpu.swapMs.value_or(0.0) - waits.ms, 0.0);
    sample.swapMs = cpu.swapMs;
    if (waits.afterError)
        sample.glCalls.reset();
    else
    {
        sample.intervalMs = std::max(cpu.intervalMs - waits.ms, 0.0);
        sample.waitMs = cpu.waitMs;
        sample.processorUs = std::uint64_t(1000 * cpu.processorMs);
    }
    sample.uploadBytes = sample.uploadBytes.value_or(0) + drawn.uploadBytes;
    if (const std::optional<TileStats>& now = drawn.tiles)
    {
        sample.tilesMissing = std::uint64_t(std::max(now->missing, 0));
        sample.tilesLoaded = tilesNow_ ? now->loaded - std::min(tilesNow_->loaded, now->loaded) : 0;
        const TileUse use = fromCache(tilesNow_.value_or(*now), *now);
        tileUse_ = tileUse_ ? together(*tileUse_, use) : use;
        tilesNow_ = now;
    }
    if (!warmUp_->over()) return;
    const double part = drawn.scale / double(side().settings.render.scale);
    leastScale_ = std::min(leastScale_, part);
    scales_ += part;
    runScales_ += drawn.scale;
    ++scaledFrames_;
}

Status RunningCapture::add(const FrameRecord& drawn, FrameSample sample, bool ready, const CaptureWaits& waits)
{
    assert(runOpen() && !runDrawn());
    takeRecord(drawn, waits, sample);
    const double beginMs = drawn.cpu.beginMs;
    if (drawn_ == 0)
    {
        firstMs_ = beginMs;
        sample.intervalMs.reset();  // the interval began before the run
    }
    sample.frame = drawn_;
    if (drawn_ > 1)  // leaves out the first frame of a run, which is slower
    {
        pace_[order_[next_]].ms += beginMs - lastMs_;
        pace_[order_[next_]].frames += 1;
    }
    lastMs_ = beginMs;
    sample.tMs = beginMs - firstMs_;
    sample.section = path_.marks.empty() ? request_.section : path_.sectionAt(double(measured_) * kCaptureStep);
    const bool warm = warmUp_->over();
    if (!warm) sample.flags |= kFrameWarmup;
    ++drawn_;
    measured_ += warm;
    waiting_.push_back({drawn.frame, std::move(sample)});
    if (!warm) warmUp_->frame(ready, drawn.work);
    return drain(false);
}

void RunningCapture::place(std::vector<ComputeEvent>& events, double beginMs) const
{
    const double origin = drawn_ == 0 ? beginMs : firstMs_;
    for (ComputeEvent& event : events)
    {
        event.beginMs -= origin;
        event.endMs -= origin;
    }
}

// Copies the GPU results of a frame from its record.  Returns false if some have not arrived.
bool RunningCapture::answer(std::uint64_t number, FrameSample& sample)
{
    const FrameRecord* record = history_.find(number);
    if (!record) return false;
    const bool counted = record->work.frame == number, timed = record->gpu.wholeMs && record->gpu.frame == number;
    if (counted) setWork(sample, record->work);
    if (timed)
    {
        sample.gpuMs = record->gpu.wholeMs;
        std::copy_n(record->gpu.ms.begin(), kReportedPasses, sample.passMs.begin());
        // Reports have one draw pass for the whole picture, so the times of these passes are added to it.
        std::optional<double>& drawMs = sample.passMs[std::size_t(GpuPass::kDraw)];
        for (const GpuPass pass : {GpuPass::kShade, GpuPass::kBorder, GpuPass::kSky, GpuPass::kWater})
            if (drawMs) *drawMs += record->gpu.ms[std::size_t(pass)].value_or(0);
    }
    const bool judged = !request_.validate || (record->mesh && record->mesh->frame == number);
    return counted && timed && judged;
}

// Updates the values that are not reported per frame: whether the mesh conforms (per run), and the time of validation
// (per capture).  That time leaves out warm-up, which includes the validator's first run.
void RunningCapture::judge(const FrameRecord& record, bool measured)
{
    const std::optional<double>& validating = record.gpu.ms[std::size_t(GpuPass::kValidate)];
    if (measured && validating && record.gpu.frame == record.frame)
    {
        validatedMs_ += *validating;
        ++validatedFrames_;
    }
    if (!record.mesh || record.mesh->frame != record.frame) return;
    if (!record.mesh->conforming() && conforming_.value_or(true))
        note(fmt::format("frame {} of the program: {} of the mesh, the first a {}", record.frame,
                         counted(record.mesh->faults, "fault"), record.mesh->first));
    conforming_ = conforming_.value_or(true) && record.mesh->conforming();
}

Status RunningCapture::drain(bool last)
{
    while (!waiting_.empty())
    {
        auto& [number, sample] = waiting_.front();
        if (!answer(number, sample) && !last && waiting_.size() <= kLatest) break;
        if (!sample.gpuMs) sample.flags |= kFrameGpuMissing;
        if (const FrameRecord* record = history_.find(number))
        {
            judge(*record, sample.measured());
            if (trace_) trace_->frame(*record, sample);
        }
        const Status added = recorder().add(sample);
        waiting_.pop_front();
        if (!added) return added;
    }
    return Status::ok();
}

RunOutcome RunningCapture::outcome(std::uint64_t glErrors) const
{
    RunOutcome outcome;
    outcome.conforming = conforming_;
    outcome.glErrors = glErrors - glErrorsBefore_;
    outcome.unsettled = warmUp_ && warmUp_->unsettled();
    outcome.tiles = tileUse_;
    if (measured_ > 0) outcome.scaleInEffect = runScales_ / double(measured_);
    return outcome;
}

Status RunningCapture::endRun(std::uint64_t glErrors)
{
    if (Status s = drain(true); !s) return s;
    if (trace_) trace_->endRun();
    ++attempts_;
    const bool discards = request_.discardThrottled && throttled();
    if (Status s = discards ? recorder().discardRun() : recorder().endRun(outcome(glErrors)); !s) return s;
    flight_.reset();
    longestWarmUp_ = std::max(longestWarmUp_, drawn_ - measured_);
    next_ += !discards;
    drawn_ = measured_ = 0;
    decide();
    return Status::ok();
}

bool RunningCapture::throttled() const
{
    const std::span<const FrameSample> rows = recorders_[order_[next_]]->openRows();
    return std::ranges::any_of(
        rows, [](const FrameSample& row) { return row.measured() && row.machine.throttle.throttled(); });
}

// Returns the half-width of the 95 % confidence interval that untilPercent limits.  With one side, that is the interval
// of the median frame time, relative to the median.  With two sides, it is that of the ratio of their medians.
std::optional<double> RunningCapture::halfWidth() const
{
    const auto medianOf = [](const ReportRun& run) {
        return run.statistics.intervalMs ? run.statistics.intervalMs->p50 : 0.0;
    };
    const std::vector<ReportRun>& first = recorders_.front()->runs();
    if (recorders_.size() == 1)
    {
        std::vector<double> medians;
        for (const ReportRun& run : first)
            if (medianOf(run) > 0) medians.push_back(medianOf(run));
        return halfWidth95(medians);
    }
    const std::vector<ReportRun>& second = recorders_.back()->runs();
    std::vector<PairDifference> pairs;
    for (std::size_t round = 0; round < std::min(first.size(), second.size()); ++round)
        if (medianOf(first[round]) > 0 && medianOf(second[round]) > 0)
            pairs.push_back({std::log(medianOf(second[round]) / medianOf(first[round])), firstOfRound(round) == "b"});
    return halfWidth95(pairs);
}

// Decides whether the capture ends here.  It ends if each side has at least request_.runs runs and halfWidth() is
// within untilPercent, or if discardThrottled has used up its attempts.
void RunningCapture::decide()
{
    const std::size_t sides = recorders_.size();
    const bool whole = next_ % sides == 0;  // all sides have equally many runs
    bool ends = request_.discardThrottled && attempts_ >= request_.maxRuns * sides;
    if (request_.untilPercent > 0 && whole)
    {
        const std::optional<double> reached = halfWidth();
        UntilDecided until = {request_.untilPercent, request_.maxRuns, {}, false};
        if (reached) until.halfWidthPercent = 100 * *reached;
        until.decided = reached && *until.halfWidthPercent <= until.percent && next_ >= request_.runs * sides;
        for (const std::unique_ptr<CaptureRecorder>& recorder : recorders_)
        {
            recorder->setUntil(until);
            recorder->planRuns(std::max<std::uint64_t>(next_ / sides, request_.runs));
        }
        ends = ends || until.decided;
    }
    ended_ = ends;
}

Result<std::vector<FinishedCapture>> RunningCapture::finish(bool interrupted, std::uint64_t glErrors)
{
    std::optional<Error> first;
    const auto keep = [&first](const Status& status) {
        if (!status && !first) first = status.error();
    };
    if (runOpen()) keep(drain(true));
    if (runOpen() && trace_) trace_->endRun();
    keep(writeTrace());
    // The time stamps of a software rasteriser do not measure durations.
    const bool timed = validatedFrames_ > 0 && recorders_.front()->metadata().gpuTimer == GpuTimer::kHardware;
    if (request_.validate)
        note("the mesh of every frame was validated on the GPU (--validate), which is part of gpu_ms and interval_ms" +
             (timed ? fmt::format(": {:.4f} ms in the mean of {}", validatedMs_ / double(validatedFrames_),
                                  counted(validatedFrames_, "measured frame"))
                    : ""));
    if (leastScale_ < 1)
        note(fmt::format("budget.mode frame_ms lowered the scale of the picture: to {:.0f} % of render.scale at least, "
                         "{:.0f} % in the mean of {}",
                         100 * leastScale_, 100 * scales_ / double(scaledFrames_),
                         counted(scaledFrames_, "measured frame")));
    std::vector<FinishedCapture> finished;
    for (std::size_t i = 0; i < recorders_.size(); ++i)
    {
        Result<FrameReport> report = recorders_[i]->finish(
            interrupted, runOpen() && recorders_[i].get() == &recorder() ? outcome(glErrors) : RunOutcome{});
        if (report)
            finished.push_back({folderOf(i), std::move(*report)});
        else
            keep(report.error());
    }
    flight_.reset();
    next_ = order_.size();
    if (first) return *first;
    return finished;
}

Status RunningCapture::writeTrace()
{
    if (!trace_) return Status::ok();
    if (trace_->full()) note(fmt::format("the trace is cut off at {} MB", TraceLog::kMostBytes >> 20));
    return writeFileAtomically(request_.trace, trace_->json());
}

void RunningCapture::note(const std::string& text)
{
    for (const std::unique_ptr<CaptureRecorder>& recorder : recorders_)
        recorder->note(text);
}

namespace {

// Returns the arguments with which this process was started.
std::vector<std::string> commandLine()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    std::vector<std::string> arguments;
    for (std::size_t at = 0; at < text.size();)
    {
        const std::size_t end = std::min(text.find('\0', at), text.size());
        arguments.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return arguments;
}

std::string cudaVersion(int number) { return fmt::format("{}.{}", number / 1000, number % 1000 / 10); }

void describeCuda(ReportMetadata& metadata)
{
    const compute::CudaReport cuda = compute::discoverCuda();
    if (cuda.driverVersion > 0) metadata.cudaDriver = cudaVersion(cuda.driverVersion);
    if (cuda.runtimeVersion > 0) metadata.cudaRuntime = cudaVersion(cuda.runtimeVersion);
    if (!cuda.devices.empty()) metadata.cudaDevice = cuda.devices.front().name;
}

Result<std::string> folderHash(const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (entry->is_regular_file()) files.push_back(entry->path());
    if (error) return Error{ExitCode::kInput, fmt::format("{}: {}", folder.string(), error.message())};
    std::ranges::sort(files);
    std::string lines;
    for (const std::filesystem::path& file : files)
    {
        const Result<std::string> hash = sha256OfFile(file.string());
        if (!hash) return hash.error();
        lines += fmt::format("{}  {}\n", *hash, file.filename().string());
    }
    return sha256(lines);
}

}  // namespace

ReportMetadata describeSession(const Context& context, std::uint64_t shadersHash, bool timersOffered)
{
    ReportMetadata metadata;
    describeMachine(metadata);
    metadata.version = versionNumber();
    const std::string commit = versionCommit();
    if (commit != "unknown")
    {
        metadata.dirty = commit.ends_with("-dirty");
        metadata.commit = commit.substr(0, commit.find('-'));
    }
    metadata.buildType = OROGEN_BUILD_TYPE;
    metadata.compiler = OROGEN_COMPILER;
    metadata.commandLine = commandLine();

    const ContextInfo& info = context.info();
    metadata.glVendor = info.vendor;
    metadata.glRenderer = info.renderer;
    metadata.glVersion = info.version;
    metadata.glslHeader = info.glsl460 ? "#version 460 core" : "#version 450 core + GL_ARB_shader_draw_parameters";
    metadata.contextPath = info.path;
    metadata.gpuTimer = !timersOffered ? GpuTimer::kNone : info.software ? GpuTimer::kSoftware : GpuTimer::kHardware;
    metadata.headless = !context.window();
    if (const Window* window = context.window())
    {
        metadata.scale = double(window->contentScale());
        metadata.vsync = false;  // a capture never limits the frame rate
    }
    metadata.shadersHash = fmt::format("{:016x}", shadersHash);
    describeCuda(metadata);
    return metadata;
}

void setPath(ReportMetadata& metadata, const CameraPath& path, const std::string& name)
{
    if (const std::string& known = path.name.empty() ? name : path.name; !known.empty()) metadata.pathName = known;
    metadata.pathHash = hashOf(path);
}

Result<std::string> heightmapHash(const std::string& dem, bool synthetic)
{
    if (synthetic) return sha256(dem);
    std::error_code error;
    return std::filesystem::is_directory(dem, error) ? folderHash(dem) : sha256OfFile(dem);
}

Result<std::string> tiledHash(const Raster& raster, const HeightField& overview)
{
    if (raster.synthetic) return heightmapHash(raster.name, true);
    const std::optional<std::uint64_t> bytes = sourceBytes(raster.name);
    if (bytes && *bytes <= kMostHashedBytes) return heightmapHash(raster.name, false);
    std::string text = fmt::format("{} {} {} {} {} {} {}\n", raster.width, raster.height, raster.pixelWidth,
                                   raster.pixelHeight, raster.crs, overview.scale, overview.offset);
    text.append(reinterpret_cast<const char*>(overview.codes.data()), 2 * overview.codes.size());
    return sha256(text);
}

}  // namespace orogen::app
