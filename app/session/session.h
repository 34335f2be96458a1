// A session of the viewer, room by room.  What is asked for goes one way: from the command line, panels and scripts
// into these rooms, and from them, at a frame's start, to the renderer.  No panel calls the renderer.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/session/camera_session.h"
#include "app/session/capture_controller.h"
#include "app/session/compute_session.h"
#include "app/session/contour_session.h"
#include "app/session/frame_timing.h"
#include "app/session/graphics.h"
#include "app/session/image_session.h"
#include "app/session/laboratory_session.h"
#include "app/session/messages.h"
#include "app/session/picture_tools.h"
#include "app/session/presets.h"
#include "app/session/session_files.h"
#include "app/session/session_options.h"
#include "app/session/session_settings.h"
#include "app/session/source_session.h"
#include "app/session/sweep_controller.h"
#include "app/session/terrain_session.h"

namespace orogen::app {

class Session
{
public:
    explicit Session(const SessionOptions& options);

    // Reads the settings, makes what lives on the GPU, and begins to load the terrain.  Errors: as the command line
    // documents them.
    Status start();
    Status recover();  // after the context was lost
    // What was done in the background since the last frame: a terrain that is loaded, voids that are filled, runs,
    // comparisons.  An error only where there is no terrain at all.
    Status takeResults();
    Status takeTerrain();
    Status takeImage();                           // an error only where the command line's cannot be had
    bool shown() const;                           // the terrain, and the image that the command line asks for
    void updateContours();                        // once a frame, before it is drawn
    void recordFrame(const FrameTiming& timing);  // after it was presented
    void takeStats();                             // what has become known of the newest frame since
    void keepUp();                                // messages, settings to be kept: once a turn of the loop
    bool working() const;                         // in the background, which panels tell of
    Status finish();                              // keeps what is to be kept, and writes the last picture

    void open(const std::string& dem, const SourceOverrides& overrides = {});
    Status writePicture(const std::string& file) const;  // of the frame that was drawn last; replaces nothing read
    std::vector<std::string> filesRead() const;          // which no picture or report may replace
    void toggleFullscreen();
    const std::filesystem::path& root() const { return root_; }  // of what comes with the program
    void findPresets();                                          // anew: one was saved or deleted
    ViewSurroundings surroundings() const;
    double seconds() const;                          // since the start
    double startedAt() const { return startedAt_; }  // seconds since 1970
    CoverState coverState() const;                   // for the panels
    bool settled() const;                            // nothing is under way, the tree rests, and no tile is missing
    // Metres: forms of what is drawn that are smaller are made, not measured; empty: none is.
    std::optional<double> syntheticBelow() const;

    const SessionOptions options;
    bool headless = false;
    std::vector<std::string> bundled;  // terrains to choose from
    std::vector<Preset> presets;       // settings to choose from

    Messages messages;
    SessionSettings settings;
    SessionFiles files;
    TerrainSession terrain;
    ImageSession image;
    ContourSession contours;
    FilledHeightsSaving filledSaving;
    CameraSession camera;
    ComputeSession compute;
    Graphics graphics;
    LaboratorySession laboratory;  // after what it needs a context of
    CaptureController captures;
    SweepController sweeps;  // of captures
    PictureTools tools;

    std::uint64_t frame = 0;  // that is drawn, or is next
    FrameStats stats;         // of the newest one
    FrameHistory history;
    std::string shaderLog;  // of a reload that failed; empty: none
    bool quit = false;

private:
    Status chooseDisplay();
    Status makeGraphics();
    void findShipped();

    std::filesystem::path root_;
    std::vector<ContourLabel> contourLabels_;
    bool firstImage_ = !options.image.empty();  // until that of the command line is there
    FrameTiming timing_;                        // of the newest frame
    std::string lastPicture_;                   // where the last frame goes; empty: nowhere
    std::chrono::steady_clock::time_point started_;
    double startedAt_ = 0;
};

}  // namespace orogen::app
