#include "app/session/capture_controller.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>

namespace orogen::app {
namespace {

Result<std::vector<Capture>> readAll(const std::vector<std::string>& folders)
{
    std::vector<Capture> captures;
    for (const std::string& folder : folders)
    {
        Result<Capture> capture = readCapture(folder);
        if (!capture) return capture.error();
        captures.push_back(std::move(*capture));
    }
    return captures;
}

ShownComparison compareNow(ComparisonRequest request)
{
    ShownComparison shown;
    const auto refused = [&](const Error& error) {
        shown.error = error.message;
        shown.request = std::move(request);
        return shown;
    };
    const Result<std::vector<Capture>> baseline = readAll(request.baseline);
    if (!baseline) return refused(baseline.error());
    const Result<std::vector<Capture>> candidate = readAll(request.candidate);
    if (!candidate) return refused(candidate.error());
    ComparisonOptions options;
    options.marginPercent = request.marginPercent;
    Result<Comparison> comparison = compareCaptures(*baseline, *candidate, options);
    if (!comparison) return refused(comparison.error());
    shown.comparison = std::move(*comparison);
    shown.request = std::move(request);
    return shown;
}

std::string ms(double value) { return fmt::format("{:.4f} ms", value); }
std::string fps(double value) { return fmt::format("{:.3f} fps", value); }

ReportFigure low1(const Statistics& s)
{
    const char* name = "1 % low, by mean";
    if (s.low1) return {name, fps(s.low1->mean)};
    return {name, "–", lowReason(s.frames, kFramesForLow1)};
}

}  // namespace

Status CaptureController::end(bool interrupted, std::uint64_t glErrors)
{
    const std::unique_ptr<CaptureSession> session = std::move(session_);
    Result<std::vector<FinishedCapture>> finished = session->finish(interrupted, glErrors);
    if (!finished) return finished.error();
    if (finished->size() == 2 && !interrupted) compare({{finished->front().folder}, {finished->back().folder}});
    for (FinishedCapture& capture : *finished)
        finished_.push_back(std::move(capture));
    return Status::ok();
}

void CaptureController::findUnfinished() { unfinished_ = unfinishedCaptures(kFolder); }

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
    pending_ = std::async(std::launch::async, compareNow, std::move(request));
}

void CaptureController::update()
{
    if (pending_.valid() && pending_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
        comparison_ = pending_.get();
}

std::string newCaptureFolder()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    const std::string name =
        fmt::format("{}/{:04}-{:02}-{:02}T{:02}.{:02}.{:02}Z", CaptureController::kFolder, parts.tm_year + 1900,
                    parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    std::error_code error;
    std::string free = name;
    for (int i = 2; std::filesystem::exists(free, error); ++i)
        free = fmt::format("{}-{}", name, i);
    return free;
}

std::vector<ReportFigure> figuresOf(const FrameReport& report)
{
    const Statistics& s = report.statistics;
    const std::string none = "–";
    const auto share = [&](double BoundShares::*member) {
        return s.bound ? fmt::format("{:.2f} %", 100 * (*s.bound).*member) : none;
    };
    std::vector<ReportFigure> figures;
    figures.push_back({"Frames", fmt::format("{}", s.frames)});
    figures.push_back({"Average", s.fpsAverage ? fps(*s.fpsAverage) : none});
    for (const auto& [name, value] : {std::pair{"p50", &Distribution::p50},
                                      {"p90", &Distribution::p90},
                                      {"p99", &Distribution::p99},
                                      {"p99.9", &Distribution::p999}})
        figures.push_back({name, s.intervalMs ? ms((*s.intervalMs).*value) : none});
    figures.push_back(low1(s));
    figures.push_back({"Stutter", s.stutter ? fmt::format("{}", s.stutter->count) : none});
    figures.push_back({"Bound by CPU", share(&BoundShares::cpu)});
    figures.push_back({"Bound by GPU", share(&BoundShares::gpu)});
    figures.push_back({"Bound by present", share(&BoundShares::present)});
    const std::optional<double> triangles = s.work[&FrameSample::triangles].mean;
    figures.push_back({"Triangles, mean", triangles ? fmt::format("{:.1f}", *triangles) : none});
    figures.push_back({"Work hash", report.workHash.value_or(none)});
    return figures;
}

}  // namespace orogen::app
