// Viewer: runs a session frame by frame.  Viewer::step() has the order of a frame's work; viewer_loop.cpp has the loop
// of an interactive window.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/session/frame_clock.h"
#include "app/session/script_runner.h"
#include "app/session/session.h"

namespace orogen::app {

class Viewer
{
public:
    // Reads settings and script, creates context and renderer.  Errors: see the documentation of the command line.
    static Result<std::unique_ptr<Viewer>> create(const SessionOptions& options);

    // Runs until the window is closed, all frames are shown, the script ends, a headless picture is complete, or a
    // signal arrives.
    Status run();
    Status step();  // draws one complete frame; needs an open terrain, which run() awaits
    // Runs one iteration of the interactive window loop: handles input, updates the panels if needed, and draws a slice
    // of the terrain frame unless the last picture is current.  Waits at most `longestWait` seconds if idle.
    Status turn(double longestWait);
    // Sets the duration of a slice (ms); 0: draws all frames, even fast ones, in the smallest possible slices.
    void sliceMs(double ms)
    {
        sliceMs_ = ms;
        session_.graphics.renderer().options().sliceFromMs = ms > 0 ? FrameOptions::kSlowFrameMs : 0.0;
    }
    std::uint64_t shows() const { return shows_; }           // pictures and panels shown so far, except by step()
    std::uint64_t frames() const { return session_.frame; }  // terrain frames so far
    const FrameRecord& stats() const { return session_.stats; }
    const FrameHistory& recentFrames() const { return session_.history; }
    Pending pending() const { return session_.pending(); }
    ShownPicture shown() const { return session_.graphics.shown(); }
    // Returns a value as scripts query it, see ScriptHost::value().
    std::optional<std::string> value(std::string_view key) { return commands_.value(key); }

    // Replaces run(): makes captures and returns them.  After a signal, completes their files and returns the signal's
    // error.
    Result<std::vector<FinishedCapture>> capture(CaptureRequest request);
    // Replaces run(): records a film.  After a signal, completes it with the frames so far and returns the signal's
    // error.
    Result<FinishedRecording> record(RecordRequest request);
    // Replaces run(): captures every point of a sweep's grid, or of this process's share (shard) of the grid.
    Status sweep(SweepRequest request);
    // Waits for the comparison of the last two-sided capture and returns it; empty if there was none.
    const std::optional<ShownComparison>& comparison() { return session_.captures.awaitComparison(); }
    const SweepController& sweeps() const { return session_.sweeps; }
    const Settings& settings() const { return session_.settings.wanted(); }

    Context& context() { return session_.graphics.context(); }  // recreated after a context loss
    const Renderer& renderer() const { return session_.graphics.renderer(); }
    const Ui& ui() const { return session_.graphics.ui(); }

private:
    explicit Viewer(const SessionOptions& options) : session_(options) {}

    Status start();
    Status awaitTerrain();
    Status showLoading(double longestWait);  // draws a frame without a terrain; waits so long for an event (seconds)

    // Steps of a frame.
    bool takeEvents(double seconds = 0);  // waits at most `seconds`; returns whether any concerns panels or camera
    UiActions workPanels(double seconds);
    UiActions passPanels(double seconds);
    Status showProgress();
    void titleProgress();
    void moveCamera(const CameraInput& input, glm::dvec2 cursor, double seconds);
    void prepare(const UiActions& actions, double seconds);
    void awaitTiles();
    Status draw();
    void present();

    // Parts of turn().
    bool interactive() const;
    double idleSeconds() const;
    bool panelsDue();
    void workPanelsNow();
    void advanceCamera(const CameraInput& input, glm::dvec2 cursor);
    void useTools();
    bool triesTiles(double now) const;
    bool beginPicture();
    Status advancePicture();
    Status endPicture();
    Status drawTurn(bool worked);
    Status showPanels();

    SplitPicture* split() const;
    bool drawing() const;
    int framesInFlight() const;
    bool panelsSeen() const;
    bool panelsAnswer() const;
    bool closed() const;
    bool over() const;
    bool pictureDone() const;

    Session session_;
    ScriptCommands commands_{session_};
    std::unique_ptr<ScriptRunner> script_;
    FrameClock clock_;
    std::uint64_t shown_ = 0;  // frames drawn since the first terrain was opened
    double firstShownAt_ = 0;  // session seconds
    bool pressed_ = false;     // the last events include a key, a button or a dropped file
    double titledAt_ = 0;      // session seconds when the title last showed progress; 0: it shows none

    std::uint64_t answered_ = 0;  // the panels show the counters of all frames before this one

    // State of turn().
    CameraInput held_;  // keys and buttons at the last panel update
    glm::dvec2 heldCursor_{0.0};
    double cameraAt_ = 0;       // session seconds up to which keys have moved the camera
    double followedAt_ = 0;     // session seconds up to which a played path has moved the camera
    Camera lastCamera_;         // camera at the last check for a new picture
    double movedAt_ = -1;       // session seconds of the last camera change
    double drawnAt_ = 0;        // session seconds at the start of the last picture
    double lookedAt_ = 0;       // session seconds at which input was taken last
    double pressedAt_ = 0;      // earliest possible time of that input (session seconds)
    double shownAt_ = 0;        // session seconds when showPanels() last showed the panels
    double panelsAt_ = 0;       // session seconds of the next panel update without input
    std::size_t messages_ = 0;  // number of messages shown
    double sliceMs_ = 30;       // duration of a slice (ms); a single step may take longer
    bool flows_ = true;         // a terrain frame is being drawn, or the last iteration began one
    bool scales_ = false;       // Graphics::prepareScaling() has run
    int lightRows_ = 0;         // light map rows per frame
    bool splits_ = false;       // the current frame is a split picture
    std::uint64_t shows_ = 0;
};

}  // namespace orogen::app
