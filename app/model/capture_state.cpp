#include "app/model/capture_state.h"

#include <ctime>
#include <filesystem>

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/frames/statistics/statistics.h"
#include "core/view/camera_path.h"

namespace orogen::app {
namespace {

// Returns "ROOT/2026-05-01T12.34.56Z".
std::string newDatedFolder(const std::string& root)
{
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    const std::string name = fmt::format("{}/{:04}-{:02}-{:02}T{:02}.{:02}.{:02}Z", root, parts.tm_year + 1900,
                                         parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
    std::error_code error;
    std::string free = name;
    for (int i = 2; std::filesystem::exists(free, error); ++i)
        free = fmt::format("{}-{}", name, i);
    return free;
}

ReportFigure low1(const Statistics& s)
{
    const char* name = "1 % low, by mean";
    if (s.low1) return {name, figureText(s.low1->mean) + " fps"};
    return {name, std::string(kNoFigure), lowReason(s.frames, kFramesForLow1)};
}

ReportFigure percentileFigure(const char* name, const Statistics& s)
{
    const ShownPercentile& percentile = shownPercentile(name);
    if (s.frames < percentile.framesNeeded() || !s.intervalMs)
        return {name, std::string(kNoFigure), lowReason(s.frames, percentile.framesNeeded())};
    return {name, percentile.textOf(*s.intervalMs) + " ms"};
}

// Adds the shares of frames limited by CPU, GPU and present.  With a software rasteriser the shares have no value,
// since the CPU does the GPU's work.
void addBound(std::vector<ReportFigure>& figures, const FrameReport& report)
{
    const bool software = report.metadata.gpuTimer == GpuTimer::kSoftware;
    const std::optional<BoundShares>& bound = report.statistics.bound;
    for (const auto& [name, share] : {std::pair("Bound by CPU", &BoundShares::cpu),
                                      {"Bound by GPU", &BoundShares::gpu},
                                      {"Bound by present", &BoundShares::present}})
        figures.push_back({name,
                           bound && !software ? fmt::format("{:.1f} %", 100 * (*bound).*share) : std::string(kNoFigure),
                           software ? "OpenGL runs on the CPU" : ""});
}

}  // namespace

std::string pathIn(World world, const std::string& requested)
{
    const std::string onPlane = CaptureRequest().path;
    if (requested != onPlane && requested != kEarthPath) return requested;
    return world == World::kEarth ? kEarthPath : onPlane;
}

double CaptureProgress::fraction() const
{
    if (run == 0 || runs == 0 || frames == 0) return 0.0;
    return (double(run - 1) + double(frame) / double(frames)) / double(runs);
}

std::string textOf(const CaptureProgress& at)
{
    std::string text = fmt::format("run {} of {}{}", at.run, at.atMost ? "at most " : "", at.runs);
    if (!at.side.empty()) text += at.side == "a" ? " (A)" : " (B)";
    text += at.warmingUp ? fmt::format(", warm-up frame {}", grouped(at.warmupFrames))
                         : fmt::format(", frame {} of {}", grouped(at.frame), grouped(at.frames));
    if (at.framesASecond) text += fmt::format(", {:.1f} fps", *at.framesASecond);
    return text;
}

std::string newCaptureFolder() { return newDatedFolder(kCaptureFolder); }
std::string newSweepFolder() { return newDatedFolder("orogen-sweeps"); }  // for sweeps that the panel starts

std::vector<ReportFigure> figuresOf(const FrameReport& report)
{
    const Statistics& s = report.statistics;
    const std::string none(kNoFigure);
    std::vector<ReportFigure> figures;
    figures.push_back({"Frames", grouped(s.frames)});
    figures.push_back({"Average", s.fpsAverage ? figureText(*s.fpsAverage) + " fps" : none});
    for (const char* name : {"p50", "p90", "p99", "p99.9"})
        figures.push_back(percentileFigure(name, s));
    figures.push_back(low1(s));
    figures.push_back({"Stutter", s.stutter ? grouped(s.stutter->count) : none});
    addBound(figures, report);
    const std::optional<double> triangles = s.work[&FrameSample::triangles].mean;
    figures.push_back({"Triangles, mean", triangles ? grouped(*triangles, 0) : none});
    if (s.errorMaxPx) figures.push_back({"Error, largest", figureText(s.errorMaxPx->max) + " px"});
    if (s.errorP99Px) figures.push_back({"Error, p99", figureText(s.errorP99Px->mean) + " px"});
    figures.push_back({"Work hash", report.workHash.value_or(none)});
    return figures;
}

std::string textOf(const FinishedRecording& recording)
{
    return fmt::format("{}: {}, {}x{}, {:g} a second, {}, {} bytes", printable(recording.out),
                       counted(recording.frames, "frame"), recording.width, recording.height, recording.fps,
                       recording.codec, grouped(recording.bytes));
}

}  // namespace orogen::app
