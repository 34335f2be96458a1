// The viewer: a session, frame by frame.  What a frame does, in order, stands in Viewer::step().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/session/frame_clock.h"
#include "app/session/script_commands.h"
#include "app/session/session.h"

namespace orogen::app {

class Viewer
{
public:
    // Reads settings and script, makes the context and the renderer.  Errors: as the command line documents them.
    static Result<std::unique_ptr<Viewer>> create(const SessionOptions& options);

    // Until it is closed, has shown its frames, its script has ended, or a signal came.
    Status run();
    Status step();  // one more frame, all of it; after run()
    // One turn of the loop of a window, as run() has them where nobody counts frames: input, the panels if there was
    // any or they look otherwise by themselves, and a slice of a frame of the terrain, unless the last picture still
    // holds. Waits for at most `longestWait` seconds, where there is nothing to do.
    Status turn(double longestWait);
    // How long a slice takes; 0: all frames are drawn in slices of one step.
    void sliceMs(double ms)
    {
        sliceMs_ = ms;
        session_.graphics.renderer().sliceFrom(ms > 0 ? Renderer::kSlowFrameMs : 0.0);
    }
    std::uint64_t shows() const { return shows_; }           // how often turns have shown something
    std::uint64_t frames() const { return session_.frame; }  // of the terrain, so far
    const FrameStats& stats() const { return session_.stats; }
    Pending pending() const { return session_.pending(); }
    ShownPicture shown() const { return session_.graphics.shown(); }

    // Instead of run(): captures and returns what was captured, all of the session.  Where a signal came, its error,
    // after the files were finished.
    Result<std::vector<FinishedCapture>> capture(CaptureRequest request);
    // Instead of run(), too: sweeps, and returns once every point of the shard is done.
    Status sweep(SweepRequest request);
    // Of the two sides that were captured last, once it is done; empty where there were no two.
    const std::optional<ShownComparison>& comparison() { return session_.captures.awaitComparison(); }
    const SweepController& sweeps() const { return session_.sweeps; }
    const Settings& settings() const { return session_.settings.wanted(); }

    Context& context() { return session_.graphics.context(); }  // another one after a loss
    const Renderer& renderer() const { return session_.graphics.renderer(); }
    const Ui& ui() const { return session_.graphics.ui(); }

private:
    explicit Viewer(const SessionOptions& options) : session_(options) {}

    Status start();
    Status awaitTerrain();
    Status showLoading();  // a frame without a terrain

    // Steps of a frame.
    bool takeEvents(double seconds = 0);  // whether there were any that panels or camera have to do with
    UiActions workPanels(double seconds);
    UiActions passPanels(double seconds);
    Status showProgress();
    void titleProgress();
    void moveCamera(const CameraInput& input, glm::dvec2 cursor, double seconds);
    void prepare(const UiActions& actions, double seconds);
    void awaitTiles();
    Status draw();
    void present();

    // Of a turn.
    bool interactive() const;
    double idleSeconds() const;
    bool panelsDue();
    void workPanelsNow();
    void advanceCamera(const CameraInput& input, glm::dvec2 cursor);
    void useTools();
    bool triesTiles(double now) const;
    bool beginPicture();
    Status endPicture();
    Status drawTurn(bool worked);
    Status showPanels();

    bool panelsSeen() const;
    bool panelsAnswer() const;
    bool closed() const;
    bool over() const;
    bool pictureDone() const;

    Session session_;
    ScriptCommands commands_{session_};
    std::unique_ptr<ScriptRunner> script_;
    FrameClock clock_;
    std::uint64_t shown_ = 0;  // frames since the first terrain
    double firstShownAt_ = 0;  // the session's seconds
    bool pressed_ = false;     // a key or a button, among the events taken last
    double titledAt_ = 0;      // the session's seconds when the title last told of a capture; 0: it does not

    // Of turns.
    CameraInput held_;  // keys and buttons, since the panels were last worked through
    glm::dvec2 heldCursor_{0.0};
    double cameraAt_ = 0;       // the session's seconds until which keys have moved the camera
    double followedAt_ = 0;     // likewise, a path that is played
    double drawnAt_ = 0;        // when the last picture was begun
    double lookedAt_ = 0;       // when the last turn took what input there was
    double pressedAt_ = 0;      // no key that it took was pressed before
    double panelsAt_ = 0;       // when the panels look otherwise by themselves
    std::size_t messages_ = 0;  // that they show
    int inFlight_ = 0;          // frames whose counters they do not show yet
    double sliceMs_ = 30;       // steps of a frame can take somewhat longer
    bool flows_ = true;         // the last turn drew a frame, or a part of one
    std::uint64_t shows_ = 0;
};

}  // namespace orogen::app
