// The viewer: owns the session and runs its frames.  What a frame does, in order, stands in Viewer::frame().
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "app/gl/context.h"
#include "app/render/renderer.h"
#include "app/session/camera_path_session.h"
#include "app/session/capture_controller.h"
#include "app/session/compute_session.h"
#include "app/session/laboratory_session.h"
#include "app/session/script_runner.h"
#include "app/session/session_options.h"
#include "app/session/terrain_loader.h"
#include "app/session/void_filling_session.h"
#include "app/ui/ui.h"
#include "core/config_file.h"
#include "core/settings.h"
#include "core/view/view_controller.h"

namespace orogen::app {

inline constexpr std::uint64_t kPatience = 2'000'000'000;  // nanoseconds for the oldest frame in flight to arrive

class Viewer : private ScriptHost, private FrameObserver
{
public:
    // Reads settings and script, makes the context and the renderer.  Errors: as the command line documents them.
    static Result<std::unique_ptr<Viewer>> create(const SessionOptions& options);
    ~Viewer() override;

    // Until it is closed, has shown its frames, its script has ended, or a signal came.
    Status run();
    Status step();  // one more frame; after run()

    // Instead of run(): captures and returns what was captured, all of the session.  Where a signal came, its error,
    // after the files were finished.
    Result<std::vector<FinishedCapture>> capture(CaptureRequest request);
    const Settings& settings() const { return wanted_; }

    Context& context() { return *context_; }  // another one after a loss
    const Renderer& renderer() const { return *renderer_; }
    const Ui& ui() const { return *ui_; }

private:
    explicit Viewer(const SessionOptions& options);

    // Start and end.
    Status start();
    Status readSettings();
    Status bringUp();  // everything that lives on the GPU; again after a context loss
    Status recover();
    Status awaitTerrain();
    Status finish();

    // A frame, and its steps.
    Status frame();
    Status takeTerrain();
    Status install(LoadedTerrain loaded);
    void takeHeights();
    void actOnVoids(const UiActions& actions);
    void takeEvents();
    UiActions workPanels(const PixelSize& size, double seconds);
    void act(const UiActions& actions);
    void actOnSettings(const UiActions& actions);
    void actOnProgram(const UiActions& actions);
    void applySettings();
    void moveCamera(const CameraInput& input, double seconds, glm::dvec2 cursor);
    void drawPanels();
    Status present();
    void pace();
    void note(double cpuMs);

    // Camera paths.
    void actOnPath(const PathActions& asked);
    void togglePlaying();
    void endRecording();
    void loadPath(const std::string& nameOrFile);
    void savePath(const std::string& file);
    void sayPath(const std::string& done);
    PathState pathState() const;
    void followPath(double seconds);

    // Captures (viewer_capture.cpp).
    Result<CameraPath> pathOf(const CaptureRequest& request) const;
    Result<ReportMetadata> captureMetadata(const CameraPath& path, const std::string& pathName) const;
    Status startCapture(CaptureRequest request);
    Status aimCapture();                                   // before a frame: its settings and camera
    Status recordCapture(double beginMs, double frameMs);  // after it
    void drainGpu();
    Status endCapture(bool interrupted);
    void captureFailed(const Error& error);
    void actOnCaptures(const UiActions& actions);
    void actOnLaboratory(const UiActions& actions);
    void work(const WorkCounters& work) override;
    void times(const GpuTimes& times) override;

    // What panels see.
    UiModel model() const;
    ViewSurroundings surroundings() const;
    double groundAt(double east, double north) const;
    void say(MessageKind kind, const std::string& text);

    // ScriptHost
    Status setSetting(const std::string& key, const std::string& value) override;
    void open(const std::string& dem) override;
    bool opening() const override { return loader_.loading(); }
    Status screenshot(const std::string& file) override;
    bool settled() const override;
    Status run(const ModuleRequest& request) override { return compute_.start(request); }
    Status capture(const std::string& folder, std::uint64_t frames) override;
    Result<bool> capturing() const override;
    std::optional<std::string> value(std::string_view key) override;
    void quit() override { quit_ = true; }

    PixelSize pictureSize() const;
    double now() const;  // seconds since the start
    bool panelsSeen() const;
    bool enough() const;
    std::vector<std::string> filesRead() const;  // which no picture or report may replace
    std::string conforming() const;

    SessionOptions options_;
    bool headless_ = false;
    std::string lastPicture_;  // where the last frame goes; empty: nowhere
    std::filesystem::path root_;
    std::vector<std::string> bundled_;  // terrains to choose from

    Settings wanted_;  // what user, script or file ask for; the renderer has what holds
    std::optional<SettingsKeeper> keeper_;
    bool mayShrink_ = false;  // depth, capacity, samples are as kept by another session, maybe on another driver
    bool viewGiven_ = false;  // a view came with the settings: the first terrain does not move the camera

    std::unique_ptr<Context> context_;
    std::unique_ptr<Renderer> renderer_;
    std::unique_ptr<Ui> ui_;
    std::unique_ptr<ScriptRunner> script_;

    TerrainLoader loader_;
    VoidFillingSession voids_;
    std::optional<TerrainInfo> info_;
    Raster raster_;               // without its heights
    HeightField field_;           // kept for the ground's height, and for a lost context
    std::uint64_t terrains_ = 0;  // opened so far
    ViewController controller_;
    CameraPathSession paths_;
    double flownSeconds_ = 0;  // the clock of recordings: the frames' own time, so that headless runs repeat

    ComputeSession compute_;
    LaboratorySession laboratory_;
    CaptureController captures_;
    std::optional<Error> captureError_;  // of the newest capture
    Settings beforeCapture_;             // what comes back after it
    PixelSize captureSize_;
    struct Pace
    {
        double waitMs = 0;             // for the GPU
        std::optional<double> swapMs;  // in the call that presents; none without a window
    } paced_;                          // of the newest frame

    FrameStats stats_;
    FrameHistory history_;
    MessageLog messages_;
    std::string shaderLog_;
    std::uint64_t frame_ = 0;
    std::uint64_t shown_ = 0;  // frames since the first terrain
    std::chrono::steady_clock::time_point started_, lastPresent_;
    bool quit_ = false;
    bool firstTerrain_ = true;
};

}  // namespace orogen::app
