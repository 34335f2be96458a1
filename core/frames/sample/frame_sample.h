// Folders of core/frames, the frame-time reports.  sample: measurements of a frame; statistics: summary of a run;
// capture: crash-safe recording and recovery; report: content and JSON; pages: HTML and charts; compare: comparison of
// captures; sweep: a grid of settings; machine: sensors; baseline: stored captures.
//
// This header: one frame, as one row of run-NN.csv, with the state of the machine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/frames/sample/frame_record.h"

namespace orogen {

// Bits of Throttle::reasons.
enum ThrottleReason : std::uint32_t
{
    kThrottleCpuThermal = 1u << 0,     // a processor or its package reached its temperature limit
    kThrottleGpuPowerCap = 1u << 1,    // power limit
    kThrottleGpuSlowdown = 1u << 2,    // hardware cut clocks to half or less, because of heat or power
    kThrottleGpuThermal = 1u << 3,     // temperature limit
    kThrottleGpuPowerBrake = 1u << 4,  // request of the power supply
};
inline constexpr std::array<std::string_view, 5> kThrottleNames = {"cpu_thermal", "gpu_power_cap", "gpu_slowdown",
                                                                   "gpu_thermal", "gpu_power_brake"};
inline constexpr std::string_view kNoThrottle = "none";

struct Throttle
{
    std::optional<std::uint32_t> reasons;  // bits of ThrottleReason; empty: unknown

    bool throttled() const { return reasons.value_or(0) != 0; }
    bool operator==(const Throttle&) const = default;
};
std::string textOf(const Throttle& throttle);  // "gpu_power_cap|gpu_thermal", "none"; empty if unknown

// Newest readings of the machine's sensors.  Empty: unknown.
struct MachineState
{
    std::optional<double> cpuMhz;                // clock of the fastest processor
    std::optional<double> cpuCelsius, cpuWatts;  // hottest sensor; sum over all packages
    std::optional<double> gpuMhz, gpuMemoryMhz, gpuCelsius, gpuWatts;
    Throttle throttle;

    bool operator==(const MachineState&) const = default;
};

struct MachineColumn
{
    std::string_view column;  // in run-NN.csv and in `statistics.machine` of report.json
    std::optional<double> MachineState::*cell;
    std::string_view label, unit;  // on the page
};
inline constexpr std::array kMachineColumns = {
    MachineColumn{"cpu_mhz", &MachineState::cpuMhz, "Processor clock", "MHz"},
    MachineColumn{"cpu_c", &MachineState::cpuCelsius, "Processor temperature", "°C"},
    MachineColumn{"cpu_w", &MachineState::cpuWatts, "Processor power", "W"},
    MachineColumn{"gpu_mhz", &MachineState::gpuMhz, "GPU clock", "MHz"},
    MachineColumn{"gpu_memory_mhz", &MachineState::gpuMemoryMhz, "GPU memory clock", "MHz"},
    MachineColumn{"gpu_c", &MachineState::gpuCelsius, "GPU temperature", "°C"},
    MachineColumn{"gpu_w", &MachineState::gpuWatts, "GPU power", "W"},
};

// Bits of FrameSample::flags.
enum FrameFlag : std::uint32_t
{
    kFrameWarmup = 1u << 0,      // before the measured part; excluded from statistics
    kFrameResize = 1u << 1,      // the picture size changed
    kFrameReload = 1u << 2,      // never written, since a capture refuses to reload shaders or open a terrain
    kFrameHitch = 1u << 3,       // a stutter as statistics.h defines it
    kFrameGpuMissing = 1u << 4,  // GPU results came too late: their cells are empty
};
inline constexpr std::array<std::string_view, 5> kFrameFlagNames = {"warmup", "resize", "reload", "hitch",
                                                                    "gpu_missing"};

// Measurements of one frame.  Empty: not measured.  Times in milliseconds.
struct FrameSample
{
    std::uint64_t frame = 0;           // from 0 at the first warm-up frame of the run
    double tMs = 0;                    // CPU clock at the frame's start, relative to frame 0
    std::optional<double> intervalMs;  // from the previous frame's present to this one's
    std::optional<double> cpuMs;       // work of this process for the frame, without waiting
    std::optional<double> waitMs;      // CPU waiting for the GPU
    std::optional<double> swapMs;      // CPU inside the present call
    std::optional<double> gpuMs;       // from the GPU's first time stamp to its last
    std::array<std::optional<double>, kReportedPasses> passMs;
    // Counters; kCounters defines how they are reported.
    std::optional<std::uint64_t> leaves, triangles, splits, merges, maxDepth;  // as in WorkCounters
    std::optional<double> errorMaxPx, errorP99Px;                              // pixels
    std::optional<std::uint64_t> uploadBytes;                                  // sent to the GPU in this frame
    std::optional<std::uint64_t> vramKib;                                      // in use by this process
    std::optional<std::uint64_t> processorUs;                                  // processor time of all threads
    std::optional<std::uint64_t> glCalls;                                      // calls of OpenGL, without the panels'
    std::string module;                                                        // names of the compute modules that ran
    std::string event;                                                         // compute jobs: see eventText()
    std::uint32_t flags = 0;                                                   // bits of FrameFlag
    MachineState machine;                                                      // newest reading at the frame's end
    std::string section;  // section of the camera path; may be empty
    // Tiled terrain, in this frame: wanted tiles that were missing, and tiles loaded.
    std::optional<std::uint64_t> tilesMissing, tilesLoaded;

    bool measured() const { return (flags & kFrameWarmup) == 0; }
    bool operator==(const FrameSample&) const = default;
};

// Aggregation of a counter over the frames of a run.
enum class CounterSummary
{
    kMean,
    kSum,
    kLargest,
};

// A counter of FrameSample as reported.  To add one, add its member to FrameSample and a line to kCounters: CSV,
// statistics, report.json and the page follow.
struct Counter
{
    std::string_view column;  // in run-NN.csv
    std::optional<std::uint64_t> FrameSample::*cell;
    std::uint64_t (*counted)(const WorkCounters&);  // GPU counter; null: the measuring code sets the cell
    CounterSummary summary;
    std::string_view key;    // in `work` of report.json
    std::string_view label;  // row label on the page; empty: shares the previous row
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
    Counter{"processor_us", &FrameSample::processorUs, nullptr, CounterSummary::kMean, "processor_us_mean",
            "Processor time of all threads, mean", "µs"},
    Counter{"gl_calls", &FrameSample::glCalls, nullptr, CounterSummary::kMean, "gl_calls_mean", "Calls of OpenGL, mean",
            ""},
};
inline constexpr std::size_t kCountersBeforeErrors = 5;  // the two columns of the error follow this many counters

void setWork(FrameSample& sample, const WorkCounters& work);  // copies the GPU counters

inline constexpr int kTimeDecimals = 4;  // decimals of real numbers in run-NN.csv
// Returns the sample as its row stores it: real numbers rounded to kTimeDecimals, ASCII control characters in texts
// replaced by blanks.  Real numbers outside [0, 1e9) become empty, tMs 0.  So statistics of rounded samples equal those
// of the file.
FrameSample rounded(FrameSample sample);

// Column set of a run.
enum class RunColumns
{
    kOfAll,             // all columns but those of tiles
    kWithTiles,         // for a tiled terrain: all columns, the two of tiles at the end
    kEarlier,           // files of earlier versions, without the machine's state and sections
    kEarlierWithTiles,  // files of earlier versions with the two tile columns
};
inline bool hasTiles(RunColumns columns)
{
    return columns == RunColumns::kWithTiles || columns == RunColumns::kEarlierWithTiles;
}
inline bool hasState(RunColumns columns) { return columns == RunColumns::kOfAll || columns == RunColumns::kWithTiles; }

// Returns "frame,t_ms,interval_ms,...,section" without a line end; files of earlier versions end with "flags" instead.
// With tiles, ",tiles_missing,tiles_loaded" follows.
std::string_view frameColumns(RunColumns columns = RunColumns::kOfAll);

// Space reserved in the file per row: 1.5 times the usual size without texts in `module` and `event`.
inline constexpr std::size_t kReservedRow = 384;  // bytes

// Appends the row with its line end.  Requires a rounded() sample.  Quotes texts with a comma or quote, as in RFC 4180.
void appendRow(std::string& to, const FrameSample& sample, RunColumns columns = RunColumns::kOfAll);

// Parses one row without its line end.  Error (kInput): names `place` ("run-01.csv:17") and the fault.
Result<FrameSample> parseRow(std::string_view row, const std::string& place, RunColumns columns = RunColumns::kOfAll);

// Returns "warmup|resize"; empty for 0.
std::string flagsText(std::uint32_t flags);

// Time span of a compute job, in the column `event` of the frame in which it ended.  The duration is by the named
// clock; begin and end are CPU time stamps on the axis of t_ms.
struct ComputeEvent
{
    std::string name;               // "multiword add"; ';' and '@' become blanks
    std::string clock;              // "cuda_event", "gl_query" or "cpu"
    double durationMs = 0;          // by that clock
    double beginMs = 0, endMs = 0;  // CPU clock, as tMs; begin is negative for a start before the run
    bool operator==(const ComputeEvent&) const = default;
};
std::string eventText(std::span<const ComputeEvent> events);      // "NAME@CLOCK:DURATION[BEGIN:END];..."
std::vector<ComputeEvent> computeEvents(std::string_view event);  // ignores other text

// A whole run-NN.csv.
struct RunRows
{
    std::vector<FrameSample> rows;
    std::size_t ignoredBytes = 0;  // from the first incomplete or faulty line on; 0 unless read as a partial run
    RunColumns columns = RunColumns::kOfAll;
};

// Read a run, whose frame numbers must be consecutive.  Error kInput: the file cannot be read, or a line is faulty.
Result<RunRows> readRun(const std::string& path);
Result<RunRows> parseRun(std::string_view text, const std::string& path);  // parses the content of `path`

// Read the file of a killed capture: rows up to the first incomplete or faulty one.  The rows end where the reserved
// space begins, which is filled with zero bytes.  A file that ends within its header has no rows.  Error kInput: the
// file cannot be read or has another header.
Result<RunRows> readPartialRun(const std::string& path);
Result<RunRows> parsePartialRun(std::string_view text, const std::string& path);

}  // namespace orogen
