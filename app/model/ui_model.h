// Data that panels see, and actions that they request.  Panels map a UiModel to UiActions: they never call the
// renderer, and the renderer knows no panel.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <glm/vec2.hpp>

#include "app/model/capture_state.h"
#include "app/model/compute_state.h"
#include "app/model/picture_state.h"
#include "app/model/session_state.h"
#include "app/model/terrain_state.h"
#include "core/budget/frame_time_governor.h"
#include "core/cbt/cbt.h"
#include "core/frames/sample/frame_record.h"
#include "core/planet/sky.h"
#include "core/settings.h"
#include "core/view/navigation.h"

namespace orogen::app {

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
    double shownAt = 0;  // time of the newest occurrence (seconds since the session's start)
    int times = 1;       // occurrences merged into this message
};

// Memory that another depth or leaf capacity of a plane's tree would need, shown before the user applies it.
struct MemoryLimits
{
    int largestDepth = 30;  // largest tree depth that this driver supports
    // Returns why a tree of this depth is impossible here; null while unknown.
    std::function<Status(int depth)> checkDepth;
    // Returns the bytes of all buffers that depend on the tree's depth and leaf capacity; empty: unknown yet.
    std::function<std::uint64_t(int depth, std::uint32_t capacity)> leafBytes;
};

inline constexpr int kPanelErrorPeriod = 10;  // frames between measurements when a panel requests the error

struct UiModel
{
    Settings settings;
    FrameRecord stats;
    Pending pending;         // work that will still change the picture
    std::string depthLimit;  // warning that the depth limit hides detail here; empty: it does not
    bool validating = false, measuringError = false, measuringJump = false;
    const FrameHistory* history = nullptr;  // null: none yet
    std::vector<BufferUse> buffers;
    MemoryLimits memory;

    std::optional<TerrainInfo> terrain;         // empty: no terrain is open
    bool pictured = true;                       // false: the first picture of `terrain` is not complete yet
    std::vector<std::string> bundled;           // shipped DEMs, as the command line accepts them
    std::optional<LoadingState> loading;        // while a terrain is loading
    std::vector<std::string> context;           // one line each: renderer, version, path
    bool software = false;                      // OpenGL runs on the CPU
    std::optional<double> heightAboveGround;    // above ground (metres)
    std::optional<SkyAngles> sun;               // where the sun stands in the picture; empty: no picture yet
    std::optional<double> syntheticBelow;       // procedural detail is finer than this (metres); empty: none
    std::optional<double> speed;                // flight speed while a key is held (metres per second)
    VoidState voids;                            // state of void filling
    TerrainModelState terrainModel;             // simulation that changes the terrain
    PictureToolsState tools;                    // lookups and measurements in the picture
    SourceState source;                         // where the terrain comes from
    std::optional<double> meshWritten;          // progress, 0 to 1; empty: no mesh of the view is being written
    PathState path;                             // camera path
    std::optional<SplitState> split;            // empty: one picture
    CoverState cover;                           // contour lines, draped image
    SettingsState settingsState;                // settings as a whole: undo, presets, defaults
    std::optional<CapturesState> captures;      // empty: captures are unavailable
    std::optional<RecordProgress> film;         // while a film is recorded
    std::optional<SweepState> sweeps;           // empty: sweeps are unavailable
    std::optional<SweepProgress> sweep;         // while a sweep runs
    std::optional<GovernorReport> governor;     // while budget.mode is frame_ms
    std::optional<ComputeState> compute;        // empty: compute modules are unavailable
    std::optional<LaboratoryState> laboratory;  // empty: the laboratory is unavailable
    FilesState files;
    std::string shaderLog;                               // from a failed reload; empty: none
    std::vector<UiMessage> messages;                     // shown now, oldest first
    const std::vector<UiMessage>* messageLog = nullptr;  // whole session, oldest first; null: no log
    double startedAt = 0;                                // session's start (seconds since 1970)
};

struct UiActions
{
    // Edited copy of UiModel::settings.  A change of view.mode keeps the spot that the camera looks at.
    Settings settings;
    std::vector<std::string> refused;  // rejected edits, one message each
    std::vector<std::string> copied;   // one message for each text put on the clipboard
    SettingsActions settingsActions;   // requests on the settings as a whole

    std::optional<std::string> open;  // DEM to open
    bool cancelLoading = false;
    SourceActions source;
    bool fillVoids = false, undoFill = false, cancelFill = false;
    std::optional<CaptureRequest> capture;  // without sides, the current settings are captured
    bool stopCapture = false;
    std::optional<bool> validateMesh, measureError, measureJump;
    std::optional<RecordRequest> film;
    bool stopFilm = false;
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
    std::optional<std::string> writeMesh;  // file for the triangles in view
    bool cancelMesh = false;
    PathActions path;
    PictureToolsActions tools;
    CoverActions cover;
    SplitActions split;
    TerrainModelActions terrainModel;
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
