// What one frame did and took: the one description that the renderer fills and panels, scripts and reports read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/terrain/tiles/tile_stats.h"

namespace orogen {

// GPU spans of a frame, in the order in which they run.
enum class GpuPass
{
    kUpdate,  // mark, plan, apply
    kReduce,
    kDecode,  // leaf list, culling, indirect arguments
    kDraw,
    kUi,
    kValidate,  // of the mesh, where asked for; runs before kDraw
    kMeasure,   // error and jump, where asked for; runs after kDraw
    kBorder,    // what lies around the terrain
    kSky,       // and the resolving of the picture
    kCount,
};
inline constexpr std::array<std::string_view, std::size_t(GpuPass::kCount)> kGpuPassNames = {
    "update", "reduce", "decode", "draw", "ui", "validate", "measure", "border", "sky"};
inline constexpr std::size_t kReportedPasses =
    std::size_t(GpuPass::kValidate);  // those that run-NN.csv has columns for

// Work of one frame, counted on the GPU; exact, though it arrives a few frames late.
struct WorkCounters
{
    std::uint64_t frame = 0;      // the frame that was counted
    std::uint32_t leaves = 0;     // of the tree
    std::uint32_t visible = 0;    // leaves that survived culling
    std::uint64_t triangles = 0;  // submitted after culling
    std::uint32_t splits = 0;     // leaves that were split in this frame
    std::uint32_t merges = 0;     // pairs of leaves that became one
    std::uint32_t refused = 0;    // splits refused at capacity by the last round that ran
    std::uint32_t maxDepth = 0;   // of the deepest leaf
    float thresholdPixels = 0;    // the split threshold in effect: a drawn triangle's longest edge, or its error
};

// What the mesh validator says of the mesh that a frame drew.
struct MeshVerdict
{
    std::uint64_t frame = 0;
    std::uint64_t faults = 0;  // of all kinds
    std::string first;         // the first one, with its place; empty if there is none

    bool conforming() const { return faults == 0; }
};

// A number of pixels, over the pixels of a picture that show ground.
struct PixelFigures
{
    std::uint64_t frame = 0;
    std::uint64_t pixels = 0;  // that show ground
    double largest = 0, p99 = 0, mean = 0;
};

struct FrameStats
{
    std::uint64_t frame = 0;
    double intervalMs = 0;       // present to present; of a frame drawn in slices, or after a rest, its own time
    int panelShows = 0;          // between its slices the panels were drawn anew so often, which is no part of its time
    double cpuMs = 0;            // of this process's work for the frame, without waiting
    WorkCounters work;           // the newest that has arrived
    bool workIsCurrent = false;  // and of the terrain, settings and size that are shown now
    // Milliseconds of the newest measured frame; empty: not measured.
    std::array<std::optional<double>, std::size_t(GpuPass::kCount)> gpuMs;
    std::uint32_t modules = 0;          // compute modules that ran during the frame, a bit each
    bool gpuTimerIsHardware = false;    // false: a software rasteriser, whose clock attributes wrongly between passes
    std::uint64_t uploadBytes = 0;      // sent to the GPU for the newest frame, without its panels
    bool settled = false;               // the last finished round changed nothing
    double scale = 100;                 // percent of each side that was drawn
    std::uint64_t glErrors = 0;         // debug messages of type error since the start
    std::optional<MeshVerdict> mesh;    // the newest that has arrived; empty: not validated
    std::optional<PixelFigures> error;  // likewise: how far what is drawn lies from the elevation model
    std::optional<PixelFigures> jump;   // likewise: how far from what the frame before drew
    std::optional<TileStats> tiles;     // of the newest frame; empty: the terrain is one image
};

// What the GPU's clock says of a frame, in milliseconds.
struct GpuTimes
{
    std::uint64_t frame = 0;
    std::array<std::optional<double>, std::size_t(GpuPass::kCount)> ms;  // empty: the pass was not in that frame
    std::optional<double> wholeMs;  // from the first time stamp to the last, gaps included
};

// A GPU allocation, for the panel's list.
struct BufferUse
{
    std::string name;
    std::uint64_t bytes = 0;
};

}  // namespace orogen
