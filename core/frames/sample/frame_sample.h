// Frame-time reports: what a frame took (frame_sample), what a run of frames amounts to (statistics, work_hash), how it
// reaches the disk without being lost (run_writer, capture_recorder, recovery), the report about it (report,
// report_json, report_html) and whether two sides differ (comparison).
//
// This header: one frame, as one row of run-NN.csv.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/frames/sample/frame_stats.h"

namespace orogen {

// Bits of FrameSample::flags.
enum FrameFlag : std::uint32_t
{
    kFrameWarmup = 1u << 0,      // before the measured part; in no statistic
    kFrameResize = 1u << 1,      // the picture changed its size
    kFrameReload = 1u << 2,      // shaders or terrain were replaced
    kFrameHitch = 1u << 3,       // a stutter as statistics.h defines it; set by RunWriter, not by who measures
    kFrameGpuMissing = 1u << 4,  // the GPU's answer came too late to be taken: its cells are empty
};
inline constexpr std::array<std::string_view, 5> kFrameFlagNames = {"warmup", "resize", "reload", "hitch",
                                                                    "gpu_missing"};

// What is empty was not measured.  Times are milliseconds.
struct FrameSample
{
    std::uint64_t frame = 0;           // from 0 at the first warm-up frame of the run
    double tMs = 0;                    // CPU clock at the frame's begin, since that of frame 0
    std::optional<double> intervalMs;  // present to present: from the last frame's present to this one's
    std::optional<double> cpuMs;       // this process's work for the frame, without waiting
    std::optional<double> waitMs;      // the CPU waited for the GPU
    std::optional<double> swapMs;      // the CPU was in the call that presents
    std::optional<double> gpuMs;       // the GPU's first time stamp to its last
    std::array<std::optional<double>, kReportedPasses> passMs;
    // What was counted; kCounters says how it is reported.
    std::optional<std::uint64_t> leaves, triangles, splits, merges, maxDepth;  // as in WorkCounters
    std::optional<double> errorMaxPx, errorP99Px;                              // pixels
    std::optional<std::uint64_t> uploadBytes;                                  // sent to the GPU in this frame
    std::optional<std::uint64_t> vramKib;                                      // in use by this process
    std::string module;                                                        // the compute job that ran
    std::string event;                                                         // see ComputeEvent; or any text
    std::uint32_t flags = 0;                                                   // of FrameFlag
    // Of a terrain in tiles, in that frame: wanted and not there, and those that came.
    std::optional<std::uint64_t> tilesMissing, tilesLoaded;

    bool measured() const { return (flags & kFrameWarmup) == 0; }
    bool operator==(const FrameSample&) const = default;
};

// How the frames of a run are summed up to one number.
enum class CounterSummary
{
    kMean,
    kSum,
    kLargest,
};

// A counter of FrameSample as it is reported.  Whoever adds one adds a line to kCounters: the CSV, the statistics,
// report.json and the page follow.
struct Counter
{
    std::string_view column;  // of run-NN.csv
    std::optional<std::uint64_t> FrameSample::*cell;
    std::uint64_t (*counted)(const WorkCounters&);  // on the GPU; null: whoever measures sets the cell
    CounterSummary summary;
    std::string_view key;    // in `work` of report.json
    std::string_view label;  // of its row on the page; empty: it shares the row before
    std::string_view unit;   // on the page
};
inline constexpr std::array kCounters = {
    Counter{"leaves", &FrameSample::leaves, [](const WorkCounters& w) { return std::uint64_t(w.leaves); },
            CounterSummary::kMean, "leaves_mean", "Leaves, mean", ""},
    Counter{"triangles", &FrameSample::triangles, [](const WorkCounters& w) { return std::uint64_t(w.triangles); },
            CounterSummary::kMean, "triangles_mean", "Triangles, mean", ""},
    Counter{"splits", &FrameSample::splits, [](const WorkCounters& w) { return std::uint64_t(w.splits); },
            CounterSummary::kSum, "splits", "Splits, merges", ""},
    Counter{"merges", &FrameSample::merges, [](const WorkCounters& w) { return std::uint64_t(w.merges); },
            CounterSummary::kSum, "merges", "", ""},
    Counter{"max_depth", &FrameSample::maxDepth, [](const WorkCounters& w) { return std::uint64_t(w.maxDepth); },
            CounterSummary::kLargest, "max_depth", "Deepest leaf", ""},
    Counter{"upload_bytes", &FrameSample::uploadBytes, nullptr, CounterSummary::kSum, "upload_bytes", "Uploaded",
            "bytes"},
    Counter{"vram_kib", &FrameSample::vramKib, nullptr, CounterSummary::kLargest, "vram_max_kib",
            "Graphics memory, at most", "KiB"},
};
inline constexpr std::size_t kCountersBeforeErrors = 5;  // the columns of the error stand between the counters

void setWork(FrameSample& sample, const WorkCounters& work);  // the counters that the GPU counts

// The sample as its row holds it: times at kTimeDecimals, control characters of texts as blanks.  Statistics of rounded
// samples are exactly those of the file.
inline constexpr int kTimeDecimals = 4;
FrameSample rounded(FrameSample sample);

// Which columns a run has.
enum class RunColumns
{
    kOfAll,
    kWithTiles,  // of a terrain in tiles: two more, behind the others
};

// "frame,t_ms,interval_ms,...,flags" and with tiles ",tiles_missing,tiles_loaded", without a line end.
std::string_view frameColumns(RunColumns columns = RunColumns::kOfAll);

// Room that is reserved for a row: half as much again as rows take without texts in `module` and `event`.
inline constexpr std::size_t kReservedRow = 256;  // bytes

// Appends the row with its line end.  Texts are quoted as RFC 4180 says where they need it.
void appendRow(std::string& to, const FrameSample& sample, RunColumns columns = RunColumns::kOfAll);

// Reads one row (without its line end).  The error (kInput) names `place` ("run-01.csv:17"), the column, what was found
// and what was expected.
Result<FrameSample> parseRow(std::string_view row, const std::string& place, RunColumns columns = RunColumns::kOfAll);

// Text that a person reads: "warmup|resize"; empty for 0.
std::string flagsText(std::uint32_t flags);

// A compute job's span, as it stands in the column `event` of the frame in which it ended.  Its duration was taken with
// the clock it names; begin and end are CPU time stamps, by which it lies on the axis of t_ms.
struct ComputeEvent
{
    std::string name;               // "multiword add"; ';' and '@' become blanks
    std::string clock;              // "cuda_event", "gl_query" or "cpu"
    double durationMs = 0;          // by that clock
    double beginMs = 0, endMs = 0;  // CPU clock, as tMs; begin is negative where it began before the run
    bool operator==(const ComputeEvent&) const = default;
};
std::string eventText(std::span<const ComputeEvent> events);      // "NAME@CLOCK:DURATION[BEGIN:END];..."
std::vector<ComputeEvent> computeEvents(std::string_view event);  // those in the text; other text is left out

// A whole run-NN.csv.
struct RunRows
{
    std::vector<FrameSample> rows;
    std::size_t ignoredBytes = 0;  // of a torn last row (only readPartialRun)
    RunColumns columns = RunColumns::kOfAll;
};

// Frame numbers must rise by one.  Errors: kInput with file, line, column, found, expected.
Result<RunRows> readRun(const std::string& path);
Result<RunRows> parseRun(std::string_view text, const std::string& path);  // of the text in that file

// A file that a killed capture left: the rows up to the first one that is not whole, reserved space left out.  An error
// only where there is no header that could be read.
Result<RunRows> readPartialRun(const std::string& path);
Result<RunRows> parsePartialRun(std::string_view text, const std::string& path);

}  // namespace orogen
