// A session of the viewer and its parts.  Requests flow one way: from command line, panels and scripts to the session's
// parts, and at a frame's start from these parts to the renderer.  No panel calls the renderer.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/session/camera_control.h"
#include "app/session/captures/capture_controller.h"
#include "app/session/captures/record_controller.h"
#include "app/session/captures/sweep_controller.h"
#include "app/session/compute_runner.h"
#include "app/session/contour_labels.h"
#include "app/session/drawn_mesh_file.h"
#include "app/session/filled_heights.h"
#include "app/session/frame_clock.h"
#include "app/session/graphics.h"
#include "app/session/ground_in_view.h"
#include "app/session/imagery.h"
#include "app/session/laboratory.h"
#include "app/session/messages.h"
#include "app/session/open_terrain.h"
#include "app/session/picture_steps.h"
#include "app/session/picture_tools.h"
#include "app/session/session_files.h"
#include "app/session/session_options.h"
#include "app/session/session_settings.h"
#include "app/session/split_picture.h"
#include "app/session/terrain_loading.h"
#include "app/session/terrain_model/brush_tool.h"
#include "app/session/terrain_model/live_model.h"
#include "core/frames/sample/frame_record.h"
#include "core/terrain/raster/projection.h"
#include "core/view/earth_view.h"

namespace orogen::app {

// Source of the other side of a split picture.
struct SplitSource
{
    std::string dem;  // as SessionOptions::dem, not empty
    SourceOverrides overrides;
    std::vector<std::string> insets;
    std::vector<PictureLayer> layers;
    bool shared = false;  // both sides show one terrain
};

inline constexpr const char* kShippedImagery = "assets/earth";  // below Session::root()

class Session
{
public:
    explicit Session(const SessionOptions& options);
    ~Session() { model.forget(); }  // needs the OpenGL context, which is destroyed before `model`
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Reads the settings, starts loading the terrain, and creates the GPU part.
    Status start();
    Status recover();  // creates the GPU part again after a lost context
    // Takes results of background work since the last frame: loaded terrain, filled voids, runs, comparisons.  Fails
    // only if no terrain can be opened, or if the place or the second side that the command line names cannot be shown.
    Status takeResults();
    Status takeSplit();  // part of takeResults()
    bool shown() const { return terrain.info().has_value(); }
    // Updates the contour lines' interval and labels, and the heights in view; call once a frame, before drawing.
    void updateContours();
    void takeStats();      // copies the renderer's newest statistics; frame number and CPU times stay
    void keepUp();         // updates messages and stored files; call once per loop iteration
    bool working() const;  // whether background work, the laboratory's apart, is running or queued
    Status finish();       // writes the stored state and the last picture

    Status writePicture(const std::string& file) const;  // last drawn frame; never replaces an input file
    std::vector<std::string> filesRead() const;          // input files, which outputs must not replace
    void showTitle(const std::string& doing = {});       // sets the window's title: terrain, and current activity
    const std::filesystem::path& root() const { return root_; }  // folder of shipped data
    void findPresets();                                          // lists the presets again after a change
    ViewSurroundings surroundings() const;
    // Returns the surroundings that the camera moves in: in a split picture, above the higher ground of both sides.
    ViewSurroundings flownSurroundings() const;
    PathControl::Ground flownGround() const;         // ground to which paths are fitted
    double seconds() const;                          // since the session's start
    double startedAt() const { return startedAt_; }  // seconds since 1970
    CoverState coverState() const;                   // for the panels
    Pending pending() const;                         // work that will still change the picture
    std::string unsettled() const;  // names pending() work and running jobs, for a message; empty: none
    bool cameraRises() const;       // whether the next frame will move a camera at rest to ground that has loaded
    // Opens a split picture of the open terrain, with the settings `left` at its left.  Errors: those of
    // SplitPicture::create() and OpenTerrain::open(); kUsage while a terrain loads, or a capture or film runs.
    Status openSplit(const Settings& left);
    void closeSplit();  // no-op without a split picture
    // Returns whether a capture or a film controls the camera.
    bool steered() const { return captures.running() || records.running(); }

    const SessionOptions options;
    bool headless = false;
    std::string noWindow;  // why a session that asked for a window has none, for a message; empty: no message
    std::vector<std::string> bundled;  // shipped and synthetic terrains to choose from
    std::vector<Preset> presets;       // presets to choose from

    Messages messages;
    SessionSettings settings;
    SessionFiles files;
    OpenTerrain terrain;
    LiveModel model;
    BrushTool brush;
    ImageryLayers imagery;
    TerrainRequests requests{*this};
    Places places{*this};
    PictureSteps pictureSteps;
    ContourLabeler contours;
    FilledHeightsSaving filledSaving;
    DrawnMeshWriting drawnMesh;
    CameraControl camera;
    ComputeRunner compute;
    Graphics graphics;
    // `split` and `laboratory` are declared after `graphics`: they are destroyed before the OpenGL context that they
    // use.
    std::unique_ptr<SplitPicture> split;  // null: the picture is not split
    Laboratory laboratory;
    CaptureController captures;
    SweepController sweeps;
    RecordController records;
    PictureTools tools;

    std::uint64_t frame = 0;  // number of the current or next frame
    bool pictured = false;    // a picture of the open terrain is complete; false: the display may show an earlier one
    FrameRecord stats;        // record of the newest presented frame, with the newest GPU results so far
    FrameHistory history;
    std::string shaderLog;  // compiler's log of a failed reload; empty: none
    bool quit = false;

private:
    Status chooseDisplay();
    Status makeGraphics();
    void findShipped();
    bool labelsContours() const;
    Status openOptionsSplit();
    Status openSplit(const SplitSource& source, SplitNames names, SessionSettings others);

    std::filesystem::path root_;
    std::vector<ContourLabel> contourLabels_;
    GroundInView groundInView_;
    std::string lastPicture_;  // file for the last frame; empty: none
    std::chrono::steady_clock::time_point started_;
    double startedAt_ = 0;
};

}  // namespace orogen::app
