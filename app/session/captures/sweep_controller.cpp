#include "app/session/captures/sweep_controller.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "app/render/renderer.h"
#include "app/session/session.h"
#include "core/base/json.h"
#include "core/config_file.h"
#include "core/frames/sweep/sweep.h"

namespace orogen::app {

namespace {

bool isView(const std::string& key) { return key.starts_with("view."); }

// Returns whether the sweep determines the value of this key.
bool isSwept(const std::string& key, SweptThreshold threshold)
{
    if (key == "cbt.depth" || key == "earth.depth" || key == "lod.criterion") return true;
    if (threshold == SweptThreshold::kErrorPixels) return key == "lod.error_pixels";
    return key == "lod.split_pixels" || key == "lod.merge_pixels";
}

// Returns the settings as JSON without the keys for which `left` is true.
template <class Left>
std::string settingsWithout(const Settings& settings, Left left)
{
    Json json = Json::parse(settingsToJson(settings)), kept;
    for (const auto& [key, value] : json.members())
        if (!left(key)) kept[key] = value;
    return kept.dump(1) + '\n';
}

std::vector<std::string> changedSettings(const Settings& settings, SweptThreshold threshold)
{
    std::vector<std::string> changed;
    for (const SettingInfo& info : settingTable())
    {
        const std::string key(info.key), value = settingText(settings, key);
        if (!isView(key) && !isSwept(key, threshold) && value != settingText(defaultsFor(settings), key))
            changed.push_back(key + '=' + value);
    }
    return changed;
}

Result<Settings> settingsAt(const Settings& base, const SweepPlan& plan, const SweepPoint& point)
{
    Settings settings = base;
    const std::string key = fmt::format("lod.{}", keyOf(plan.threshold));
    const bool byError = plan.threshold == SweptThreshold::kErrorPixels;
    const std::vector<SettingChange> changes = {{std::string(depthKey(base.world)), fmt::format("{}", point.depth)},
                                                {"lod.criterion", byError ? "error" : "edge"},
                                                {key, fmt::format("{}", point.pixels)}};
    if (Status s = setSettings(settings, changes); !s) return s.error();
    return settings;
}

template <class T>
Status refuseTwice(std::vector<T> values, const char* what)
{
    std::ranges::sort(values);
    const auto twice = std::ranges::adjacent_find(values);
    if (twice == values.end()) return Status::ok();
    return Error{ExitCode::kUsage, fmt::format("{}: found {} twice, expected each value once", what, *twice)};
}

Status checkRequest(const SweepRequest& request)
{
    if (request.depths.empty() || request.pixels.empty())
        return Error{ExitCode::kUsage, "a sweep: expected at least one depth and one threshold"};
    if (Status s = refuseTwice(request.depths, "--depths"); !s) return s;
    if (Status s = refuseTwice(request.pixels, "thresholds"); !s) return s;
    if (request.shards == 0 || request.shard >= request.shards)
        return Error{ExitCode::kUsage,
                     fmt::format("--shard: found {}/{}, expected i/n with i below n", request.shard, request.shards)};
    return Status::ok();
}

std::vector<std::string> viewOptions(const Session& session)
{
    if (!session.terrain.info() || session.terrain.raster().name.empty()) return {};
    std::vector<std::string> options = {session.terrain.raster().name};
    if (!session.options.relief.empty()) options.insert(options.end(), {"--relief", session.options.relief});
    for (const InsetRequest& inset : session.requests.insets())
        options.push_back(inset.name);
    return options;
}

}  // namespace

Status SweepController::start(SweepRequest request, Session& session)
{
    if (running_) return Error{ExitCode::kUsage, "a sweep is running"};
    if (session.captures.running()) return Error{ExitCode::kUsage, "a capture is running"};
    error_.reset();
    return begin(std::move(request), session);
}

Status SweepController::begin(SweepRequest request, Session& session)
{
    if (Status s = checkRequest(request); !s) return s;
    const Settings base = session.settings.measurable(session.settings.wanted());
    SweepPlan plan;
    plan.depths = request.depths;
    plan.threshold = request.threshold;
    plan.pixels = request.pixels;
    plan.frames = request.frames;
    plan.warmup = kSweepWarmup;
    plan.settings =
        settingsWithout(base, [&](const std::string& key) { return isView(key) || isSwept(key, plan.threshold); });
    plan.changedSettings = changedSettings(base, plan.threshold);
    plan.viewOptions = viewOptions(session);
    const Renderer& renderer = session.graphics.renderer();
    for (const SweepPoint& point : pointsOf(plan))
    {
        const Result<Settings> settings = settingsAt(base, plan, point);
        if (!settings) return settings.error();
        if (Status s = renderer.world().checkDepth(session.graphics.context().limits(), point.depth); !s) return s;
    }
    Result<ReportMetadata> metadata = captureMetadata(session, request.path);
    if (!metadata) return metadata.error();
    plan.metadata = std::move(*metadata);
    if (Status s = sweep_files::claim(request.folder, plan); !s) return s;
    request_ = std::move(request);
    plan_ = std::move(plan);
    points_ = sweep_files::readPoints(request_.folder, plan_, missing_);
    todo_.clear();
    for (std::size_t i = request_.shard; i < points_.size(); i += request_.shards)
        if (!points_[i].frameMsP50) todo_.push_back(i);
    at_ = 0;
    running_ = true;
    capturing_ = false;
    began_ = std::chrono::steady_clock::now();
    if (Status s = next(session); !s)
    {
        running_ = false;
        return s;
    }
    return Status::ok();
}

Status SweepController::next(Session& session)
{
    if (at_ == todo_.size()) return finish();
    SweepPoint& point = points_[todo_[at_]];
    const Result<Settings> settings = settingsAt(session.settings.measurable(session.settings.wanted()), plan_, point);
    if (!settings) return settings.error();
    if (Status s = sweep_files::clearPoint(request_.folder, plan_, point); !s) return s;
    const std::string file = settingsWithout(*settings, isView);
    if (Status s = sweep_files::writePointSettings(request_.folder, plan_, point, file); !s) return s;
    CaptureRequest capture;
    capture.folder = request_.folder + '/' + pointName(plan_, point);
    capture.path = request_.path;
    capture.frames = plan_.frames;
    capture.warmup = plan_.warmup;
    capture.settled = true;
    capture.awaited = true;
    capture.sides = {{"", *settings}};
    if (Status s = session.captures.start(std::move(capture), session); !s) return s;
    capturing_ = true;
    return Status::ok();
}

void SweepController::update(Session& session)
{
    if (!running_ || session.captures.running()) return;
    if (capturing_)
    {
        capturing_ = false;
        if (session.captures.error()) return fail(*session.captures.error(), session);
        SweepPoint& point = points_[todo_[at_]];
        const std::optional<SweepPoint> measured = sweep_files::finishedPoint(request_.folder, plan_, point);
        if (!measured)  // the capture was stopped
            return fail({ExitCode::kInterrupted, pointName(plan_, point) + ": was not finished"}, session);
        point = *measured;
        markPareto(points_);
        ++at_;
    }
    if (Status s = next(session); !s) return fail(s.error(), session);
    if (!running_ && !session.options.capture)
        session.messages.report(MessageKind::kNote, "swept: " + request_.folder + "/sweep.html");
}

// Reads the results of all points again, because other processes (shards) may have finished some meanwhile.
Status SweepController::finish()
{
    running_ = false;
    points_ = sweep_files::readPoints(request_.folder, plan_, missing_);
    return missing_ == 0 ? sweep_files::writeResults(request_.folder, plan_, points_) : Status::ok();
}

void SweepController::fail(const Error& error, Session& session)
{
    running_ = false;
    if (!session.options.capture) session.messages.report(MessageKind::kError, "sweep: " + error.message);
    error_ = error;
}

Status SweepController::stop(Session& session)
{
    if (!running_) return Status::ok();
    running_ = false;
    const bool capturing = std::exchange(capturing_, false);
    return capturing ? session.captures.stop(session) : Status::ok();
}

void SweepController::show(SweepPlan plan, std::vector<SweepPoint> points, std::string folder)
{
    assert(!running_);
    plan_ = std::move(plan);
    points_ = std::move(points);
    request_.folder = std::move(folder);
}

SweepProgress SweepController::progress(const Session& session) const
{
    SweepProgress progress{.done = at_, .todo = todo_.size(), .folder = request_.folder};
    if (todo_.empty()) return progress;
    const RunningCapture* capture = session.captures.capture();
    const double of = capture && capturing_ ? capture->progress().fraction() : 0.0;
    progress.fraction = (double(at_) + of) / double(todo_.size());
    if (at_ < todo_.size()) progress.point = pointName(plan_, points_[todo_[at_]]);
    const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    if (progress.fraction > 0) progress.secondsLeft = passed * (1 - progress.fraction) / progress.fraction;
    return progress;
}

}  // namespace orogen::app
