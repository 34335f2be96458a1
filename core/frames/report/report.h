// The report about a capture: what report.json holds (schema orogen.frame-report/1) and report.html shows.
// What could not be found out is an empty optional: null in the file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/status.h"
#include "core/frames/statistics/statistics.h"

namespace orogen {

inline constexpr std::string_view kReportSchema = "orogen.frame-report/1";

enum class GpuTimer
{
    kHardware,
    kSoftware,  // a software rasteriser: says when commands were taken, not how long the work took
    kNone,      // nothing was measured on the GPU
};
std::string_view textOf(GpuTimer timer);     // "hardware", "software", "none"
std::string_view meaningOf(GpuTimer timer);  // a sentence

// Where and with what a capture was taken.
struct ReportMetadata
{
    using Text = std::optional<std::string>;

    std::string created;  // UTC, "2024-05-01T12:34:56Z"
    std::string version;  // of the program
    Text commit;
    std::optional<bool> dirty;
    Text buildType, compiler;
    std::vector<std::string> commandLine;

    Text glVendor, glRenderer, glVersion, glslHeader, contextPath;
    GpuTimer gpuTimer = GpuTimer::kNone;
    Text cudaDriver, cudaRuntime, cudaDevice;
    Text cpu, governor, kernel;
    std::optional<double> load;               // average of the last minute, at the start
    std::optional<std::uint64_t> processors;  // that this process may use

    int width = 0, height = 0;  // pixels
    std::optional<double> scale;
    std::optional<bool> vsync;  // null: nothing was presented
    bool headless = false;

    std::string heightmap;                                  // name, as given
    Text heightmapSha256, pathName, pathHash, shadersHash;  // of the contents
};

std::string nowUtc();  // "2024-05-01T12:34:56Z"

// Fills cpu, governor, kernel, load and processors of this machine, and `created` with the time.
void describeMachine(ReportMetadata& metadata);

// What the tiles of a terrain did during a run, or during all of them.
struct TileUse
{
    // By the rows of the measured frames.
    std::uint64_t frames = 0;         // that say how many tiles were missing
    std::uint64_t framesMissing = 0;  // in which one was: an ancestor was drawn instead
    std::uint64_t mostMissing = 0;    // at once
    std::uint64_t loaded = 0;         // came
    // By the cache, warm-up included; empty where a capture was killed during the run.
    std::optional<std::uint64_t> budgetBytes, residentBytes;  // resident: at most
    std::optional<std::uint64_t> resident, capacity;          // tiles; resident: at most
    std::optional<std::uint64_t> bytesRead, requests, hits;
    std::optional<double> coarser;  // samples as far apart as asked for times this, at most
    bool operator==(const TileUse&) const = default;

    std::optional<double> hitRate() const;  // 1 where nothing was asked for
};
TileUse fromCache(const TileStats& before, const TileStats& after);  // the second half
TileUse together(const TileUse& a, const TileUse& b);                // of two runs

// Of the report's first sentences: how many frames lacked tiles, or that none did; empty where there are no tiles.
struct FrameReport;
std::string tilesSentence(const FrameReport& report);

// A note as a sentence: its first word capitalised, unless that is a key or a name of something.
std::string sentenceText(std::string_view note);

// One run, as the report holds it.
struct ReportRun
{
    std::string file;        // "run-01.csv", beside the report
    std::uint64_t rows = 0;  // in the file, warm-up included
    std::uint64_t warmupFrames = 0;
    Statistics statistics;
    std::optional<std::string> workHash;
    std::optional<bool> conforming;         // null: not checked
    std::optional<std::uint64_t> glErrors;  // debug messages of type error
    bool interrupted = false;               // ended before its last frame
    bool unsettled = false;                 // warm-up gave up before the tree had settled
    std::optional<TileUse> tiles = {};      // empty: the terrain is one image
};

// Of a capture of two sides that took turns: A B, B A, A B ..., a pair of runs a round.
struct Interleaving
{
    std::string capture;  // names the capture: the same for both sides, and no other one's
    std::string side;     // "a" or "b"
    bool operator==(const Interleaving&) const = default;
};
// The side whose run is the first of a round, counted from 0.
inline std::string_view firstOfRound(std::uint64_t round) { return round % 2 == 0 ? "a" : "b"; }

struct FrameReport
{
    ReportMetadata metadata;
    std::string settings;             // one JSON object, as settingsToJson writes it
    std::uint64_t framesPlanned = 0;  // measured frames a run
    std::uint64_t warmupMinimum = 0;
    std::uint64_t runsPlanned = 0;
    bool mangohud = false;    // each run is exported for MangoHud's tools too
    bool presentmon = false;  // ... for those of PresentMon
    bool settled = false;     // each frame waited for its tiles
    bool panels = false;      // the panels were drawn in every frame, and are part of its times
    std::optional<Interleaving> interleaving;
    std::vector<ReportRun> runs;
    Statistics statistics;                        // over all measured frames
    std::optional<std::string> workHash;          // that of all runs; null where they differ or have none
    std::optional<bool> conforming;               // false if one is false, true if all are true, else null
    std::optional<std::uint64_t> glErrors;        // of all runs; null where one is unknown
    bool interrupted = false, unsettled = false;  // of any run, or runs are missing
    bool recovered = false;                       // finished after its capture had been killed
    std::optional<TileUse> tiles = {};            // of all runs; empty: the terrain is one image
    std::vector<std::string> notes;               // one line each
    std::string picture = {};                     // the last frame for the page, a small PNG; not in report.json
};

// Statistics and work hash of a run from its rows; the rest is as it was.
void summarize(ReportRun& run, std::span<const FrameSample> rows, double budgetMs);

// Sets what the report says about all runs together.  rows[i] belongs to report.runs[i].
void summarize(FrameReport& report, std::span<const std::vector<FrameSample>> rows, double budgetMs);

}  // namespace orogen
