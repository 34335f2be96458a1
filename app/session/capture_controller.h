// The captures of a session: the one that runs and the frames that are drawn for it, those that are over, what was
// found unfinished, and the comparison of two of them in the background.
//
//   start()
//   each frame:  beforeFrame()     its settings and camera
//                afterFrame()      what the CPU knows of it; the GPU's answers go from the renderer to the
//                CaptureSession
//   end()                          by itself after the last frame; earlier by stop()

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/capture_session.h"
#include "core/base/background_task.h"
#include "core/frames/compare/comparison.h"

namespace orogen::app {

struct ComparisonRequest
{
    std::vector<std::string> baseline, candidate;  // folders
    double marginPercent = kDefaultMarginPercent;
    std::string page = {};  // where compare.html goes; empty: nowhere
};

// A comparison as the panel shows it: the verdicts, or why there are none; or why its page could not be written.
struct ShownComparison
{
    ComparisonRequest request;
    std::optional<Comparison> comparison;
    std::string error;
};

class Renderer;
class Session;
struct FrameTiming;

class CaptureController
{
public:
    // Captures of the window go into folders in this one, and unfinished ones are looked for there.
    static constexpr const char* kFolder = "orogen-captures";

    bool running() const { return session_ != nullptr; }
    const CaptureSession* session() const { return session_.get(); }  // null: nothing is being captured
    // Whether time passes unmeasured between the frame that was recorded last and the next one.
    bool pausing() const { return running() && pausing_; }

    // Begins a capture with the settings that are wanted, for sides that name none.  Errors: kUsage (one is running,
    // the terrain is not there yet, a tree that does not follow the camera), those of paths, CaptureRecorder.
    Status start(CaptureRequest request, Session& session);
    // These report what goes wrong, and end the capture then.
    void beforeFrame(Session& session);
    void afterFrame(Session& session, const FrameTiming& timing);
    // Before its time: what was captured is kept, with a picture of the last frame.
    Status stop(Session& session);
    void contextLost(Session& session);
    const std::optional<Error>& error() const { return error_; }  // that ended the newest one

    // The parts of start() and end() that need no session.
    void begin(std::unique_ptr<CaptureSession> session) { session_ = std::move(session); }
    // Writes the reports and ends the capture; two sides are compared with each other, in the background, and
    // compare.html is put beside their folders.
    Status end(bool interrupted, std::uint64_t glErrors);

    const std::vector<FinishedCapture>& finished() const { return finished_; }  // of this session, oldest first

    const std::vector<std::string>& unfinished() const { return unfinished_; }
    void findUnfinished(const std::string& folder);  // in its folder for captures; empty: where it was started
    Result<FinishedCapture> recover(const std::string& folder);  // and it is one of the finished

    // Reads and compares in the background; update(), once a frame, takes what is done.
    void compare(ComparisonRequest request);
    bool comparing() const { return comparing_ != nullptr; }
    const std::optional<ShownComparison>& comparison() const { return comparison_; }
    const std::optional<ShownComparison>& awaitComparison();  // the same once it is done
    void update();

private:
    Status aim(Session& session);
    Status record(Session& session, const FrameTiming& timing);
    Status endRun(Session& session);
    Status finish(bool interrupted, Session& session);
    void fail(const Error& error, Session& session);
    void measureError(Renderer& renderer, FrameSample& sample);
    void restoreView(Session& session);

    std::unique_ptr<CaptureSession> session_;
    std::vector<FinishedCapture> finished_;
    std::vector<std::string> unfinished_;
    std::unique_ptr<BackgroundTask<ShownComparison>> comparing_;
    std::optional<ShownComparison> comparison_;

    std::optional<Error> error_;  // of the newest capture
    bool awaited_ = false;        // CaptureRequest::awaited of the newest capture
    Settings before_;             // what comes back after it
    bool validatedBefore_ = false;
    int leftOut_ = 0;  // frames to come whose intervals say nothing
    bool pausing_ = false;
    double waitedMs_ = 0;         // of the present frame, for its tiles
    int width_ = 0, height_ = 0;  // of its frames
};

// What a report of this session says about itself; `path`: as in a request, empty for the session's own.
Result<ReportMetadata> captureMetadata(const Session& session, const std::string& path);

std::string newDatedFolder(const std::string& root);  // "ROOT/2026-05-01T12.34.56Z"
// "orogen-captures/2026-05-01T12.34.56Z": the time in UTC; with "-2" and so on where that is taken.
std::string newCaptureFolder();

// Figures of a report under the names that its page has, as text: what the panel and the command line show.
struct ReportFigure
{
    std::string name, value;
    std::string reason{};  // why there is no value; else empty
};
std::vector<ReportFigure> figuresOf(const FrameReport& report);

}  // namespace orogen::app
