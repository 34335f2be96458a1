// What the panels see and what they ask for.  Panels are functions from a UiModel to UiActions: they never call the
// renderer, and the renderer never knows a panel.
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

// The last frames, oldest first: what the performance panel draws and sums up.
class FrameHistory
{
public:
    static constexpr std::size_t kCapacity = 480;  // 8 s at 60 Hz; about a pixel each in the graph

    void push(const FrameStats& frame);  // O(1)
    std::size_t size() const { return size_; }
    const FrameStats& operator[](std::size_t i) const;  // 0: the oldest; i < size()
    void clear() { size_ = 0; }

private:
    std::array<FrameStats, kCapacity> ring_;
    std::size_t next_ = 0, size_ = 0;
};

// How many frames there must be for a figure to say anything: below a hundred, the 99th percentile is the slowest
// frame.
inline constexpr std::size_t kLeastFramesForMedian = 10, kLeastFramesForP99 = 100;
struct Spread
{
    double minimum = 0, maximum = 0;
    std::optional<double> median, p99;  // by nearest rank; empty: too few frames
};
std::optional<Spread> intervalSpread(const FrameHistory* history);  // milliseconds; none without a frame

// Tiles and bytes a second over the newest frames, which took kRateSeconds or are all there are.  None without two
// frames of a terrain in tiles.
inline constexpr double kRateSeconds = 2;
struct TileRates
{
    double tiles = 0, bytes = 0;
};
std::optional<TileRates> tileRates(const FrameHistory* history);

// Mean of each pass over the newest (at most 30) frames that were measured: a frame in which a pass did not run took
// none of its time.  Empty: it ran in none of them.
std::array<std::optional<double>, std::size_t(GpuPass::kCount)> meanPassMs(const FrameHistory& history);

struct TerrainInfo
{
    std::string name, format, crs;
    int width = 0, height = 0;
    double pixelWidth = 0, pixelHeight = 0;  // metres
    double minHeight = 0, maxHeight = 0;     // metres, unscaled
    std::uint64_t voids = 0;
    bool synthetic = false;
    bool estimated = false;  // in tiles, of which the source does not say how far they lie from the finest data
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
    double shownAt = 0;  // seconds, of the clock that MessageLog gets
    int times = 1;       // said again instead of shown again
};

// Lines that appear for a while and go away by themselves, errors later than notes; and all of them, to be read again.
class MessageLog
{
public:
    static constexpr std::size_t kMostKept = 1000;  // older ones are forgotten

    void push(MessageKind kind, std::string text, double now);
    void update(double now);                                        // once a frame
    const std::vector<UiMessage>& shown() const { return shown_; }  // oldest first, a few at most
    const std::vector<UiMessage>& all() const { return all_; }      // oldest first; one said again and again is one
    const std::string& newest() const { return newest_; }           // of all times; empty: none yet

private:
    std::vector<UiMessage> shown_, all_;
    std::string newest_;
};

struct LoadingState
{
    double fraction = 0;  // in [0, 1]
    std::string text;
};

// What another depth or capacity would take, before it is chosen.
struct MemoryLimits
{
    int largestDepth = 30;  // that this driver holds
    // Why a tree of this depth cannot be had here; null while that is not known.
    std::function<Status(int depth)> checkDepth;
    // Bytes of all buffers that go with the leaves of a tree of this depth and capacity; empty: not known yet.
    std::function<std::uint64_t(int depth, std::uint32_t capacity)> leafBytes;
};

inline constexpr int kPanelErrorPeriod = 10;  // frames, where a panel asks for the measured error

struct UiModel
{
    Settings settings;
    FrameStats stats;
    Pending pending;         // in the picture that is shown
    std::string depthLimit;  // why a deeper tree would show more here; empty: it would not
    bool validating = false, measuringError = false, measuringJump = false;
    const FrameHistory* history = nullptr;  // null: none yet
    std::vector<BufferUse> buffers;
    MemoryLimits memory;

    std::optional<TerrainInfo> terrain;           // none: nothing is open
    std::vector<std::string> bundled;             // DEMs to choose from, as the command line takes them
    std::optional<LoadingState> loading;          // while a terrain is on its way
    std::vector<std::string> context;             // one line each: renderer, version, path
    bool software = false;                        // OpenGL runs on the CPU
    std::optional<double> heightAboveGround;      // metres
    std::optional<double> syntheticBelow;         // metres: smaller forms of the ground are made; empty: none is
    std::optional<double> speed;                  // metres a second at full key, flying
    VoidState voids;                              // how their filling stands
    PictureToolsState tools;                      // what is looked up in the picture
    SourceState source;                           // where the terrain comes from
    PathState path;                               // of the camera
    CoverState cover;                             // contour lines, draped image
    SettingsState settingsState;                  // of the settings as a whole
    const CaptureController* captures = nullptr;  // null: nothing can be captured
    const SweepController* sweeps = nullptr;      // null: nothing can be swept
    std::optional<SweepProgress> sweep;           // while one runs
    std::optional<GovernorReport> governor;       // while budget.mode is frame_ms
    const ComputeSession* compute = nullptr;      // null: nothing can be run
    const LaboratorySession* laboratory = nullptr;
    FilesState files;
    std::string shaderLog;                               // of a reload that failed; empty: none
    std::vector<UiMessage> messages;                     // shown now, oldest first
    const std::vector<UiMessage>* messageLog = nullptr;  // all of the session, oldest first; null: none is kept
    double startedAt = 0;                                // seconds since 1970 at second 0 of the messages' clock
};

struct UiActions
{
    Settings settings;                 // the model's, edited; a changed view.mode wants the spot looked at kept
    std::vector<std::string> refused;  // edits that were not taken, a message each
    std::vector<std::string> copied;   // what was put on the clipboard, a message each
    SettingsActions settingsActions;   // what is asked of the settings as a whole

    std::optional<std::string> open;  // a DEM
    bool cancelLoading = false;
    SourceActions source;
    bool fillVoids = false, undoFill = false, cancelFill = false;
    std::optional<CaptureRequest> capture;  // without sides: one, with the settings as they are
    bool stopCapture = false;
    std::optional<bool> validateMesh, measureError, measureJump;
    std::optional<SweepRequest> sweep;
    bool stopSweep = false;
    std::optional<ComparisonRequest> compare;
    std::optional<std::string> recover;  // folder of an unfinished capture
    std::optional<ModuleRequest> runModule;
    std::optional<ModuleSweepRequest> sweepModule;
    std::optional<std::string> cancelModule, saveModule;  // by name
    std::optional<bool> keepFrames;                       // while a module runs
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

    CameraInput camera;      // of keys and mouse that no panel took
    glm::dvec2 cursor{0.0};  // in [-1, 1]², y up
};

}  // namespace orogen::app
