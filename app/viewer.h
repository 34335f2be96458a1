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
    Status step();  // one more frame; after run()

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
    void takeEvents();
    UiActions workPanels(double seconds);
    void moveCamera(const CameraInput& input, glm::dvec2 cursor, double seconds);
    void prepare(const UiActions& actions, double seconds);
    Status draw();
    void present();

    bool panelsSeen() const;
    bool closed() const;
    bool over() const;

    Session session_;
    ScriptCommands commands_{session_};
    std::unique_ptr<ScriptRunner> script_;
    FrameClock clock_;
    std::uint64_t shown_ = 0;  // frames since the first terrain
};

}  // namespace orogen::app
