// Record of a frame: its times, counted work and checks; the records of the last frames, with statistics; and the work
// that a picture still waits for.  Panels, scripts and captures read them.
//
// A round is one pass of splits and merges over the leaves of the LOD tree, in the steps mark, plan and apply.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/terrain/tiles/tile_stats.h"

namespace orogen {

// GPU passes of a frame.  Those before kValidate run in this order and have CSV columns.  In reports the column of
// kDraw also counts kShade, kBorder, kSky and kWater.
enum class GpuPass
{
    kUpdate,  // rounds of splits and merges
    kReduce,
    kDecode,  // leaf list, culling, indirect arguments
    kDraw,    // depth of the ground
    kUi,
    kValidate,  // mesh validation on request; runs before kDraw
    kMeasure,   // FrameRecord::error and jump, on request; runs after kDraw
    kShade,     // pixels of the ground; runs after kMeasure
    kBorder,    // surroundings of the terrain: border heights before kDraw, land before kShade, walls after kShade
    kSky,       // air before kBorder; sky after kShade and kBorder; lines and multisample resolve at the end
    kWater,     // level water; runs between the sky and the lines
    kCount,
};
inline constexpr std::array<std::string_view, std::size_t(GpuPass::kCount)> kGpuPassNames = {
    "update", "reduce", "decode", "draw", "ui", "validate", "measure", "shade", "border", "sky", "water"};
inline constexpr std::size_t kReportedPasses =
    std::size_t(GpuPass::kValidate);  // passes that have columns in run-NN.csv

// Work of one frame, counted on the GPU.  The counts are exact, but arrive a few frames later.
struct WorkCounters
{
    std::uint64_t frame = 0;      // the counted frame
    std::uint32_t leaves = 0;     // leaves of the tree
    std::uint32_t visible = 0;    // leaves that survived culling
    std::uint64_t triangles = 0;  // submitted after culling
    std::uint32_t splits = 0;     // leaves split in this frame
    std::uint32_t merges = 0;     // pairs of leaves merged in this frame
    std::uint32_t refused = 0;    // splits refused by a full tree in the last frame that ran a round
    std::uint32_t maxDepth = 0;   // depth of the deepest leaf
    float thresholdPixels = 0;    // split threshold in effect, for a drawn triangle's longest edge or its error
};

// Result of the mesh validator for the mesh of one frame.
struct MeshVerdict
{
    std::uint64_t frame = 0;
    std::uint64_t faults = 0;  // sum over all kinds
    std::string first;         // first fault and where it lies in the mesh; empty if there is none

    bool conforming() const { return faults == 0; }
};

// Statistics of a value in pixels, over the picture's ground pixels.
struct PixelFigures
{
    std::uint64_t frame = 0;
    std::uint64_t pixels = 0;  // number of ground pixels
    double largest = 0, p99 = 0, mean = 0;
};

// Times of a frame by the CPU clock (milliseconds).  Slow frames are drawn in slices, between which panels react.
struct CpuTimes
{
    double beginMs = 0;  // since the session's start
    double frameMs = 0;  // from begin until presented
    double workMs = 0;   // from begin until all commands were submitted
    // From the present of the previous picture to that of this picture.  After a pause: equal to frameMs.
    double intervalMs = 0;
    double waitMs = 0;                  // waiting for the GPU, to limit frames in flight
    double sleptMs = 0;                 // deliberate sleep, to match the display's rate
    std::optional<double> swapMs;       // in the present call; empty without a window
    double clockMs = 0;                 // steady clock at the begin
    double swapAtMs = 0, waitAtMs = 0;  // when swapMs and waitMs began, from the frame's begin
    double processorMs = 0;             // processor time of all threads within intervalMs
    int panelShows = 0;                 // panel redraws between slices
    double panelShowsMs = 0;            // total time of those redraws, within frameMs
};

// A pass for traces, on the steady clock of the CPU (milliseconds).
struct PassSpan
{
    GpuPass pass = GpuPass::kUpdate;
    double cpuBeginMs = 0, cpuMs = 0;  // submission
    double gpuBeginMs = 0, gpuMs = 0;  // execution, shifted from the GPU's clock
};

// Times of a frame by the GPU's time stamps (milliseconds), from GpuTimers (app/gl/timers.h).
struct GpuTimes
{
    std::uint64_t frame = 0;
    std::array<std::optional<double>, std::size_t(GpuPass::kCount)> ms;  // empty: pass not in this frame
    std::optional<double> wholeMs;     // from the first time stamp to the last, including gaps
    std::vector<PassSpan> spans = {};  // in the order of submission; only with GpuTimers::keepSpans()
};

// Everything that is measured about a frame.  The renderer fills in what concerns the picture, FrameClock
// (app/session/frame_clock.h) fills in `cpu`, and the session the rest.  GPU results (`work`, `gpu`, `mesh`) arrive
// some frames later.  Until then a record holds the newest earlier results, whose own `frame` tells which frame they
// belong to.  The renderer replaces them in FrameHistory when the frame's own results arrive.
struct FrameRecord
{
    std::uint64_t frame = 0;
    CpuTimes cpu;
    GpuTimes gpu;  // an empty entry of gpu.ms was not measured
    WorkCounters work;
    bool workIsCurrent = false;         // whether `work` belongs to the present terrain, settings and size
    std::uint32_t modules = 0;          // compute modules that ran during the frame, one bit each
    bool gpuTimerIsHardware = false;    // false: software rasteriser, whose clock does not separate passes correctly
    std::uint64_t uploadBytes = 0;      // sent to the GPU for this frame, without its panels
    bool settled = false;               // the last finished round made no changes
    double scale = 100;                 // width and height of the drawn picture, in percent of the full size
    std::uint64_t glErrors = 0;         // debug messages of type error since the start
    std::optional<MeshVerdict> mesh;    // empty: not validated
    std::optional<PixelFigures> error;  // distance from the drawn surface to the elevation model; empty: not measured
    std::optional<PixelFigures> jump;   // movement of the drawn surface since the previous frame; empty: not measured
    std::optional<TileStats> tiles;     // empty: single-image terrain
};

// A GPU allocation, for the panel's list.
struct BufferUse
{
    std::string name;
    std::uint64_t bytes = 0;
};

// Pending work that will change the picture.  Counts by kind, 0 when done; the picture is stable when all are 0.
struct Pending
{
    std::uint64_t frames = 0;     // pictures that are incomplete, or whose camera, size or settings are outdated
    std::uint64_t tiles = 0;      // tiles wanted in view that are not resident
    std::uint64_t fades = 0;      // tiles in view that are still fading in
    std::uint64_t changes = 0;    // splits, merges and threshold changes of a round; >= 1 until the tree converges
    std::uint64_t lightRows = 0;  // rows of light map, slopes and shadow region still to be computed
    std::uint64_t model = 0;      // jobs of the terrain model: steps, strokes, saving, updates of error bounds

    std::uint64_t total() const { return frames + tiles + fades + changes + lightRows + model; }
    // Returns "12 tiles, 3 fading, 1,296 splits and merges"; empty if the total is 0.
    std::string text() const
    {
        const std::pair<std::uint64_t, const char*> rows[] = {
            {tiles, tiles == 1 ? "tile" : "tiles"},
            {fades, "fading"},
            {changes, changes == 1 ? "split or merge" : "splits and merges"},
            {lightRows, lightRows == 1 ? "row of light" : "rows of light"},
            {model, "of the terrain model"},
            {frames, frames == 1 ? "frame" : "frames"}};
        std::string text;
        for (const auto& [number, name] : rows)
            if (number > 0) text += (text.empty() ? "" : ", ") + grouped(number) + " " + name;
        return text;
    }
    bool operator==(const Pending&) const = default;
};

// The last frames, oldest first.  The performance panel draws and summarises them; a capture waits for their GPU
// results.
class FrameHistory
{
public:
    static constexpr std::size_t kCapacity = 480;  // 8 s at 60 Hz; the graph shows about one frame per pixel

    void push(const FrameRecord& frame);  // a presented frame, whose number is above all others; O(1)
    // Returns the record of a frame, for GPU results that arrive late; null: not held.  O(frames since then).
    FrameRecord* find(std::uint64_t frame);
    const FrameRecord* find(std::uint64_t frame) const { return const_cast<FrameHistory*>(this)->find(frame); }
    std::size_t size() const { return size_; }
    const FrameRecord& operator[](std::size_t i) const;  // 0: the oldest; precondition: i < size()
    void clear() { size_ = 0; }

private:
    std::array<FrameRecord, kCapacity> ring_;
    std::size_t next_ = 0, size_ = 0;
};

// Minimum of frames for a median and for a 99th percentile (with fewer than 100 it would be the slowest frame).
inline constexpr std::size_t kLeastFramesForMedian = 10, kLeastFramesForP99 = 100;
struct Spread
{
    double minimum = 0, maximum = 0;
    std::optional<double> median, p99;  // by nearest rank; empty: too few frames
    std::optional<double> slowest1;     // mean of the slowest 1 %, their number rounded up; empty: too few frames
};
std::optional<Spread> intervalSpread(const FrameHistory* history);  // milliseconds; empty without a frame

inline constexpr double kRateSeconds = 2;
// Tiles loaded and bytes read, per second.
struct TileRates
{
    double tiles = 0, bytes = 0;
};
// Returns the rates over the newest frames of the present terrain, which span about kRateSeconds or less.  Empty
// without two frames of a tiled terrain.
std::optional<TileRates> tileRates(const FrameHistory* history);

// Returns each pass's mean time (ms) over the newest 30 measured frames.  Frames in which the pass did not run count as
// 0.  Empty: the pass ran in none of these frames.
std::array<std::optional<double>, std::size_t(GpuPass::kCount)> meanPassMs(const FrameHistory& history);

}  // namespace orogen
