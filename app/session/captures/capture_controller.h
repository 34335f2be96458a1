// Captures of a session: the running one with its frames, finished and unfinished ones, and a background comparison.
//
//   start()
//   each frame:  beforeFrame()     applies settings and camera
//                afterFrame()      adds the frame's record, and GPU results of earlier frames
//   end()                          called by afterFrame() after the last frame, or earlier by stop()
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gl/driver.h"
#include "app/model/capture_state.h"
#include "app/session/captures/running_capture.h"
#include "core/base/background_task.h"
#include "core/frames/compare/comparison.h"
#include "core/frames/machine/machine_monitor.h"

namespace orogen::app {

class Renderer;
class Session;

class CaptureController
{
public:
    bool running() const { return capture_ != nullptr; }
    const RunningCapture* capture() const { return capture_.get(); }  // null: no capture runs
    // Returns whether unmeasured time passes between the last recorded frame and the next.
    bool pausing() const { return running() && pausing_; }

    // Begins a capture; without sides, one side with the current settings.  Errors: kUsage (a capture or film runs, a
    // terrain or image is loading, voids are being filled, the picture is split, the tree is frozen, or there is no
    // path), and those of paths, hashes, output files, CaptureRecorder and FrameChecks.
    Status start(CaptureRequest request, Session& session);
    // Errors in beforeFrame() and afterFrame() are reported and end the capture.
    void beforeFrame(Session& session);
    void afterFrame(Session& session);
    // Ends the capture early; keeps its frames, with a picture of the last one.
    Status stop(Session& session);
    void contextLost(Session& session);                           // ends the capture without OpenGL calls
    const std::optional<Error>& error() const { return error_; }  // error that ended the newest capture

    // begin() and end() are the parts of start() and stop() that need no session.
    void begin(std::unique_ptr<RunningCapture> capture) { capture_ = std::move(capture); }
    // Writes the reports and ends the capture.  The reports of two complete sides are compared in the background;
    // compare.html is written beside their folders.
    Status end(bool interrupted, std::uint64_t glErrors);

    CapturesState state() const;                                                // for the panels
    const std::vector<FinishedCapture>& finished() const { return finished_; }  // this session's, oldest first

    const std::vector<std::string>& unfinished() const { return unfinished_; }
    void findUnfinished(const std::string& folder);  // `folder` contains kCaptureFolder; empty: current directory
    // Makes the report of an unfinished capture from its stored frames, and adds it to finished().
    Result<FinishedCapture> recover(const std::string& folder);

    // Reads and compares reports in the background; update(), once a frame, takes the result.
    void compare(ComparisonRequest request);
    bool comparing() const { return comparing_ != nullptr; }
    const std::optional<ShownComparison>& comparison() const { return comparison_; }
    const std::optional<ShownComparison>& awaitComparison();  // waits for the result
    void update();

private:
    Status aim(Session& session);
    Status record(Session& session);
    Status endRun(Session& session);
    Status finish(bool interrupted, Session& session);
    void fail(const Error& error, Session& session);
    void measureError(Renderer& renderer, FrameSample& sample);
    void restoreView(Session& session);

    std::unique_ptr<RunningCapture> capture_;
    std::vector<FinishedCapture> finished_;
    std::vector<std::string> unfinished_;
    std::unique_ptr<BackgroundTask<ShownComparison>> comparing_;
    std::optional<ShownComparison> comparison_;

    std::optional<Error> error_;    // error of the newest capture
    bool awaited_ = false;          // CaptureRequest::awaited of the newest capture
    Settings before_;               // settings restored after the capture
    bool validatedBefore_ = false;  // whether meshes were validated before the capture; restored after it
    int leftOut_ = 0;               // number of following frames whose intervals are discarded
    bool pausing_ = false;
    std::optional<GlCallCounter> calls_;       // while a run is measured
    std::unique_ptr<MachineMonitor> machine_;  // while a capture runs
    double waitedMs_ = 0;                      // time the current frame waited for its tiles
    int width_ = 0, height_ = 0;               // frame size
};

// Returns the metadata of a report of this session.  `path` as in a request; empty: the session's own path.
Result<ReportMetadata> captureMetadata(const Session& session, const std::string& path);

}  // namespace orogen::app
