// State of frame-time captures, comparisons and sweeps for panels and command line, and the requests that start them.
// A side is one of the two sets of settings that a capture can compare.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/frames/compare/comparison.h"
#include "core/frames/report/report.h"
#include "core/frames/sweep/sweep.h"
#include "core/settings.h"

namespace orogen::app {

inline constexpr std::uint64_t kLeastUntilRuns = 5;  // default minimum number of runs per side with untilPercent
inline constexpr std::uint64_t kMostCaptureFrames = 10'000'000, kMostCaptureRuns = 99;

struct CaptureSide
{
    std::string folder;  // subfolder of the capture's folder; empty: the capture's folder itself
    Settings settings;   // settings.view is ignored: the path moves the camera
};

struct CaptureRequest
{
    std::string folder;              // output folder, created
    std::string path = "overview";   // shipped name or file; flown repeatedly if too short
    bool atView = false;             // no path: the camera keeps its view
    std::uint64_t frames = 1200;     // number of measured frames per run
    std::uint64_t warmup = 60;       // minimum of warm-up frames per run
    std::uint64_t runs = 1;          // number of runs per side
    double untilPercent = 0;         // > 0: adds runs until the median's 95 % interval is within ± this percentage
    std::uint64_t maxRuns = 20;      // maximum runs per side, with untilPercent or discardThrottled
    bool discardThrottled = false;   // repeats runs in which a clock was lowered (throttled)
    bool mangohud = false;           // also exports each run for MangoHud
    bool presentmon = false;         // also exports each run for PresentMon
    std::string trace;               // file for a trace; empty: none
    double marginPercent = 2;        // two sides count as equal if they differ by less than this (%)
    bool force = false;              // accepts a folder that holds more than an earlier capture
    bool validate = false;           // validates every frame's mesh on the GPU: FrameReport::conforming
    bool settled = false;            // each frame waits until its terrain tiles are loaded
    bool panels = false;             // panels are drawn in every frame and count in its times
    std::string section;             // name of the section of all frames, if the path has no marks
    bool awaited = false;            // the caller waits for the end and reports the error itself
    std::vector<CaptureSide> sides;  // one, or two to be compared; empty: one with the session's settings
};

// Returns the path that a request flies.  On the Earth, the Earth's default path replaces a plane's; on a plane, a
// plane's default path replaces the Earth's.
std::string pathIn(World world, const std::string& requested);

// Finished or interrupted capture.
struct FinishedCapture
{
    std::string folder;
    FrameReport report;
};

struct CaptureProgress
{
    std::uint64_t run = 0, runs = 0;      // current run (from 1) and all runs, of both sides
    std::uint64_t frame = 0, frames = 0;  // measured frames of this run: drawn so far, planned
    std::uint64_t warmupFrames = 0;       // warm-up frames drawn
    bool warmingUp = false;
    bool atMost = false;  // `runs` is an upper bound: the capture may end earlier
    std::string side;     // "a", "b" or empty
    std::string folder;
    std::optional<double> framesASecond;  // in this run so far
    std::optional<double> secondsLeft;    // for all runs, extrapolated; empty: unknown yet
    double fraction() const;              // share of the measured frames of all runs, 0 to 1
};

// Returns "run 2 of 8 (B), frame 340 of 1,200, 23.4 fps"; unknown parts are left out.
std::string textOf(const CaptureProgress& progress);

struct ComparisonRequest
{
    std::vector<std::string> baseline, candidate;  // folders
    double marginPercent = kDefaultMarginPercent;
    std::string page = {};  // destination of compare.html; empty: not written
};

// Comparison as the panel shows it.  `error` says why there are no verdicts, or why the page could not be written.
struct ShownComparison
{
    ComparisonRequest request;
    std::optional<Comparison> comparison;
    std::string error;
};

struct CapturesState
{
    std::optional<CaptureProgress> running;                  // empty: no capture runs
    bool panels = false;                                     // the running capture's frames include panels
    const std::vector<FinishedCapture>* finished = nullptr;  // this session's, oldest first; never null
    const std::vector<std::string>* unfinished = nullptr;    // folders of captures that were cut off; never null
    bool comparing = false;
    const ShownComparison* comparison = nullptr;  // newest; null: none
};

// Minimum of warm-up frames per point.  Few suffice: in the first frame the triangulation converges as after a jump.
inline constexpr std::uint64_t kSweepWarmup = 16;

struct SweepRequest
{
    std::string folder;             // created, or holds an unfinished run of this sweep
    std::string path = "overview";  // as CaptureRequest::path
    std::uint64_t frames = 60;      // measured frames per point
    std::vector<int> depths;
    SweptThreshold threshold = SweptThreshold::kSplitPixels;
    std::vector<double> pixels;
    std::uint64_t shard = 0, shards = 1;  // this run measures the points shard, shard + shards, ...
};

struct SweepProgress
{
    std::size_t done = 0, todo = 0;       // points of this run: finished, all
    double fraction = 0;                  // share of this run's work, 0 to 1
    std::optional<double> secondsLeft{};  // empty: unknown yet
    std::string point{};                  // current point
    std::string folder{};
};

// Newest sweep: its plan, and the points that are finished.
struct SweepState
{
    const SweepPlan* plan = nullptr;                  // never null
    const std::vector<SweepPoint>* points = nullptr;  // never null
    std::string folder;
};

// Folder for captures of the window; unfinished captures are looked for there.
inline constexpr const char* kCaptureFolder = "orogen-captures";
// Return "orogen-captures/2026-05-01T12.34.56Z" and "orogen-sweeps/..." (UTC), with "-2" and so on if that exists.
std::string newCaptureFolder();
std::string newSweepFolder();

// Figure of a report, named as on its page, as text for the panel and the command line.
struct ReportFigure
{
    std::string name, value;
    std::string reason{};  // why there is no value, if that is known; empty if there is a value
};
std::vector<ReportFigure> figuresOf(const FrameReport& report);

// Recording of a film: what is asked, its progress and its result.

inline constexpr std::uint64_t kMostFilmFrames = 1'000'000;
inline constexpr double kDefaultFilmRate = 30, kMostFilmRate = 240;  // frames a second

struct RecordRequest
{
    std::string out{};                      // film or numbered pictures: see app/film/film_writer.h
    std::optional<std::string> path{};      // name or file; empty: the session's path, or without one a still camera
    std::optional<std::uint64_t> frames{};  // empty: one flight along the path
    double fps = kDefaultFilmRate;
    bool settled = false;  // each frame is drawn until nothing in it changes any more
    bool panels = false;   // panels are in the film
    bool force = false;    // replaces files
    bool awaited = false;  // the caller waits for the end and reports the error itself
};

struct RecordProgress
{
    std::string out{};
    std::uint64_t frame = 0, frames = 0;  // frames written, frames in total
    std::optional<double> secondsLeft{};  // empty: unknown yet
    double fraction() const { return frames > 0 ? double(frame) / double(frames) : 0; }
};

struct FinishedRecording
{
    std::string out{}, codec{}, note{};  // see FilmWriter
    std::uint64_t frames = 0, bytes = 0;
    int width = 0, height = 0;
    double fps = 0;
};

// Returns "flight.mp4: 120 frames, 1280x720, 30 a second, libx264, 1,234,567 bytes".
std::string textOf(const FinishedRecording& recording);

}  // namespace orogen::app
