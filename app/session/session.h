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
#include "core/frames/sample/pending.h"
#include "core/terrain/raster/projection.h"
#include "core/view/bookmarks.h"

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

    // A terrain, or kEarthName; `insets` lie in the Earth.
    void open(const std::string& dem, const SourceOverrides& overrides = {}, std::vector<std::string> insets = {});
    // What was dropped on the window: while the Earth is shown it is laid in it, and the view goes there.
    void drop(const std::vector<std::string>& dropped);
    // The Earth anew, without the inset of this number.
    void removeInset(std::size_t number);
    // Looks at an inset of the Earth.
    void showInset(std::size_t number);
    // To a place of the Earth, or of a terrain that lies on it.  Error kInput where it does not.
    Status goTo(const Geodetic& place);
    std::string earthName() const;  // "earth with a.tif, b.tif"
    // SHA-256 of the lines "SHA-256  name" of the relief and of each inset, in their order; of an inset that is not to
    // be read whole, that of its name and extent.  Error kInput.
    Result<std::string> earthHash() const;
    std::optional<Geodetic> cameraPlace() const;  // heights above the sea; empty where there is no georeference
    // The view as one to come back to, and back to it.  On the Earth alone: kInput elsewhere, and where none is kept.
    Status setBookmark(int number);
    Status goToBookmark(int number);
    Status writePicture(const std::string& file) const;  // of the frame that was drawn last; replaces nothing read
    std::vector<std::string> filesRead() const;          // which no picture or report may replace
    void toggleFullscreen();
    void showTitle(const std::string& doing = {});  // of the window: the terrain, and what is being done
    const std::vector<InsetRequest>& insets() const { return insets_; }  // of the Earth, as they were asked for
    const std::filesystem::path& root() const { return root_; }          // of what comes with the program
    void findPresets();                                                  // anew: one was saved or deleted
    ViewSurroundings surroundings() const;
    double seconds() const;                          // since the start
    double startedAt() const { return startedAt_; }  // seconds since 1970
    CoverState coverState() const;                   // for the panels
    Pending pending() const;                         // in the picture that is shown
    std::string depthLimit() const;                  // see UiModel
    std::string unsettled() const;                   // the same and jobs that run, for a message; empty: nothing
    // Metres: forms of what is drawn that are smaller are made, not measured; empty: none is.
    std::optional<double> syntheticBelow() const;

    const SessionOptions options;
    bool headless = false;
    std::vector<std::string> bundled;  // terrains to choose from
    std::vector<Preset> presets;       // settings to choose from

    Bookmarks bookmarks;  // of the Earth

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
    Status openFirst();
    EarthToLoad earthWith(std::vector<std::string> insets, const SourceOverrides& overrides) const;
    bool changesTerrain();
    std::string offerOfPlane() const;  // to be added to why it could not be laid in the Earth

    std::filesystem::path root_;
    std::vector<ContourLabel> contourLabels_;
    std::optional<TerrainGeography> geography_;  // of a plane, where it has one
    std::vector<InsetRequest> insets_;           // of the Earth that is open, as they were asked for
    std::vector<InsetRequest> insetsAsked_;      // of the one that is being opened
    bool showNewest_ = false;                    // of its insets
    bool keptView_ = false;                      // where the camera stands while the Earth is opened anew
    bool firstImage_ = !options.image.empty();   // until that of the command line is there
    FrameTiming timing_;                         // of the newest frame
    std::string lastPicture_;                    // where the last frame goes; empty: nowhere
    std::chrono::steady_clock::time_point started_;
    double startedAt_ = 0;
};

}  // namespace orogen::app
