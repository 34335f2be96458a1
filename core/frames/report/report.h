// Report about a capture: content of report.json (schema orogen.frame-report/1), which report.html shows.  Also the
// hash of a run's work, and warnings about noise.  An unknown value is an empty optional, null in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/frames/sample/frame_sample.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {

inline constexpr std::string_view kReportSchema = "orogen.frame-report/1";

enum class GpuTimer
{
    kHardware,
    kSoftware,  // a software rasteriser: gives submission times, not the duration of the work
    kNone,      // nothing was measured on the GPU
};
std::string_view textOf(GpuTimer timer);     // "hardware", "software", "none"
std::string_view meaningOf(GpuTimer timer);  // one sentence on its times

// Environment and parameters of a capture.
struct ReportMetadata
{
    using Text = std::optional<std::string>;

    std::string created;  // UTC, "2024-05-01T12:34:56Z"
    std::string version;  // program version
    Text commit;
    std::optional<bool> dirty;
    Text buildType, compiler;
    std::vector<std::string> commandLine;

    Text glVendor, glRenderer, glVersion, glslHeader, contextPath;
    GpuTimer gpuTimer = GpuTimer::kNone;
    Text cudaDriver, cudaRuntime, cudaDevice;
    Text cpu, governor, kernel;
    std::optional<double> load;               // load average over the last minute, at the start
    std::optional<std::uint64_t> processors;  // usable by this process

    int width = 0, height = 0;    // pixels
    std::optional<double> scale;  // window's content scale (pixels per logical pixel); null: no window
    std::optional<bool> vsync;    // null: nothing was presented
    bool headless = false;

    std::string heightmap;                                  // name, as given
    Text heightmapSha256, pathName, pathHash, shadersHash;  // the hashes are those of the contents
};

std::string nowUtc();  // "2024-05-01T12:34:56Z"

// Fills cpu, governor, kernel, load and processors of this machine, and `created` with the present time.
void describeMachine(ReportMetadata& metadata);

// Tile activity of a terrain during a run, or during all runs.
struct TileUse
{
    // From the rows of the measured frames.
    std::uint64_t frames = 0;         // frames with tile counts
    std::uint64_t framesMissing = 0;  // frames that lacked a tile: an ancestor was drawn instead
    std::uint64_t mostMissing = 0;    // largest number missing at once
    std::uint64_t loaded = 0;         // tiles loaded
    // From the tile cache, including warm-up; empty if a capture was killed during the run.  `resident`,
    // `residentBytes` and `coarser` are the largest value in any frame.
    std::optional<std::uint64_t> budgetBytes, residentBytes;
    std::optional<std::uint64_t> resident, capacity;  // tiles
    std::optional<std::uint64_t> bytesRead, requests, hits;
    std::optional<double> coarser;  // factor by which the budget coarsens the requested sample spacing
    bool operator==(const TileUse&) const = default;

    std::optional<double> hitRate() const;  // empty without requests
};
TileUse fromCache(const TileStats& before, const TileStats& after);  // the cache's values from one frame to another
TileUse together(const TileUse& a, const TileUse& b);                // combines two runs, or parts of a run

struct FrameReport;
// Returns a sentence for the report's head on the frames that lacked tiles; empty without tiles.
std::string tilesSentence(const FrameReport& report);

// Returns a sentence for the report's head on frames with lowered clocks; empty without any.
std::string throttleSentence(const Statistics& statistics);

// Capitalises the first word of a note if that word has only lower-case letters; keys and file names stay.
std::string sentenceText(std::string_view note);

struct ReportRun
{
    std::string file;        // "run-01.csv", beside the report
    std::uint64_t rows = 0;  // including warm-up
    std::uint64_t warmupFrames = 0;
    Statistics statistics;
    std::optional<std::string> workHash;
    std::optional<bool> conforming;         // null: not checked
    std::optional<std::uint64_t> glErrors;  // debug messages of type error
    bool interrupted = false;               // ended before its last frame
    bool unsettled = false;                 // warm-up gave up before the tree had converged
    std::optional<TileUse> tiles = {};      // empty: single-image terrain
    // Mean size of the drawn picture over the measured frames, in percent of each side; empty: unknown.  A frame time
    // budget lowers it.
    std::optional<double> scaleInEffect = {};
};

// One side of an interleaved capture, whose sides run in the order A B, B A, A B ..., a pair of runs per round.
struct Interleaving
{
    std::string capture;  // id of the capture, common to both sides and unique
    std::string side;     // "a" or "b"
    bool operator==(const Interleaving&) const = default;
};
// Returns the side that runs first in a round, counted from 0.
inline std::string_view firstOfRound(std::uint64_t round) { return round % 2 == 0 ? "a" : "b"; }

// A capture that goes on until its median is known well enough.
struct UntilDecided
{
    double percent = 0;                      // wanted half-width of the 95 % interval
    std::uint64_t maxRuns = 0;               // maximum number of runs of each side
    std::optional<double> halfWidthPercent;  // half-width of the present interval; empty: fewer than two runs
    bool decided = false;
};
struct FrameReport;
// Returns "decided after 7 runs: the median is known to within 1.8 % (2 % wanted)"; empty without --until.
std::string untilSentence(const FrameReport& report);

struct FrameReport
{
    ReportMetadata metadata;
    std::string settings;             // one JSON object, as settingsToJson() writes it
    std::uint64_t framesPlanned = 0;  // measured frames per run
    std::uint64_t warmupMinimum = 0;
    std::uint64_t runsPlanned = 0;
    bool mangohud = false;    // each run is also exported for MangoHud's tools
    bool presentmon = false;  // each run is also exported for PresentMon's tools
    bool settled = false;     // each frame waited for its tiles
    bool panels = false;      // panels were drawn in every frame and count in its times
    std::optional<Interleaving> interleaving;
    std::optional<UntilDecided> until = {};  // empty: a fixed number of runs
    std::uint64_t discardedRuns = 0;         // throttled runs that were repeated
    std::vector<ReportRun> runs;
    Statistics statistics;                         // over all measured frames
    std::optional<std::string> workHash;           // common hash of all runs; null if they differ or have none
    std::optional<bool> conforming;                // false if one is false, true if all are true, else null
    std::optional<std::uint64_t> glErrors;         // sum over all runs; null if one is unknown
    bool interrupted = false, unsettled = false;   // any run is; interrupted also if runs are missing
    bool recovered = false;                        // completed after its capture was killed
    std::optional<TileUse> tiles = {};             // all runs, combined by together(); empty: single-image terrain
    std::vector<SectionStatistics> sections = {};  // see sectionsOf()
    std::vector<std::string> notes;                // one line each
    std::string picture = {};                      // last frame as a small PNG, for the page; not in report.json
};

// Updates the numbers of rows, statistics, work hash and tile use of a run from its rows.
void summarize(ReportRun& run, std::span<const FrameSample> rows, double budgetMs);

// Updates the report's totals over all runs.  rows[i] belongs to report.runs[i].
void summarize(FrameReport& report, std::span<const std::vector<FrameSample>> rows, double budgetMs);

// Returns 16 hexadecimal digits: the first 8 bytes of the SHA-256 of leaves, triangles and splits of each measured
// frame, as 64-bit little-endian numbers.  Nothing if no frame was measured or one lacks a counter.
std::optional<std::string> workHash(std::span<const FrameSample> run);

// ---- noise detection: reasons why equal runs differ ----

// Least standard deviation of the logarithms of the runs' mean intervals at which the runs count as noisy.
inline constexpr double kNoisyDeviation = 0.03;
// Least load average (last minute before the capture, per processor) at which a warning names other programs.
inline constexpr double kBusyLoad = 0.5;

struct RunSpread
{
    double slowestFps = 0, fastestFps = 0;  // from the runs' mean intervals
    double deviation = 0;                   // standard deviation of the logarithms of the mean intervals

    bool noisy() const { return deviation >= kNoisyDeviation; }
};
// Computes the spread from the mean intervals of two runs or more (ms); else returns nothing.
std::optional<RunSpread> runSpread(std::span<const double> meanIntervalMs);
std::string textOf(const RunSpread& spread);  // "differ by 41 % (2.89 to 4.07 fps, standard deviation 24 %)"

// Return one sentence per warning, from the report's runs and the machine's state at the start.
std::vector<std::string> noiseWarnings(const FrameReport& report);
std::vector<std::string> machineWarnings(const ReportMetadata& metadata);  // the machine alone

}  // namespace orogen
