// Data that panels see, and actions that they request.  Panels map a UiModel to UiActions: they never call the
// renderer, and the renderer knows no panel.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/vec2.hpp>

#include "app/session/capture_controller.h"
#include "app/session/compute_session.h"
#include "app/session/laboratory_session.h"
#include "app/session/sweep_controller.h"
#include "app/session/void_filling_session.h"
#include "app/ui/cover_state.h"
#include "app/ui/files_state.h"
#include "app/ui/path_state.h"
#include "app/ui/picture_tools_state.h"
#include "app/ui/settings_state.h"
#include "app/ui/source_state.h"
#include "core/budget/frame_time_governor.h"
#include "core/cbt/cbt.h"
#include "core/frames/sample/frame_stats.h"
#include "core/frames/sample/pending.h"
#include "core/settings.h"
#include "core/terrain/raster/raster.h"
#include "core/view/navigation.h"

namespace orogen::app {

// The last frames, oldest first; the performance panel draws and summarises them.
class FrameHistory
{
public:
    static constexpr std::size_t kCapacity = 480;  // 8 s at 60 Hz; about a pixel each in the graph

    void push(const FrameStats& frame);  // O(1)
    std::size_t size() const { return size_; }
    const FrameStats& operator[](std::size_t i) const;  // 0: the oldest; precondition: i < size()
    void clear() { size_ = 0; }

private:
    std::array<FrameStats, kCapacity> ring_;
    std::size_t next_ = 0, size_ = 0;
};

// Least numbers of frames for a median and a 99th percentile.  Below a hundred frames the percentile is the slowest
// frame.
inline constexpr std::size_t kLeastFramesForMedian = 10, kLeastFramesForP99 = 100;
struct Spread
{
    double minimum = 0, maximum = 0;
    std::optional<double> median, p99;  // by nearest rank; empty: too few frames
};
std::optional<Spread> intervalSpread(const FrameHistory* history);  // milliseconds; empty without a frame

// Returns tiles and bytes per second over the newest frames that span kRateSeconds (or all, if fewer).  Empty without
// two frames of a tiled terrain.
inline constexpr double kRateSeconds = 2;
struct TileRates
{
    double tiles = 0, bytes = 0;
};
std::optional<TileRates> tileRates(const FrameHistory* history);

// Returns each pass's mean time (ms) over the newest 30 measured frames; frames in which it did not run count as 0.
// Empty: it ran in none of them.
std::array<std::optional<double>, std::size_t(GpuPass::kCount)> meanPassMs(const FrameHistory& history);

struct TerrainInfo
{
    std::string name, format, crs;
    int width = 0, height = 0;
    double pixelWidth = 0, pixelHeight = 0;  // metres
    double minHeight = 0, maxHeight = 0;     // metres, without height exaggeration
    std::uint64_t voids = 0;
    bool synthetic = false;
    bool estimated = false;  // tiled, and the source gives no error bounds against the finest data
    std::vector<std::string> warnings;
};
TerrainInfo describe(const Raster& raster);

enum class MessageKind
{
    kNote,
    kWarning,
    kError,
};
struct UiMessage
{
    MessageKind kind = MessageKind::kNote;
    std::string text;
    double shownAt = 0;  // seconds on the clock passed to MessageLog
    int times = 1;       // occurrences; repetitions are counted, not shown again
};

// Session messages: all of them, and those on screen, which disappear after a while (errors later than notes).
class MessageLog
{
public:
    static constexpr std::size_t kMostKept = 1000;  // older ones are dropped

    void push(MessageKind kind, std::string text, double now);
    void update(double now);                                        // called once a frame
    const std::vector<UiMessage>& shown() const { return shown_; }  // oldest first, at most a few
    const std::vector<UiMessage>& all() const { return all_; }      // oldest first; consecutive repetitions are merged
    const std::string& newest() const { return newest_; }           // newest ever pushed; empty: none yet

private:
    std::vector<UiMessage> shown_, all_;
    std::string newest_;
};

struct LoadingState
{
    double fraction = 0;  // 0 to 1
    std::string text;
};

// Memory cost of another depth or leaf capacity, for display before the user applies it.
struct MemoryLimits
{
    int largestDepth = 30;  // supported by this driver
    // Returns why a tree of this depth is impossible here; null while unknown.
    std::function<Status(int depth)> checkDepth;
    // Returns the bytes of all buffers that depend on the tree's depth and leaf capacity; empty: unknown yet.
    std::function<std::uint64_t(int depth, std::uint32_t capacity)> leafBytes;
};

inline constexpr int kPanelErrorPeriod = 10;  // frames between measurements when a panel requests the error

struct UiModel
{
    Settings settings;
    FrameStats stats;
    Pending pending;         // work left in the picture shown
    std::string depthLimit;  // why a deeper tree would show more here; empty: it would not
    bool validating = false, measuringError = false, measuringJump = false;
    const FrameHistory* history = nullptr;  // null: none yet
    std::vector<BufferUse> buffers;
    MemoryLimits memory;

    std::optional<TerrainInfo> terrain;           // empty: no terrain is open
    std::vector<std::string> bundled;             // shipped DEMs, as the command line accepts them
    std::optional<LoadingState> loading;          // while a terrain is loading
    std::vector<std::string> context;             // one line each: renderer, version, path
    bool software = false;                        // OpenGL runs on the CPU
    std::optional<double> heightAboveGround;      // above ground (metres)
    std::optional<double> syntheticBelow;         // procedural detail is finer than this (metres); empty: none
    std::optional<double> speed;                  // flight speed at full key (metres per second)
    VoidState voids;                              // state of void filling
    PictureToolsState tools;                      // lookups and measurements in the picture
    SourceState source;                           // where the terrain comes from
    PathState path;                               // camera path
    CoverState cover;                             // contour lines, draped image
    SettingsState settingsState;                  // settings as a whole: undo, presets, defaults
    const CaptureController* captures = nullptr;  // null: captures are unavailable
    const SweepController* sweeps = nullptr;      // null: sweeps are unavailable
    std::optional<SweepProgress> sweep;           // while one runs
    std::optional<GovernorReport> governor;       // while budget.mode is frame_ms
    const ComputeSession* compute = nullptr;      // null: compute modules are unavailable
    const LaboratorySession* laboratory = nullptr;
    FilesState files;
    std::string shaderLog;                               // from a failed reload; empty: none
    std::vector<UiMessage> messages;                     // shown now, oldest first
    const std::vector<UiMessage>* messageLog = nullptr;  // whole session, oldest first; null: no log
    double startedAt = 0;                                // origin of the messages' clock (seconds since 1970)
};

struct UiActions
{
    Settings settings;                 // edited copy of the model's; view.mode changes keep the spot looked at
    std::vector<std::string> refused;  // rejected edits, one message each
    std::vector<std::string> copied;   // texts put on the clipboard, one message each
    SettingsActions settingsActions;   // requests on the settings as a whole

    std::optional<std::string> open;  // DEM to open
    bool cancelLoading = false;
    SourceActions source;
    bool fillVoids = false, undoFill = false, cancelFill = false;
    std::optional<CaptureRequest> capture;  // without sides: one side, with the current settings
    bool stopCapture = false;
    std::optional<bool> validateMesh, measureError, measureJump;
    std::optional<SweepRequest> sweep;
    bool stopSweep = false;
    std::optional<ComparisonRequest> compare;
    std::optional<std::string> recover;  // folder of an unfinished capture
    std::optional<ModuleRequest> runModule;
    std::optional<ModuleSweepRequest> sweepModule;
    std::optional<std::string> cancelModule, saveModule;  // by name
    std::optional<bool> keepFrames;                       // keep drawing while a module runs
    std::optional<LabRequest> runExperiment;
    bool cancelExperiment = false;
    bool saveExperiment = false;
    bool home = false;
    bool screenshot = false;
    PathActions path;
    PictureToolsActions tools;
    CoverActions cover;
    EarthActions earth;
    FilesActions files;
    bool reloadShaders = false;
    bool dismissShaderLog = false;
    bool toggleFullscreen = false;
    bool quit = false;

    CameraInput camera;      // from keys and mouse input that no panel used
    glm::dvec2 cursor{0.0};  // in [-1, 1]², y up
};

}  // namespace orogen::app
